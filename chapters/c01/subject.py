"""What the checklist may touch of a client under test, and the handler dict dressed up for it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import anyio

from chapters.c01.handler_dict import HANDLERS, HandlerDictClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager


@dataclass(frozen=True)
class Message:
    """A JSON-RPC message that crossed a wire; ``sent`` by the client, or received by it."""

    sent: bool
    body: dict[str, Any]


class Session(Protocol):
    """A client that has its server, with what can be seen of the two."""

    @property
    def client(self) -> object:
        """The client itself."""
        ...

    @property
    def messages(self) -> Sequence[Message]:
        """Every message that has crossed the wire so far."""
        ...

    @property
    def server_ended(self) -> anyio.Event:
        """Set once the client has noticed that its server is gone."""
        ...

    async def list_tools(self) -> list[str]:
        """Return the names of all tools."""
        ...

    async def call(self, tool: str, arguments: dict[str, Any], seconds: float = 10.0) -> str:
        """Return a call's text. Raises TimeoutError when ``seconds`` have passed."""
        ...


class Subject(Protocol):
    """A kind of client, ready to be opened."""

    def open(self) -> AbstractAsyncContextManager[Session]:
        """Open a session with a server of its own; leaving it closes both."""
        ...


class HandlerDictSession:
    """The handler dict has no wire to watch and no server to lose, and this says so."""

    def __init__(self) -> None:
        self.client = HandlerDictClient(HANDLERS)
        self.messages: list[Message] = []
        self.server_ended = anyio.Event()

    async def list_tools(self) -> list[str]:
        """Return the names of all tools."""
        return await self.client.list_tools()

    async def call(self, tool: str, arguments: dict[str, Any], seconds: float = 10.0) -> str:
        """Return a call's text."""
        return await self.client.call_tool(tool, arguments, timeout=seconds)


class HandlerDictSubject:
    """The counterexample as a subject of the checklist."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[HandlerDictSession]:
        """Open a session: there is nothing to start."""
        yield HandlerDictSession()

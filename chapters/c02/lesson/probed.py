"""A real connection, dressed up for c01's checklist."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c01 import Message
from chapters.c02.connection import Connection, open_connection
from chapters.c02.pages import published_tools
from chapters.c02.results import said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02.spec import ServerSpec
    from chapters.c02.wire import Frame


class ConnectionSession:
    """A connection and the messages that its wire was seen to carry."""

    def __init__(self, connection: Connection, messages: list[Message]) -> None:
        self.client = connection.client
        self.messages = messages
        self.server_ended = connection.wire.ended
        self._connection = connection

    async def list_tools(self) -> list[str]:
        """Return the names of all tools, asking the server again."""
        connection = self._connection
        published = await published_tools(connection.client, connection.alias, connection.wire)
        return [tool.name for tool in published.tools]

    async def call(self, tool: str, arguments: dict[str, Any], seconds: float = 10.0) -> str:
        """Return a call's text. Raises TimeoutError when ``seconds`` have passed."""
        with anyio.fail_after(seconds):
            result = await self._connection.call(tool, arguments)
        return said(result)


class ConnectionSubject:
    """A server's spec as a subject of the checklist."""

    def __init__(self, spec: ServerSpec) -> None:
        self._spec = spec

    @asynccontextmanager
    async def open(self) -> AsyncIterator[ConnectionSession]:
        """Open a connection and keep every frame of it."""
        messages: list[Message] = []

        def keep(frame: Frame) -> None:
            messages.append(Message(frame.direction == "sent", json.loads(frame.text)))

        async with open_connection(self._spec, observer=keep) as connection:
            yield ConnectionSession(connection, messages)

"""A connection is a task, and this is the task.

It enters the connection, has its tools admitted, publishes them, waits until the connection is
over, and revokes them in ``finally``. Tools so live exactly as long as their connection, and
disconnecting, a timeout, a crash and shutting down are one path. The wait is also the watchdog:
the end of a server's output wakes it, whether or not anybody calls.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import anyio

from chapters.c02 import ConnectFailed, Connection, Fault, Frame, Spec
from chapters.c03.calls import Answered, ConnectionLost, call_once
from chapters.c03.registry import Registry, T

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from chapters.c02 import CallResult

logger = logging.getLogger(__name__)

R = TypeVar("R")

Call = Callable[[str, dict[str, Any]], Awaitable["CallResult"]]
"""Calls a tool of one connection: raw name and arguments in, a result or a fault out."""

Opener = Callable[[Spec, Callable[[Frame], None] | None], "AbstractAsyncContextManager[Connection]"]
"""Opens the connection of a spec; the observer, if there is one, is shown each frame."""

Admit = Callable[[Connection, "Owner[Any]"], Sequence[T]]
"""Makes of what a connection published that which is published here, or raises a fault.

Whatever is called later is called through the connection's owner."""


class Owner(Generic[T]):
    """Owns one connection from its first moment to its last.

    ``on_end`` is called the moment the connection is over, or connecting has failed; its argument
    says whether the server ended it while nobody was calling. ``gone`` is set when the server's
    process is stopped too.
    """

    def __init__(
        self,
        spec: Spec,
        opener: Opener,
        registry: Registry[T],
        *,
        admit: Admit[T],
        on_end: Callable[[Owner[T], bool], None],
        observer: Callable[[Frame], None] | None = None,
    ) -> None:
        self.spec = spec
        self.connection: Connection | None = None
        self.gone = anyio.Event()
        self._opener = opener
        self._registry = registry
        self._admit = admit
        self._on_end = on_end
        self._observer = observer
        self._settled = anyio.Event()
        self._fault: Fault = ConnectFailed(spec.alias, "it was disconnected while connecting")
        self._attempt = anyio.CancelScope()
        self._waiting = 0
        self._calling = 0
        self._released = False
        self._ended = False

    # --8<-- [start:life]
    async def run(self) -> None:
        """Live the connection's life. Raises nothing: a fault is kept for :meth:`connected`."""
        try:
            with self._attempt:
                await self._own()
        except Fault as fault:
            self._fault = fault
            logger.warning("%s [%s] %s", fault, fault.code, fault.detail)
        except Exception as error:
            self._fault = ConnectFailed(self.spec.alias, f"{type(error).__name__}: {error}")
            logger.exception("%s: the connection broke", self.spec.alias)
        finally:
            self._end()
            self._settled.set()
            self.gone.set()

    async def _own(self) -> None:
        async with self._opener(self.spec, self._observer) as connection:
            tools = self._admit(connection, self)
            if self._released:  # in the very moment of connecting, when no cancellation can land
                return
            try:
                self._registry.publish(connection, tools, self.spec.alias)
                self.connection = connection
                self._settled.set()
                await self._watch(connection)
                self._end(lost_while_idle=not self._calling)
            finally:
                self._end()

    async def _watch(self, connection: Connection) -> None:
        """Wait for the connection's end: the watchdog is this wait, and it costs nothing."""
        await connection.wire.ended.wait()
        # --8<-- [end:life]

    async def connected(self) -> Connection:
        """Wait until the connection stands and return it, or raise the fault that prevented it."""
        self._waiting += 1
        try:
            await self._settled.wait()
        finally:
            self._waiting -= 1
            if not self._waiting and not self._settled.is_set():
                self.drop()  # everybody who wanted it has given up
        if self.connection is None:
            await self.gone.wait()
            raise self._fault
        return self.connection

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallResult:
        """Call a tool of this connection and of no other, under its raw name, at most once."""
        return await self.ask(lambda connection: call_once(connection, tool, arguments))

    async def ask(self, request: Callable[[Connection], Awaitable[R]]) -> R:
        """Make one request of this connection and of no other, at most once."""
        if self._released or self.connection is None or self.connection.wire.ended.is_set():
            raise ConnectionLost(self.spec.alias, "before the call was sent")
        self._calling += 1
        try:
            return await request(self.connection)
        except Answered:
            raise
        except Fault:
            self.drop()
            raise
        finally:
            self._calling -= 1

    def drop(self) -> None:
        """Give the connection up: its tools are gone when this returns, its process soon after."""
        self._released = True
        self._end()
        if self.connection is None:
            self._attempt.cancel()
        else:
            self.connection.wire.ended.set()

    def _end(self, *, lost_while_idle: bool = False) -> None:
        """Revoke and say so, once."""
        if self._ended:
            return
        self._ended = True
        if self.connection is not None:
            self._registry.revoke(self.connection)
        self._on_end(self, lost_while_idle)

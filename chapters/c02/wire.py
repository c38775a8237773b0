"""The wire, observed: every frame in both directions, and the moment it ends.

The SDK's transports yield two streams, and its client takes any two objects with the same
methods. So a thin wrapper around each sees what crosses, without a task and without a hop.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

import anyio
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from chapters.c02.carrying import answer_behind, answer_in, carried
from chapters.c02.pipe.lines import is_overlong, line_of
from chapters.c02.pipe.mending import mended
from chapters.c02.pipe.noise import BYTE_ORDER_MARK, Noise

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.types import JSONRPCMessage, RequestId

    from chapters.c02.faults import Fault

    Incoming = SessionMessage | Exception
    Streams = tuple[ReadStream[Incoming], WriteStream[SessionMessage]]
    Transport = AbstractAsyncContextManager[Streams]

COURTESY_SECONDS = 0.5
CALLS = frozenset({"tools/call", "resources/read", "prompts/get"})
UNANSWERED = 100
"""How many requests of a server's own may wait for our answer. One that asks and never reads would
otherwise grow this process without bound, since each request is a task until its answer is out."""
UNREADABLE = 100
"""How many lines that are no message a server may print. The SDK logs each with a traceback, so a
server that prints nothing else would fill the disk and take all the time there is."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Frame:
    """One JSON-RPC message that crossed the wire."""

    direction: Literal["sent", "received"]
    message: JSONRPCMessage

    @property
    def text(self) -> str:
        """The frame as one line of JSON, as the SDK writes it."""
        return self.message.model_dump_json(by_alias=True, exclude_unset=True)

    @property
    def method(self) -> str | None:
        """The method of a request or a notification; None for an answer."""
        return getattr(self.message, "method", None)


class Wire:
    """What was seen of one connection's wire.

    ``ended`` is set when it is over: the server exited, closed its output or sent a line beyond the
    cap, or the connection's owner gave it up. ``cause`` may name a fault that says it better than
    that the connection was lost. ``last`` is the last frame that came, and ``calls`` are the
    ``CALLS`` that have no answer yet, method by id. ``noise`` is what came and was no frame.
    """

    def __init__(self, observer: Callable[[Frame], None] | None = None) -> None:
        self.ended = anyio.Event()
        self.cause: type[Fault] | None = None
        self.last: JSONRPCMessage | None = None
        self.unanswered = 0
        self.noise = Noise()
        self.calls: dict[RequestId, str] = {}
        self._observer = observer

    def leaving(self, message: JSONRPCMessage) -> None:
        """Note a frame on its way to the server."""
        if isinstance(message, JSONRPCRequest) and message.method in CALLS:
            self.calls[message.id] = message.method
        if self._observer:
            self._observer(Frame("sent", message))

    def coming(self, message: JSONRPCMessage) -> None:
        """Note a frame that came from the server."""
        self.last = message
        self.unanswered += isinstance(message, JSONRPCRequest)
        if self._observer:
            self._observer(Frame("received", message))

    def settles(self, number: RequestId | None) -> str:
        """Return the method that waited for an answer of that id, or nothing; it waits no longer.

        The SDK takes an id that comes back as text for the number that was sent, and so does this.
        """
        return "" if number is None else self.calls.pop(coerce_request_id(number), "")


@asynccontextmanager
async def observed(
    transport: Transport, wire: Wire, on_open: Callable[[], None]
) -> AsyncIterator[Streams]:
    """Enter ``transport``, say that it is open, and yield its two streams, observed."""
    async with transport as (read, write):
        on_open()
        yield ObservedRead(read, wire), ObservedWrite(write, wire)


class ObservedRead:
    """What comes from the server, noted on the way in."""

    def __init__(self, stream: ReadStream[Incoming], wire: Wire) -> None:
        self._stream = stream
        self._wire = wire

    async def receive(self) -> Incoming:
        """Return the next frame, or what could not be read as one. Raises at the end.

        The answer to a tools/call is returned as :func:`~chapters.c02.carrying.carried`.
        """
        try:
            item = self._heard(await self._stream.receive())
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._wire.ended.set()
            raise
        if not isinstance(item, Exception):
            self._wire.coming(item.message)
        if reason := self._unbearable(item):
            logger.warning("the wire is given up: %s", reason)
            self._wire.ended.set()
            raise anyio.EndOfStream
        return self._carried(item)

    def _heard(self, item: Incoming) -> Incoming:
        """Make a message of what can be made one, and note the rest."""
        if not isinstance(item, Exception):
            return item
        line = line_of(item)
        whole = mended(item)
        noise = self._wire.noise
        known = noise.habit
        if isinstance(whole, Exception):
            if answer := answer_in(whole, self._wire.calls):
                return SessionMessage(answer)
            noise.hear(line)
        elif line.startswith(BYTE_ORDER_MARK):
            noise.hear_mark()
        if noise.habit != known:
            logger.warning("on a server's stdout: %s", noise.habit)
        return whole

    def _carried(self, item: Incoming) -> Incoming:
        match item:
            case SessionMessage(message=JSONRPCResponse() as answer):
                if self._wire.settles(answer.id) == "tools/call":
                    return replace(item, message=carried(answer))
            case SessionMessage(message=JSONRPCError() as error):
                method = self._wire.settles(error.id)
                if method and (unread := answer_behind(error)):
                    whole = carried(unread) if method == "tools/call" else unread
                    return replace(item, message=whole)
        return item

    def _unbearable(self, item: Incoming) -> str | None:
        if is_overlong(item):
            return "a line is too long"
        if self._wire.noise.lines > UNREADABLE:
            return f"more than {UNREADABLE} lines are no messages"
        if self._wire.unanswered > UNANSWERED:
            return f"more than {UNANSWERED} of the server's own requests wait for an answer"
        return None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Incoming:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        """Close the stream, which ends the wire from this side."""
        self._wire.ended.set()
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        self._wire.ended.set()
        return await self._stream.__aexit__(kind, error, trace)


class ObservedWrite:
    """What goes to the server, noted on the way out."""

    def __init__(self, stream: WriteStream[SessionMessage], wire: Wire) -> None:
        self._stream = stream
        self._wire = wire

    async def send(self, item: SessionMessage) -> None:
        """Send a frame.

        Everything waits until the server reads, but for one thing: the courtesy of telling it that
        a call was given up. The SDK would hold that call back for five seconds to say so, and a
        server that no longer reads must not stretch our deadline.
        """
        self._wire.leaving(item.message)
        try:
            if getattr(item.message, "method", None) == "notifications/cancelled":
                with anyio.move_on_after(COURTESY_SECONDS):
                    await self._stream.send(item)
            else:
                await self._stream.send(item)
                self._wire.unanswered -= isinstance(item.message, JSONRPCResponse | JSONRPCError)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._wire.ended.set()
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)

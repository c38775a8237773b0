"""A connection: one negotiated, living protocol session with one server process.

Opening it is the whole way: spec, process and pipe, the official client, negotiation, every page
of the list of tools. Leaving its context stops the server.
"""

from __future__ import annotations

import json
import logging
import math
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
)

from chapters.c02.carrying import unpacked
from chapters.c02.faults import ConnectFailed, ConnectTimedOut, Fault
from chapters.c02.pages import Published, PublishedTool, published_tools
from chapters.c02.pipe.lines import ENCODING
from chapters.c02.pipe.stderr import logged_stderr
from chapters.c02.results import CallResult, read_result
from chapters.c02.wire import Frame, Wire, observed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from chapters.c02.spec import ServerSpec, Spec
    from chapters.c02.wire import Streams, Transport

    Mode = Literal["auto", "legacy"]
    Walk = Callable[[Client, str, Wire], Awaitable[Published]]

logger = logging.getLogger(__name__)

THIS_CLIENT = Implementation(name="mcp-in-the-harness", version="0.1.0")


@dataclass(frozen=True, eq=False)
class Connection:
    """A connected server. It compares by identity: a successor is another connection."""

    spec: Spec
    protocol_version: str
    """The negotiated revision, such as ``2026-07-28``."""
    published: Published
    client: Client
    wire: Wire

    @property
    def alias(self) -> str:
        """The local name of the server."""
        return self.spec.alias

    @property
    def tools(self) -> tuple[PublishedTool, ...]:
        """The tools that the server published."""
        return self.published.tools

    # --8<-- [start:one-call]
    async def call(self, tool: str, arguments: dict[str, Any]) -> CallResult:
        """Send one tools/call, once, under the tool's raw name, and return its result.

        This is the SDK's own request without what its ``call_tool`` adds around it: that one may
        send a call a second time, list the tools again, or check the result with a matcher that a
        server can make run for hours. Raises ValueError or TypeError, with nothing sent, for
        arguments that are no JSON, :class:`~chapters.c02.results.ResultError` for an answer that
        cannot be used, and else whatever the SDK raises; c03 tells the faults apart.
        """
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        answer = await self.client.session.send_request(request, CallToolResult)
        return read_result(unpacked(answer), self.protocol_version)
        # --8<-- [end:one-call]


@asynccontextmanager
async def open_connection(
    spec: ServerSpec,
    *,
    mode: Mode = "auto",
    walk: Walk = published_tools,
    observer: Callable[[Frame], None] | None = None,
) -> AsyncIterator[Connection]:
    """Start the server of a spec and connect to it over its stdin and stdout.

    The rest is as for :func:`connection_over`.
    """
    transport = stdio_transport(spec)
    async with connection_over(
        spec, lambda _: transport, mode=mode, walk=walk, observer=observer
    ) as opened:
        yield opened


# --8<-- [start:pipe]
@asynccontextmanager
async def stdio_transport(spec: ServerSpec) -> AsyncIterator[Streams]:
    """Start the server and yield the two streams of the SDK's stdio transport."""
    parameters = StdioServerParameters(
        command=spec.command,
        args=list(spec.args),
        env=dict(spec.env),
        cwd=spec.cwd,
        encoding=ENCODING,
        encoding_error_handler="replace",
    )
    async with logged_stderr(spec.alias) as errlog, stdio_client(parameters, errlog) as streams:
        yield streams
    # --8<-- [end:pipe]


@asynccontextmanager
async def connection_over(
    spec: Spec,
    make_transport: Callable[[Wire], Transport],
    *,
    mode: Mode = "auto",
    walk: Walk = published_tools,
    observer: Callable[[Frame], None] | None = None,
) -> AsyncIterator[Connection]:
    """Negotiate over a transport, read every page of the tools, and yield the connection.

    ``mode="auto"`` asks server/discover first and falls back to initialize; ``"legacy"`` does only
    the latter. ``walk`` reads the server's lists. ``observer`` is shown each frame.
    ``make_transport`` is given the wire, where it may note an end that its streams would not show.
    Raises a :class:`~chapters.c02.faults.Fault` where connecting fails, at most about five seconds
    after the spec's connect timeout, and with everything stopped. What the body raises comes out as
    it was raised.
    """
    # --8<-- [start:negotiate]
    wire = Wire(observer)
    connected = False
    raised: Exception | None = None
    # Cancel scopes must nest, and the client stays entered for as long as the connection lives. So
    # the deadline is a scope around all of it that is lifted once the server is connected. Until
    # the transport is open it is a shield: cancelled halfway, asyncio would leak a pipe's ends.
    patience = anyio.CancelScope(shield=True)
    over_at = anyio.current_time() + spec.connect_timeout

    def opened() -> None:
        patience.deadline = over_at
        patience.shield = False

    try:
        with patience:
            async with Client(
                observed(make_transport(wire), wire, opened),
                mode=mode,
                client_info=THIS_CLIENT,
                cache=None,
            ) as client:
                published = await walk(client, spec.alias, wire)
                patience.deadline = math.inf
                connected = True
                try:
                    yield Connection(spec, client.protocol_version, published, client, wire)
                except Exception as error:
                    raised = error
    except Exception as error:
        if not connected:
            raise _fault(spec, wire, error) from error
        logger.exception("%s: closing was not clean", spec.alias)
    if raised is not None:
        raise raised
    if patience.cancelled_caught:
        raise ConnectTimedOut(spec.alias, f"after {spec.connect_timeout} seconds{wire.noise}")
    # --8<-- [end:negotiate]


def _fault(spec: Spec, wire: Wire, error: BaseException) -> Fault:
    """Make a connect's failure one fault: the SDK wraps it in as many groups as it has tasks."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, Fault):
        return error
    return (wire.cause or ConnectFailed)(spec.alias, f"{type(error).__name__}: {error}{wire.noise}")

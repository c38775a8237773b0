"""c02's wrong answers."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import anyio

from chapters.c02.connection import Connection, connection_over, open_connection, stdio_transport
from chapters.c02.faults import ConnectTimedOut
from chapters.c02.pages import PublishedTool, every_page
from chapters.c02.wire import ObservedRead, ObservedWrite, Wire
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp import Client
    from mcp.shared.message import SessionMessage
    from mcp.types import ListToolsResult

    from chapters.c02.connection import Mode
    from chapters.c02.spec import ServerSpec, Spec
    from chapters.c02.wire import Frame, Incoming, Streams, Transport

    Observer = Callable[[Frame], None]


def _always(era: Mode) -> object:
    @asynccontextmanager
    async def connect(
        spec: Spec,
        make_transport: Callable[[Wire], Transport],
        *,
        mode: Mode = "auto",  # noqa: ARG001 - which is the mistake
        observer: Observer | None = None,
    ) -> AsyncIterator[Connection]:
        async with connection_over(spec, make_transport, mode=era, observer=observer) as opened:
            yield opened

    return connect


# --8<-- [start:first-page]
class _OnePageClient:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_tools(self, **options: Any) -> ListToolsResult:
        page = await self._client.list_tools(**options)
        return page.model_copy(update={"next_cursor": None})


async def _first_page(client: Client, alias: str, wire: Wire) -> tuple[PublishedTool, ...]:
    return await every_page(cast("Client", _OnePageClient(client)), alias, wire)
    # --8<-- [end:first-page]


@asynccontextmanager
async def _transport_with_our_environment(spec: ServerSpec) -> AsyncIterator[Streams]:
    async with stdio_transport(replace(spec, env=dict(os.environ))) as streams:
        yield streams


_LEFT_OPEN: set[asyncio.Task[None]] = set()


@asynccontextmanager
async def _transport_that_nobody_closes(spec: ServerSpec) -> AsyncIterator[Streams]:
    opened: asyncio.Future[Streams] = asyncio.get_running_loop().create_future()

    async def keep_open() -> None:
        async with stdio_transport(spec) as streams:
            opened.set_result(streams)
            await anyio.sleep_forever()

    _LEFT_OPEN.add(asyncio.create_task(keep_open()))
    yield await opened


_receive = ObservedRead.receive
_send = ObservedWrite.send


async def _receive_or_end(self: ObservedRead) -> Incoming:
    item = await _receive(self)
    if isinstance(item, Exception):
        self._wire.ended.set()
        raise anyio.EndOfStream
    return item


async def _send_no_cancellation(self: ObservedWrite, item: SessionMessage) -> None:
    if getattr(item.message, "method", None) != "notifications/cancelled":
        await _send(self, item)


@asynccontextmanager
async def _connection_in_any_case(
    spec: ServerSpec, *, mode: Mode = "auto", observer: Observer | None = None
) -> AsyncIterator[Connection]:
    connected = False
    try:
        async with open_connection(spec, mode=mode, observer=observer) as opened:
            connected = True
            yield opened
    except ConnectTimedOut:
        if connected:
            raise
        wire = Wire()
        wire.ended.set()
        yield Connection(spec, "unknown", (), cast("Client", None), wire)


WRONG_ANSWERS = [
    WrongAnswer(
        "nobody-shakes-hands",
        ("c02.first-legacy",),
        belief="since 2026-07-28 there is no handshake, so no client needs one.",
        cost="A server of an older revision is asked what it does not know, and never connects.",
        instead=((connection_over, _always("auto")),),
    ),
    WrongAnswer(
        "everybody-shakes-hands",
        ("c02.first-modern",),
        belief="MCP opens with initialize, as every tutorial says.",
        cost="""The connection stays in the older era, and a server that has dropped it cannot be
        reached.""",
        instead=((connection_over, _always("legacy")),),
    ),
    WrongAnswer(
        "first-page-only",
        ("c02.pages",),
        belief="tools/list lists the tools.",
        cost="Three of demo_alpha's five tools are never seen, and nothing says so.",
        instead=((every_page, _first_page),),
    ),
    WrongAnswer(
        "left-open",
        ("c02.processes", "c03.closing", "c05.closing"),
        belief="a server goes by itself once nobody talks to it.",
        cost="Each connection leaves a process behind, which nobody will ever stop.",
        instead=((stdio_transport, _transport_that_nobody_closes),),
    ),
    WrongAnswer(
        "whole-environment",
        ("c02.secret",),
        belief="a child needs its parent's environment.",
        cost="Every server, and everything that it installs, reads every key of the host.",
        instead=((stdio_transport, _transport_with_our_environment),),
    ),
    WrongAnswer(
        "stray-line-is-fatal",
        ("c02.stray-line",),
        belief="a peer that breaks the framing once cannot be understood any more.",
        cost="A server whose library prints one warning on stdout can never be used.",
        instead=((ObservedRead.receive, _receive_or_end),),
    ),
    WrongAnswer(
        "silence-is-no-tools",
        ("c02.silent-server",),
        belief="a server that lists nothing has nothing to offer.",
        cost="""A hung server looks like an empty one, so nobody is told, and what would have been
        one clear fault becomes a search for missing tools.""",
        instead=((open_connection, _connection_in_any_case),),
    ),
    WrongAnswer(
        "quiet-cancellation",
        ("c02.behaviours",),
        belief="to give a call up it is enough to stop waiting.",
        cost="The server works on for nobody, and may still write what the harness gave up.",
        instead=((ObservedWrite.send, _send_no_cancellation),),
    ),
]

"""What c02's wrong answers put in the place of its mechanisms."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import anyio

from chapters.c02.connection import Connection, connection_over, open_connection, stdio_transport
from chapters.c02.faults import ConnectTimedOut
from chapters.c02.pages import Published, every_page
from chapters.c02.wire import ObservedRead, ObservedWrite, Wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp import Client
    from mcp.shared.message import SessionMessage

    from chapters.c02.connection import Mode
    from chapters.c02.spec import ServerSpec, Spec
    from chapters.c02.wire import Frame, Incoming, Streams, Transport

    Observer = Callable[[Frame], None]


def always(era: Mode) -> object:
    @asynccontextmanager
    async def connect(
        spec: Spec, make_transport: Callable[[Wire], Transport], **options: Any
    ) -> AsyncIterator[Connection]:
        options["mode"] = era  # whatever was asked for: this is the mistake
        async with connection_over(spec, make_transport, **options) as opened:
            yield opened

    return connect


# --8<-- [start:first-page]
async def first_page(
    fetch: Callable[..., Awaitable[Any]], items: Callable[[Any], Any], *others: Any, **options: Any
) -> list[Any]:
    async def fetch_one(**asked: Any) -> Any:
        page = await fetch(**asked)
        return page.model_copy(update={"next_cursor": None})

    return await every_page(fetch_one, items, *others, **options)
    # --8<-- [end:first-page]


@asynccontextmanager
async def transport_with_our_environment(spec: ServerSpec) -> AsyncIterator[Streams]:
    async with stdio_transport(replace(spec, env=dict(os.environ))) as streams:
        yield streams


_LEFT_OPEN: set[asyncio.Task[None]] = set()


@asynccontextmanager
async def transport_that_nobody_closes(spec: ServerSpec) -> AsyncIterator[Streams]:
    opened: asyncio.Future[Streams] = asyncio.get_running_loop().create_future()

    async def keep_open() -> None:
        async with stdio_transport(spec) as streams:
            opened.set_result(streams)
            await anyio.sleep_forever()

    _LEFT_OPEN.add(asyncio.create_task(keep_open()))
    yield await opened


_receive = ObservedRead.receive
_send = ObservedWrite.send


async def receive_or_end(self: ObservedRead) -> Incoming:
    item = await _receive(self)
    if isinstance(item, Exception):
        self._wire.ended.set()
        raise anyio.EndOfStream
    return item


async def send_no_cancellation(self: ObservedWrite, item: SessionMessage) -> None:
    if getattr(item.message, "method", None) != "notifications/cancelled":
        await _send(self, item)


@asynccontextmanager
async def connection_in_any_case(spec: ServerSpec, **options: Any) -> AsyncIterator[Connection]:
    connected = False
    try:
        async with open_connection(spec, **options) as opened:
            connected = True
            yield opened
    except ConnectTimedOut:
        if connected:
            raise
        wire = Wire()
        wire.ended.set()
        yield Connection(spec, "unknown", Published(()), cast("Client", None), wire)

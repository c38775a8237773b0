"""A server inside the program: it starts, it ends promptly, and it leaves everything alone."""

from __future__ import annotations

import logging
import signal
import socket
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from chapters.c06.guarded import unguarded_app
from chapters.c06.lesson.raw_http import ask
from chapters.c06.lesson.victim import victim_server
from chapters.c06.serving import Parser, ServingFailed, bound_socket, serving
from tests.c06.conftest import PARSERS
from tests.c06.running import door

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream
    from starlette.types import Receive, Scope, Send

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("parser", PARSERS)]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HELLO = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


async def _endless(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a stream that never ends by itself."""
    if scope["type"] == "lifespan":
        await door(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"first", "more_body": True})
    await anyio.sleep_forever()


async def _flooding(scope: Scope, receive: Receive, send: Send) -> None:
    """Send without end to a client that does not read."""
    if scope["type"] == "lifespan":
        await door(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": bytes(65536), "more_body": True})


async def _drain(stream: ByteReceiveStream) -> None:
    while True:
        await stream.receive()


async def test_it_answers_on_the_port_that_the_system_picked(parser: Parser) -> None:
    async with serving(door, bound_socket(), parser=parser) as port:
        assert (await ask(port, HELLO)).status == 200


async def test_a_client_may_connect_before_anything_serves(parser: Parser) -> None:
    sock = bound_socket()
    stream = await anyio.connect_tcp("127.0.0.1", sock.getsockname()[1])
    async with stream, serving(door, sock, parser=parser):
        await stream.send(HELLO)
        assert (await stream.receive()).startswith(b"HTTP/1.1 200")


async def test_the_port_is_free_again_at_once(parser: Parser) -> None:
    port = 0
    for _ in range(3):
        async with serving(door, bound_socket(port=port), parser=parser) as port:
            assert (await ask(port, HELLO)).status == 200


@pytest.mark.parametrize("app", [_endless, _flooding])
async def test_open_streams_are_cut_off_after_the_grace(parser: Parser, app: object) -> None:
    async with serving(app, bound_socket(), parser=parser, grace=0) as port:  # type: ignore[arg-type]  # parametrized
        stream = await anyio.connect_tcp("127.0.0.1", port)
        await stream.send(HELLO)
        assert (await stream.receive()).startswith(b"HTTP/1.1 200")
        left = time.monotonic()
    assert time.monotonic() - left < 2
    async with stream:
        with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
            await _drain(stream)


async def test_an_open_mcp_stream_does_not_hold_the_end_up(parser: Parser) -> None:
    sock = bound_socket()
    url = f"http://127.0.0.1:{sock.getsockname()[1]}/mcp"
    headers = {"Accept": "application/json, text/event-stream"}
    async with AsyncExitStack() as kept, httpx2.AsyncClient(headers=headers) as client:
        async with serving(unguarded_app(victim_server("s")), sock, parser=parser, grace=0):
            opened = await client.post(url, json=INITIALIZE)
            session = {"Mcp-Session-Id": opened.headers["Mcp-Session-Id"]}
            stream = await kept.enter_async_context(client.stream("GET", url, headers=session))
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            left = time.monotonic()
        assert time.monotonic() - left < 2


async def test_a_client_that_says_nothing_does_not_hold_the_end_up(parser: Parser) -> None:
    async with serving(door, bound_socket(), parser=parser, grace=0) as port:
        streams = [await anyio.connect_tcp("127.0.0.1", port) for _ in range(3)]
        await streams[1].send(b"POST / HTT")
        await streams[2].send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhal")
        assert (await ask(port, HELLO)).status == 200
        left = time.monotonic()
    assert time.monotonic() - left < 2
    for stream in streams:
        await stream.aclose()


async def test_a_cancelled_program_gets_its_server_ended(parser: Parser) -> None:
    ended = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await door(scope, receive, send)
        ended.append(scope["type"])

    sock = bound_socket()
    with anyio.CancelScope() as scope:
        async with serving(app, sock, parser=parser):
            scope.cancel()
            await anyio.sleep_forever()
    assert ended == ["lifespan"]
    assert sock.fileno() == -1


async def test_what_the_program_raises_is_not_wrapped(parser: Parser) -> None:
    with pytest.raises(LookupError, match="mine"):
        async with serving(door, bound_socket(), parser=parser):
            raise LookupError("mine")


async def test_an_application_that_cannot_start_is_an_error_with_a_name(parser: Parser) -> None:
    async def broken(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no"})

    sock = bound_socket()
    with pytest.raises(ServingFailed):
        async with serving(broken, sock, parser=parser):
            raise AssertionError("It did not start.")
    assert sock.fileno() == -1


async def test_signals_are_the_programs(parser: Parser) -> None:
    before = [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)]
    async with serving(door, bound_socket(), parser=parser):
        assert [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)] == before


async def test_nothing_is_written_to_the_terminal(
    parser: Parser, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any logging set up, Python itself would write warnings and errors to stderr."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])

    async def failing(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await door(scope, receive, send)
        else:
            raise RuntimeError("in the log, and only there")

    async with serving(failing, bound_socket(), parser=parser) as port:
        assert (await ask(port, HELLO)).status == 500
        assert (await ask(port, b"\x00\x01\r\n\r\n")).status == 400
    assert capfd.readouterr() == ("", "")


async def test_a_taken_port_is_an_error_at_once(parser: Parser) -> None:
    async with serving(door, bound_socket(), parser=parser) as port:
        with pytest.raises(OSError, match="in use"):
            bound_socket(port=port)


async def test_only_the_address_that_was_asked_for_is_bound(parser: Parser) -> None:
    async with serving(door, bound_socket("127.0.0.1"), parser=parser) as port:
        with pytest.raises(OSError, match="refused"), socket.create_connection(("127.0.0.2", port)):
            pass


async def test_one_that_is_cancelled_while_it_starts_ends_too(parser: Parser) -> None:
    steps: list[str] = []

    async def app(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        steps.append("starting")
        group.cancel_scope.cancel()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        steps.append("stopping")
        await send({"type": "lifespan.shutdown.complete"})

    async def serve() -> None:
        async with serving(app, bound_socket(), parser=parser):
            steps.append("serving")

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(serve)
    assert steps == ["starting", "stopping"]

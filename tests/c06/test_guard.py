"""The guard in front of a running server, asked through raw sockets."""

from __future__ import annotations

import socket
from http.client import HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chapters.c06.guard import (
    CROSS_SITE,
    NOT_ONE_HOST,
    OVERRULING_TARGET,
    WRONG_HOST,
    WRONG_ORIGIN,
    Allowed,
    HostGuard,
    allowed_on,
    verdict,
)
from chapters.c06.lesson.raw_http import request
from chapters.c06.lesson.rows import Row, read_rows
from tests.c06.running import LET_IN, Running, door, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapters.c06.serving import Parser

ROWS = read_rows(Path(__file__).with_name("headers.toml"))
SENTENCES = {
    refusal.sentence
    for refusal in (OVERRULING_TARGET, NOT_ONE_HOST, WRONG_HOST, WRONG_ORIGIN, CROSS_SITE)
}


@pytest.fixture(scope="module")
def guarded(parser: Parser, address: str) -> Iterator[Running]:
    with running(lambda port: HostGuard(door, allowed_on(port)), parser, address) as server:
        yield server


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_gets_its_verdict(row: Row, guarded: Running, parser: Parser) -> None:
    answer = guarded.ask(row.message(guarded.port))
    assert answer.status == row.expected(parser), answer.body
    assert (LET_IN in answer.body) == (answer.status == 200)


def test_rows_have_names_of_their_own() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) >= 24


def test_a_refusal_is_a_fixed_sentence(guarded: Running) -> None:
    """Nothing that was sent comes back, so nothing can be planted in a log or a page."""
    for row in ROWS:
        answer = guarded.ask(row.message(guarded.port))
        if answer.status in (403, 421) and not row.start.startswith("HEAD"):
            assert answer.body.strip() in SENTENCES
        for marker in ("attacker", "localho", "nip.io"):
            assert marker not in answer.head + answer.body


def test_each_request_of_a_connection_is_judged_alone(guarded: Running) -> None:
    """A browser keeps connections open; a good first request vouches for nothing."""
    good = f"GET / HTTP/1.1\r\nHost: localhost:{guarded.port}\r\n\r\n".encode()
    evil = f"GET / HTTP/1.1\r\nHost: attacker.example:{guarded.port}\r\n\r\n".encode()
    with socket.create_connection((guarded.address, guarded.port), timeout=10) as connection:
        seen = []
        for message in (good, evil, good):
            connection.sendall(message)
            with HTTPResponse(connection) as answer:
                answer.begin()
                answer.read()
                seen.append(answer.status)
    assert seen == [200, 421, 200]


def test_an_empty_list_lets_nobody_in(parser: Parser) -> None:
    nobody = Allowed(hosts=frozenset(), origins=frozenset())
    with running(lambda _port: HostGuard(door, nobody), parser) as server:
        for name in ("localhost", "127.0.0.1", "[::1]"):
            assert server.ask(request([f"Host: {name}:{server.port}"])).status == 421


def test_more_hosts_and_origins_only_by_configuration(parser: Parser) -> None:
    def app(port: int) -> HostGuard:
        return HostGuard(
            door,
            allowed_on(port, hosts=["MCP.example.com"], origins=["https://chat.example.com"]),
        )

    with running(app, parser) as server:
        ours = "Host: mcp.example.com"
        assert server.ask(request([ours])).status == 200
        assert server.ask(request([ours, "Origin: https://chat.example.com"])).status == 200
        assert server.ask(request([ours, "Origin: http://chat.example.com"])).status == 403
        assert server.ask(request([ours, "Origin: https://mcp.example.com"])).status == 403
        assert server.ask(request([f"{ours}:{server.port}"])).status == 421
        assert server.ask(request(["Host: chat.example.com"])).status == 421


@pytest.mark.parametrize(
    "nonsense", ["", "*", "*.example.com", "http://example.com", "example.com:*", "a b"]
)
def test_a_host_that_is_none_cannot_be_configured(nonsense: str) -> None:
    with pytest.raises(ValueError, match="no host to allow"):
        allowed_on(8931, hosts=[nonsense])


@pytest.mark.parametrize("nonsense", ["", "*", "null", "example.com", "https://*", "https://a/b"])
def test_an_origin_that_is_none_cannot_be_configured(nonsense: str) -> None:
    with pytest.raises(ValueError, match="no origin to allow"):
        allowed_on(8931, origins=[nonsense])


def test_on_port_80_a_host_needs_no_port() -> None:
    allowed = allowed_on(80)
    assert verdict([(b"host", b"localhost")], allowed) is None
    assert verdict([(b"host", b"localhost"), (b"origin", b"http://localhost")], allowed) is None
    https = [(b"host", b"localhost"), (b"origin", b"https://localhost")]
    assert verdict(https, allowed) is WRONG_ORIGIN


async def _websocket(headers: list[tuple[bytes, bytes]], **extra: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    scope = {"type": "websocket", "path": "/mcp", "headers": headers, **extra}

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def accepts(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    await HostGuard(accepts, allowed_on(8931))(scope, receive, send)
    return sent


@pytest.mark.anyio
async def test_a_websocket_is_refused_before_it_is_accepted() -> None:
    evil = [(b"host", b"attacker.example:8931"), (b"origin", b"http://attacker.example:8931")]
    assert await _websocket(evil) == [{"type": "websocket.close", "code": 1008}]
    denial = await _websocket(evil, extensions={"websocket.http.response": {}})
    assert [message["type"] for message in denial] == [
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert denial[0]["status"] == 421


@pytest.mark.anyio
async def test_a_websocket_with_a_good_host_and_an_evil_origin_is_refused() -> None:
    """Browsers let any page open a WebSocket anywhere; Origin is all that says who asks."""
    lines = [(b"host", b"localhost:8931"), (b"origin", b"http://attacker.example")]
    denial = await _websocket(lines, extensions={"websocket.http.response": {}})
    assert denial[0]["status"] == 403
    ours = [(b"host", b"localhost:8931"), (b"origin", b"http://localhost:8931")]
    assert await _websocket(ours) == [{"type": "websocket.accept"}]

"""Slow, oversized and broken requests, few and on loopback only: the server still answers."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from chapters.c06.bearer import BearerToken, new_token
from chapters.c06.guarded import guarded_app
from chapters.c06.lesson.raw_http import NoAnswer, request
from chapters.c06.lesson.victim import victim_server
from tests.c06.running import Running, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp

    from chapters.c06.serving import Parser

SLOW = 40  # connections at once
RUDE = 100  # connections one after the other
MIB = 1 << 20


@pytest.fixture(scope="module")
def token() -> BearerToken:
    return new_token()


@pytest.fixture(scope="module")
def server(parser: Parser, token: BearerToken) -> Iterator[Running]:
    def app(port: int) -> ASGIApp:
        return guarded_app(victim_server("secret"), port=port, token=token)

    with running(app, parser) as server:
        yield server


@pytest.fixture(autouse=True)
def _still_answers(server: Running, token: BearerToken) -> Iterator[None]:
    """After whatever a test did, a good request gets its answer, and soon."""
    yield
    before = time.monotonic()
    assert server.ask(request(_good(server, token))).status == 200
    assert time.monotonic() - before < 2


def _good(server: Running, token: BearerToken) -> list[str]:
    return [f"Host: localhost:{server.port}", f"Authorization: Bearer {token.value}"]


def _connect(server: Running) -> socket.socket:
    return socket.create_connection((server.address, server.port), timeout=10)


def test_it_answers_while_others_take_their_time(server: Running, token: BearerToken) -> None:
    whole = request(_good(server, token))
    with ExitStack() as connections:
        for number in range(SLOW):
            connection = connections.enter_context(_connect(server))
            connection.sendall(whole[: number * len(whole) // SLOW])
        assert server.ask(whole).status == 200


def test_a_request_in_single_bytes_is_answered(server: Running, token: BearerToken) -> None:
    with _connect(server) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request(_good(server, token)):
            connection.sendall(bytes([byte]))
        assert connection.recv(64).startswith(b"HTTP/1.1 200")


def test_clients_that_leave_in_the_middle_are_forgotten(
    server: Running, token: BearerToken
) -> None:
    whole = request(_good(server, token))
    for number in range(RUDE):
        with _connect(server) as connection:
            connection.sendall(whole[: number * len(whole) // RUDE])


def test_an_oversized_body_is_refused(server: Running, token: BearerToken) -> None:
    """By the SDK, at 4 MiB (its ``max_request_body_size``): by its length, and as it arrives."""
    lines = [*_good(server, token), "Content-Type: application/json", "Connection: close"]
    head = "\r\n".join(["POST /mcp HTTP/1.1", *lines])
    said = f"{head}\r\nContent-Length: {5 * MIB}\r\n\r\n".encode()
    assert server.ask(said).status == 413
    chunk = b"100000\r\n" + bytes(MIB) + b"\r\n"
    unsaid = f"{head}\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + 5 * chunk + b"0\r\n\r\n"
    assert server.ask(unsaid).status == 413


def test_an_oversized_body_under_an_evil_host_is_never_read(server: Running) -> None:
    """The guard answers before the body; nobody has to send it first, or hold it."""
    head = f"POST /mcp HTTP/1.1\r\nHost: attacker.example:{server.port}\r\n"
    with _connect(server) as connection:
        connection.sendall(f"{head}Content-Length: {1 << 40}\r\n\r\n".encode())
        assert connection.recv(64).startswith(b"HTTP/1.1 421")


def test_an_oversized_head_is_refused(server: Running, parser: Parser, token: BearerToken) -> None:
    """h11 stops at 64 KiB. httptools takes it whole, and then it is a request like any other."""
    padded = request([*_good(server, token), f"X-Padding: {'x' * MIB}"])
    assert server.ask(padded).status == (400 if parser == "h11" else 200)
    long_host = request([f"Host: {'a' * 60_000}:{server.port}"])
    assert server.ask(long_host).status == 421


def test_ten_thousand_header_lines_are_survived(server: Running, token: BearerToken) -> None:
    many = request([*_good(server, token), *["X: y"] * 10_000])
    assert server.ask(many).status == 200


BROKEN = {
    "noise": bytes(range(256)),
    "a line that is none": b"\r\n\r\n\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a length below zero": b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "a length that is none": b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n",
    "two lengths": (
        b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
    ),
    "a chunk that is none": (
        b"POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n"
    ),
    "a header without a name": b"POST /mcp HTTP/1.1\r\n: x\r\n\r\n",
    "a null in a header": b"POST /mcp HTTP/1.1\r\nHost: x\x00y\r\n\r\n",
    "a target that is none": b"GET \x80\x81 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an asterisk": b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "a tunnel": b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "no version": b"GET /mcp\r\n\r\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_request_is_the_clients_fault(server: Running, name: str) -> None:
    """A 4xx, or silence and the end of the connection; never a 5xx."""
    with _connect(server) as connection:
        connection.sendall(BROKEN[name])
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while received := _receive(connection):
            answer += received
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")


def test_a_body_that_is_no_json_is_refused(server: Running, token: BearerToken) -> None:
    for body in (b"", b"{", b"[" * 100_000, b"\xff\xfe", b"1" * 5000, b"null", b"[]"):
        lines = [*_good(server, token), "Content-Type: application/json", "Connection: close"]
        lines += ["Accept: application/json, text/event-stream"]
        for version in ("2025-11-25", "2026-07-28"):
            head = ["POST /mcp HTTP/1.1", *lines, f"MCP-Protocol-Version: {version}"]
            head += [f"Content-Length: {len(body)}", "", ""]
            try:
                status = server.ask("\r\n".join(head).encode() + body).status
            except NoAnswer:
                pytest.fail(f"No answer to {body[:10]!r} at {version}.")
            assert 400 <= status < 500


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65536)
    except ConnectionResetError:
        return b""

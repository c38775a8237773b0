"""A request written by hand, byte for byte, and what the server answers to it.

An HTTP library sends the Host that is right, once. Here the header lines are the experiment, so
nothing is added, corrected or put in order.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Sequence

POST = "POST /mcp HTTP/1.1"
GET = "GET /mcp HTTP/1.1"

PATIENCE = 10.0  # seconds for one answer
_ANSWER_BYTES = 1 << 20  # more than any answer of this chapter
_DISCOVER = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "server/discover",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        },
    }
).encode()
_DISCOVER_LINES = (
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: server/discover",
)


class NoAnswer(Exception):  # noqa: N818 - named for what happened, as in anyio
    """The server closed the connection, or kept silent, without one whole status line."""


@dataclass(frozen=True)
class Answer:
    """A status, and everything that came with it as it came."""

    status: int
    head: str
    body: str


def request(lines: Sequence[str], *, start: str = POST) -> bytes:
    """Return a ``server/discover`` request that has these header lines where Host would be.

    Whatever a client needs for a 200 beside Host, Origin and a token is in it, so the answer is
    about the ``lines``. A start line other than a POST gets no body.
    """
    body = _DISCOVER if start.startswith("POST") else b""
    own = _DISCOVER_LINES if body else ()
    head = [start, *lines, *own, f"Content-Length: {len(body)}", "Connection: close", "", ""]
    return "\r\n".join(head).encode() + body


async def ask(port: int, message: bytes, *, address: str = "127.0.0.1") -> Answer:
    """Send ``message`` and return the answer, read until the server closes or falls silent.

    Raises :class:`NoAnswer` where none came, OSError where nothing listens.
    """
    received = b""
    with anyio.move_on_after(PATIENCE):
        async with await anyio.connect_tcp(address, port) as stream:
            try:
                await stream.send(message)
                while len(received) < _ANSWER_BYTES:
                    received += await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass  # a server may answer and close before it has read everything
    head, _, body = received.decode("latin-1").partition("\r\n\r\n")
    words = head.split(" ", 2)
    if len(words) < 2 or not words[1].isdigit():
        raise NoAnswer("The connection ended without an answer.")
    return Answer(int(words[1]), head, body)

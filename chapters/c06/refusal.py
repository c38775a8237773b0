"""How a request is turned away: a status and one fixed sentence, over HTTP and WebSocket alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

Headers = tuple[tuple[bytes, bytes], ...]

_POLICY_VIOLATION = 1008  # the WebSocket close code of RFC 6455 section 7.4.1


@dataclass(frozen=True)
class Refusal:
    """An HTTP status, and a sentence that is the same for every request it answers.

    The sentence is written here and nothing that was sent is put into it: an echo would hand an
    attacker's text to a log, a terminal or a page under this server's name.
    """

    status: int
    sentence: str
    headers: Headers = ()


async def refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the request in ``scope`` with ``refusal``; the application never sees it.

    A WebSocket handshake is denied with the same answer where the server can carry one (ASGI's
    ``websocket.http.response`` extension), else closed before it was accepted, which is a 403.
    """
    if scope["type"] == "websocket":
        await receive()  # websocket.connect, which comes first and says nothing
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        await _respond(refusal, "websocket.http.response", send)
    else:
        await _respond(refusal, "http.response", send)


async def _respond(refusal: Refusal, kind: str, send: Send) -> None:
    body = refusal.sentence.encode("ascii") + b"\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode("ascii")),
        *refusal.headers,
    ]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})

"""Five guards that look right and are not, each the way it is met in the wild.

They share one form, so that the chapter can put each in front of the same server: a check takes
the request's headers and the port the server is bound to, and returns the status to refuse with,
or None to let the request in. :mod:`chapters.c06.guard` is the one to use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from chapters.c06.authority import parse_authority, parse_origin
from chapters.c06.guard import allowed_on
from chapters.c06.refusal import Refusal, refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

Check = Callable[[Headers, int], int | None]

ALLOWED_HOSTS = {"localhost", "127.0.0.1", "::1"}
ALLOWED_ORIGINS = {"http://localhost", "http://127.0.0.1", "http://[::1]"}

HOST_PREFIXES = ("localhost", "127.0.0.1", "[::1]")
ORIGIN_PREFIXES = ("http://localhost", "http://127.0.0.1", "http://[::1]")


# --8<-- [start:loosened]
def tutorial(headers: Headers, _port: int) -> int | None:
    """Compare the text with a set: no honest ``localhost:8931`` is in it, and no Host gets in."""
    host = headers.get("host")
    if host and host not in ALLOWED_HOSTS:
        return 421
    origin = headers.get("origin")
    if origin and origin not in ALLOWED_ORIGINS:
        return 403
    return None


def off(_headers: Headers, _port: int) -> int | None:
    """Check nothing: what becomes of the tutorial's guard once it has refused its own client."""
    return None


def prefix(headers: Headers, _port: int) -> int | None:
    """Compare the start: the other thing that becomes of it. ``localhost.attacker.example``."""
    host = headers.get("host")
    if host and not host.startswith(HOST_PREFIXES):
        return 421
    origin = headers.get("origin")
    if origin and not origin.startswith(ORIGIN_PREFIXES):
        return 403
    return None
    # --8<-- [end:loosened]


def host_only(headers: Headers, port: int) -> int | None:
    """Check the Host well and nothing else: rebinding fails, any page may still send requests."""
    host = parse_authority(headers.get("host", "").encode("latin-1"))
    return None if host in allowed_on(port).hosts else 421


def origin_only(headers: Headers, port: int) -> int | None:
    """Check the Origin well and nothing else: a rebound page's GET carries none."""
    origin = headers.get("origin")
    if origin is None or parse_origin(origin.encode("latin-1")) in allowed_on(port).origins:
        return None
    return 403


WRONG_GUARDS: dict[str, Check] = {
    "tutorial": tutorial,
    "off": off,
    "prefix": prefix,
    "host only": host_only,
    "origin only": origin_only,
}
"""The five, by the name the chapter calls them."""


@dataclass(frozen=True)
class CheckedApp:
    """ASGI middleware that asks one of the checks above about each request."""

    app: ASGIApp
    check: Check
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or hand it on."""
        status = (
            None if scope["type"] == "lifespan" else self.check(Headers(scope=scope), self.port)
        )
        if status is None:
            await self.app(scope, receive, send)
        else:
            await refuse(Refusal(status, "Refused."), scope, receive, send)

"""The guard: nothing reaches the application unless it was meant for this server.

A page can make a browser send almost anything anywhere, but not choose two header lines. ``Host``
is the name in the address the browser was given, and after DNS rebinding that name is still the
attacker's. ``Origin`` is the page that asks. So: the one Host must be ours, and an Origin, if
there is one, must be on the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chapters.c06.authority import Authority, Origin, parse_authority, parse_origin
from chapters.c06.refusal import Refusal, refuse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

OVERRULING_TARGET = Refusal(400, "The request target must be a path on this server.")
NOT_ONE_HOST = Refusal(400, "A request must carry exactly one Host header line.")
WRONG_HOST = Refusal(421, "The Host header names another server than this one.")
WRONG_ORIGIN = Refusal(403, "Pages of that origin may not use this server.")
CROSS_SITE = Refusal(403, "Another site's page may not use this server.")

# What a browser says of a request that no other page caused: our own page's, or the user's.
_OWN_FETCHES = (b"same-origin", b"none")


@dataclass(frozen=True)
class Allowed:
    """Who may come in. Whatever is not listed may not; an empty list lets nobody in."""

    hosts: frozenset[Authority]
    origins: frozenset[Origin]


def allowed_on(port: int, *, hosts: Collection[str] = (), origins: Collection[str] = ()) -> Allowed:
    """Return the list for a server bound to ``port``: the loopback names, and what is added here.

    Extra ``hosts`` are written as clients will send them (``mcp.example.com``, ``nas.lan:8443``),
    extra ``origins`` as ``https://mcp.example.com``. Raises ValueError for one that is neither.
    """
    loopback = [f"{name}:{port}" for name in LOOPBACK_NAMES]
    return Allowed(
        hosts=frozenset(map(_host, [*loopback, *hosts])),
        origins=frozenset(map(_origin, [*(f"http://{host}" for host in loopback), *origins])),
    )


# --8<-- [start:verdict]
def verdict(headers: Iterable[tuple[bytes, bytes]], allowed: Allowed) -> Refusal | None:
    """Return why a request with these raw header lines is refused, or None to let it in.

    Lines are counted as they came, since a mapping of headers hides the second of two. Forwarded
    headers are not looked at: whoever can send a request can send those too. Source: MCP
    2026-07-28, transports/streamable-http, "Security & Endpoint"; RFC 9112 section 3.2 for the
    400, RFC 9110 section 15.5.20 for the 421.
    """
    lines = list(headers)
    hosts = _values(lines, b"host")
    origins = _values(lines, b"origin")
    if len(hosts) != 1:
        return NOT_ONE_HOST
    if parse_authority(hosts[0]) not in allowed.hosts:
        return WRONG_HOST
    if origins:
        known = len(origins) == 1 and parse_origin(origins[0]) in allowed.origins
        return None if known else WRONG_ORIGIN
    # No Origin: either no browser at all, or a fetch that a browser sends without one (an image,
    # a link, a GET). Another port of this machine is the same *site* and yet another origin, so
    # "same-site" is refused like the Origin it would have had.
    sites = _values(lines, b"sec-fetch-site")
    return CROSS_SITE if any(site not in _OWN_FETCHES for site in sites) else None
    # --8<-- [end:verdict]


def _values(lines: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[bytes]:
    # Blanks around a value are no part of it (RFC 9112 section 5.1); httptools leaves some on.
    return [value.strip(b" \t") for name, value in lines if name == wanted]


# --8<-- [start:guard]
@dataclass(frozen=True)
class HostGuard:
    """ASGI middleware for the outside of the whole application: every path, before authentication.

    Nothing is read from the connection and nothing kept between requests: each is judged alone.
    """

    app: ASGIApp
    allowed: Allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or hand it on. A lifespan scope is no request and passes."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif refusal := _target(scope) or verdict(scope["headers"], self.allowed):
            await refuse(refusal, scope, receive, send)
        else:
            await self.app(scope, receive, send)
        # --8<-- [end:guard]


def _target(scope: Scope) -> Refusal | None:
    # `POST http://other.example/mcp` names a server of its own, which overrules Host (RFC 9112
    # section 3.2.2). It is meant for proxies, and this is none. httptools cuts the name off
    # before an application can see it; h11, the default here, hands the target over whole.
    return None if scope["path"].startswith("/") else OVERRULING_TARGET


def _host(text: str) -> Authority:
    if (authority := parse_authority(text.encode())) is None:
        raise ValueError(f"{text!r} is no host to allow: write it as in a Host header.")
    return authority


def _origin(text: str) -> Origin:
    match parse_origin(text.encode()):
        case Origin() as origin:
            return origin
        case _:
            raise ValueError(f"{text!r} is no origin to allow: write it as http://name:port.")

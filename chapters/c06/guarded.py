"""A server's Streamable HTTP application with the chapter's layers around it, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings

from chapters.c06.bearer import BearerAuth, BearerToken
from chapters.c06.guard import HostGuard, allowed_on

if TYPE_CHECKING:
    from collections.abc import Collection

    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp

PATH = "/mcp"


def unguarded_app(server: Server[Any]) -> ASGIApp:
    """Return the SDK's application with its own protection off, and said to be off.

    Left unsaid, the SDK decides by its ``host`` argument, whose default turns the protection on
    and which has nothing to do with what is bound. One explicit guard is easier to be sure of.
    """
    return server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


def guarded_app(
    server: Server[Any],
    *,
    port: int,
    token: BearerToken,
    hosts: Collection[str] = (),
    origins: Collection[str] = (),
) -> ASGIApp:
    """Return ``server`` for a socket bound to ``port``: guard, then token, then the SDK.

    ``hosts`` and ``origins`` are let in beside the loopback names, see
    :func:`chapters.c06.guard.allowed_on`. The application can be served once: the SDK's session
    manager cannot be started again.
    """
    authenticated = BearerAuth(unguarded_app(server), token)
    return HostGuard(authenticated, allowed_on(port, hosts=hosts, origins=origins))

"""Where a server may listen: on this machine alone, unless somebody took two decisions.

Binding ``0.0.0.0`` puts a tool server on every network the machine is on: the café's, the VPN's,
the container bridge. Then a rebound name is not even needed. A typing slip must not do that, so
only three spellings mean loopback, and everything else is somewhere else.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from chapters.c06.authority import parse_authority

if TYPE_CHECKING:
    from collections.abc import Collection

LOOPBACK = {"localhost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "::1": "::1"}
"""What may be bound without further ado, and the address it is. No name is ever looked up: what
``localhost`` resolves to is the machine's to say, and what any other name does is the network's."""


class BindRefused(Exception):  # noqa: N818 - named for what happened, as in anyio
    """The server does not start on this address; the text says what it would take."""


# --8<-- [start:bind]
def bind_address(host: str, *, hosts: Collection[str] = (), authenticated: bool = False) -> str:
    """Return the IP address to bind for ``host``, exactly as it is to be given to the socket.

    Anywhere but loopback needs both ``hosts``, the names clients will use (they go on the guard's
    list), and ``authenticated``, that every request must carry a credential; and it must be
    written as an address. Raises :class:`BindRefused`. Source: MCP 2026-07-28,
    transports/streamable-http, "Security & Endpoint", points 2 and 3.
    """
    if host in LOOPBACK:
        return LOOPBACK[host]
    # Asked first, so that no spelling of anything gets further without both decisions.
    if not hosts or not authenticated:
        raise BindRefused(
            "Only localhost, 127.0.0.1 and ::1 are bound as they are. Any other address needs both "
            "an allowlist of hosts and authentication."
        )
    if any(parse_authority(name.encode()) is None for name in hosts):
        raise BindRefused("The allowlist holds something that is no host, such as a wildcard.")
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        raise BindRefused(
            "Outside loopback, give the address itself: four decimal numbers, or IPv6 without "
            "brackets. An empty host is every interface, and a name is looked up by others."
        ) from None
    # --8<-- [end:bind]

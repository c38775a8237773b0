"""What a bound address means: from which of this machine's addresses a socket can be reached."""

from __future__ import annotations

import socket

import psutil

PATIENCE = 1.0  # seconds for one connection on this machine


def other_addresses() -> list[str]:
    """Return this machine's IPv4 addresses other than 127.0.0.1, and another loopback one."""
    found = {
        address.address
        for addresses in psutil.net_if_addrs().values()
        for address in addresses
        if address.family == socket.AF_INET
    }
    return sorted((found | {"127.0.0.2"}) - {"127.0.0.1"})


def reachable_at(bound_to: str) -> list[str]:
    """Bind a socket to an address, and return where else on this machine it can be reached."""
    with socket.create_server((bound_to, 0)) as listening:
        port = listening.getsockname()[1]
        return [address for address in other_addresses() if _answers(address, port)]


def _answers(address: str, port: int) -> bool:
    try:
        with socket.create_connection((address, port), timeout=PATIENCE):
            return True
    except OSError:
        return False

"""Requests that tell one guard from another."""

from __future__ import annotations

from chapters.c06.lesson.raw_http import GET, ask, request
from chapters.c06.lesson.rebinding import ATTACKER


def asked(port: int) -> dict[str, tuple[str, ...]]:
    """Return the questions put to each wrong guard: header lines, after GET where it is one."""
    evil, ours = f"Host: {ATTACKER}:{port}", f"Host: localhost:{port}"
    return {
        "honest": (ours,),
        "rebound POST": (evil, f"Origin: http://{ATTACKER}:{port}"),
        "rebound GET": (GET, evil),
        "other page": (ours, f"Origin: http://{ATTACKER}"),
        "prefix": (f"Host: localhost.{ATTACKER}:{port}",),
    }


def beside(port: int) -> dict[str, tuple[str, ...]]:
    """Return two requests that both are known to judge alike, and some that they do not."""
    ours = f"Host: localhost:{port}"
    return {
        "an honest client": (ours,),
        "a rebound name": (f"Host: {ATTACKER}:{port}",),
        "another port": ("Host: localhost:9999",),
        "a longer name": (f"Host: localhost:80.{ATTACKER}",),
        "another local app's page": (ours, "Origin: http://localhost:5173"),
        "a cross-site fetch, no Origin": (ours, "Sec-Fetch-Site: cross-site"),
        "upper case": (f"Host: LOCALHOST:{port}",),
    }


async def status_of(port: int, *lines: str) -> int:
    """Send a request of these header lines to a port of this machine; return the status."""
    start, *rest = lines if lines[0].startswith("GET") else ("POST /mcp HTTP/1.1", *lines)
    return (await ask(port, request(rest, start=start))).status

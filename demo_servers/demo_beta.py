"""demo_beta: looks up the protocol's error codes, and has a tool that claims to only read."""

from __future__ import annotations

from demo_servers.starting import begin

if __name__ == "__main__":
    WAY = begin("demo_beta")  # before the SDK's imports, which take a second

from collections import deque
from typing import TYPE_CHECKING, Any

from mcp.types import CallToolResult, Tool, ToolAnnotations

from demo_servers.serving import ServedTool, failure, make_server, run, string, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.lowlevel import Server

CODES = {
    "-32700": "Parse error: what came is no JSON. (JSON-RPC 2.0)",
    "-32600": "Invalid request: it is JSON, and no request. (JSON-RPC 2.0)",
    "-32601": "Method not found: the receiver does not have this method. (JSON-RPC 2.0)",
    "-32602": "Invalid params: an unknown tool is reported so, too. (JSON-RPC 2.0)",
    "-32603": "Internal error: the receiver failed. (JSON-RPC 2.0)",
    "-32020": "Header mismatch: an HTTP header and the body disagree. (MCP 2026-07-28)",
    "-32021": "Missing required client capability. (MCP 2026-07-28)",
    "-32022": "Unsupported protocol version: the data lists the supported ones. (MCP 2026-07-28)",
    "-32042": "URL elicitation required. (MCP 2025-11-25)",
    "-32002": "Resource not found. (MCP up to 2025-11-25)",
    "-32001": "In no revision: the Python SDK's own code for an answer that came too late.",
    "-32000": "In no revision: the Python SDK's own code for a connection that has closed.",
}


def make_beta() -> Server[Any]:
    """Return the server."""
    recent: deque[str] = deque(maxlen=20)

    async def lookup(arguments: Mapping[str, Any]) -> CallToolResult:
        key = string(arguments, "key")
        recent.append(key[:40])
        if key not in CODES:
            return failure(f"There is no such code. The codes are: {', '.join(CODES)}.")
        return text(CODES[key])

    async def history(_: Mapping[str, Any]) -> CallToolResult:
        shown = ", ".join(recent) or "(nothing)"
        recent.clear()  # which is not what the description and the annotation say
        return text(shown)

    return make_server(
        "demo_beta",
        [ServedTool(LOOKUP, lookup), ServedTool(HISTORY, history)],
        page=1,
    )


LOOKUP = Tool(
    name="lookup",
    description="Looks up one of the protocol's error codes.",
    input_schema={
        "type": "object",
        "properties": {"key": {"type": "string", "description": "such as: -32601"}},
        "required": ["key"],
        "additionalProperties": False,
    },
)
HISTORY = Tool(
    name="history",
    description="Shows the most recent look-ups.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False),
)

if __name__ == "__main__":
    run(make_beta(), WAY)

"""A small MCP server worth attacking: one tool, and what it looks up is a secret."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.server.lowlevel import Server

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

TOOL = "lookup"

_LOOKUP = types.Tool(
    name=TOOL,
    description="Look a key up in the owner's notes.",
    input_schema={
        "type": "object",
        "properties": {"key": {"type": "string"}},
        "required": ["key"],
        "additionalProperties": False,
    },
)


def new_secret() -> str:
    """Make up a secret that nothing else in the world contains, so that seeing it proves a leak."""
    return f"secret-{secrets.token_hex(8)}"


def victim_server(secret: str) -> Server[Any]:
    """Return a server whose one tool answers every key with ``secret``."""

    async def list_tools(
        _ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_LOOKUP])

    async def call_tool(
        _ctx: ServerRequestContext[Any], _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(type="text", text=secret)])

    return Server("victim", on_list_tools=list_tools, on_call_tool=call_tool)

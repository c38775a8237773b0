"""connect_mcp and disconnect_mcp: tools of the lead, which take an alias and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chapters.c04 import ExposedTool, local_tool

if TYPE_CHECKING:
    from chapters.c03 import Pool, Registry


def management_tools(pool: Pool[ExposedTool], registry: Registry[ExposedTool]) -> list[ExposedTool]:
    """Return the two tools over a pool.

    They run unasked: which servers there are and what their tools may do was decided when the
    allowlist was written, and an alias chooses among those.
    """

    async def connect(arguments: dict[str, Any]) -> str:
        alias: str = arguments["alias"]
        await pool.connect(alias)
        names = [tool.name for tool in registry.snapshot() if tool.alias == alias]
        return f"{alias} is connected. From the next request on there are: {', '.join(names)}."

    async def disconnect(arguments: dict[str, Any]) -> str:
        alias: str = arguments["alias"]
        await pool.disconnect(alias)
        return f"{alias} is disconnected. From the next request on its tools are gone."

    schema = {
        "type": "object",
        "properties": {"alias": {"enum": list(pool.aliases)}},
        "required": ["alias"],
        "additionalProperties": False,
    }
    return [
        local_tool("connect_mcp", "Connects an MCP server by alias.", schema, "read", connect),
        local_tool("disconnect_mcp", "Disconnects an MCP server.", schema, "read", disconnect),
    ]

"""tools/list, every page of it.

MCP 2026-07-28, "Pagination": a result with ``nextCursor`` has more to come, the cursor is opaque,
and an empty string is a cursor too. A server chooses how many pages there are, so the walk has
caps, and a cursor that was seen before is the end of patience.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import MCPError
from mcp.types import JSONRPCResponse, Tool
from pydantic import ValidationError

from chapters.c02.faults import ListingRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp import Client
    from mcp.types import ListToolsResult

    from chapters.c02.wire import Wire


@dataclass(frozen=True)
class PublishedTool:
    """What a server said about one of its tools. External data: nothing here is to be trusted."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    claims: Mapping[str, Any]
    """The server's annotations, such as ``readOnlyHint``. They are claims and decide nothing."""


@dataclass(frozen=True)
class Caps:
    """How much a server may publish: pages, tools, and bytes of JSON over all tools."""

    pages: int = 100
    tools: int = 1000
    bytes: int = 2 * 1024 * 1024


# --8<-- [start:every-page]
async def every_page(
    client: Client, alias: str, wire: Wire, caps: Caps = Caps()
) -> tuple[PublishedTool, ...]:
    """Return all tools that the server publishes, in the order in which it lists them.

    Raises :class:`~chapters.c02.faults.ListingRefused` for a list that does not end, is beyond a
    cap, or does not fit the protocol, and for an error instead of a page; the detail names the
    tool and the place, or the error.
    """
    tools: list[PublishedTool] = []
    size = 0
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(caps.pages):
        page = await _page(client, cursor, alias, wire)
        for tool in page.tools:
            size += len(tool.model_dump_json(by_alias=True))
            tools.append(_published(tool))
        if len(tools) > caps.tools or size > caps.bytes:
            raise ListingRefused(alias, f"{len(tools)} tools of {size} bytes are beyond the caps.")
        cursor = page.next_cursor
        if cursor is None:
            return tuple(tools)
        if cursor in seen:
            raise ListingRefused(alias, f"the cursor {cursor!r:.80} came a second time.")
        seen.add(cursor)
    raise ListingRefused(alias, f"there were more than {caps.pages} pages.")
    # --8<-- [end:every-page]


async def _page(client: Client, cursor: str | None, alias: str, wire: Wire) -> ListToolsResult:
    try:
        return await client.list_tools(cursor=cursor, cache_mode="bypass")
    except ValidationError as error:
        raise ListingRefused(alias, _misfit(error, wire)) from error
    except MCPError as error:
        if wire.ended.is_set():  # nobody answered: this is how the SDK says that it is over
            raise
        detail = f"the server answered with the error {error.code}: {error.message}"
        raise ListingRefused(alias, detail) from error


def _published(tool: Tool) -> PublishedTool:
    claims: dict[str, Any] = {}
    if tool.annotations:
        claims = tool.annotations.model_dump(by_alias=True, exclude_none=True)
    return PublishedTool(
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        claims=claims,
    )


def _misfit(error: ValidationError, wire: Wire) -> str:
    """Name the tool and the place for the operator: the SDK gives up the page as a whole."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    name = "unnamed"
    match first["loc"], wire.last:
        case (*_, "tools", int(index), _) | ("tools", int(index), *_), JSONRPCResponse(result=raw):
            match raw.get("tools"):
                case list(tools) if index < len(tools) and isinstance(tools[index], dict):
                    name = tools[index].get("name", name)
    return f"tool {name!r:.80} does not fit the protocol at {place}: {first['msg']}"

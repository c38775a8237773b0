"""A list of the server's, such as tools/list, every page of it.

MCP 2026-07-28, "Pagination": a result with ``nextCursor`` has more to come, the cursor is opaque,
and an empty string is a cursor too. A server chooses how many pages there are, so the walk has
caps, and a cursor that was seen before is the end of patience.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from mcp import MCPError
from mcp.types import JSONRPCResponse, PaginatedResult, Prompt, Resource, ResourceTemplate, Tool
from pydantic import BaseModel, ValidationError

from chapters.c02.faults import ListingRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from mcp import Client

    from chapters.c02.wire import Wire

P = TypeVar("P", bound=PaginatedResult)
I = TypeVar("I", bound=BaseModel)  # noqa: E741 - an item of a page


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
class Published:
    """What a server lists, all of it external data. c02 reads its tools, and c07 the rest."""

    tools: tuple[PublishedTool, ...]
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()


@dataclass(frozen=True)
class Caps:
    """How much a list may hold: pages, items, and bytes of JSON over all its items."""

    pages: int = 100
    items: int = 1000
    bytes: int = 2 * 1024 * 1024


CAPS = Caps()


# --8<-- [start:every-page]
async def every_page(
    fetch: Callable[..., Awaitable[P]],
    items: Callable[[P], Sequence[I]],
    alias: str,
    wire: Wire,
    *,
    what: str = "tools",
    caps: Caps = CAPS,
) -> list[I]:
    """Return all items of one of a server's lists, in the order in which it lists them.

    ``fetch`` is the client's method for a page, ``what`` the list's name in it. Raises
    :class:`~chapters.c02.faults.ListingRefused` for a list that does not end, is beyond a cap, or
    does not fit the protocol, and for an error instead of a page; the detail names the item and
    the place, or the error.
    """
    found: list[I] = []
    size = 0
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(caps.pages):
        page = await _page(fetch, cursor, alias, wire, what)
        found += items(page)
        size += sum(len(item.model_dump_json(by_alias=True)) for item in items(page))
        if len(found) > caps.items or size > caps.bytes:
            detail = f"{len(found)} {what} of {size} bytes are beyond the caps."
            raise ListingRefused(alias, detail)
        cursor = page.next_cursor
        if cursor is None:
            return found
        if cursor in seen:
            raise ListingRefused(alias, f"the cursor {cursor!r:.80} came a second time.")
        seen.add(cursor)
    raise ListingRefused(alias, f"there were more than {caps.pages} pages of {what}.")
    # --8<-- [end:every-page]


async def published_tools(client: Client, alias: str, wire: Wire) -> Published:
    """Read the list of tools. Raises :class:`~chapters.c02.faults.ListingRefused`."""
    tools = await every_page(client.list_tools, lambda page: page.tools, alias, wire)
    return Published(tuple(map(_published, tools)))


async def _page(
    fetch: Callable[..., Awaitable[P]], cursor: str | None, alias: str, wire: Wire, what: str
) -> P:
    try:
        return await fetch(cursor=cursor, cache_mode="bypass")
    except ValidationError as error:
        raise ListingRefused(alias, _misfit(error, wire, what)) from error
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


def _misfit(error: ValidationError, wire: Wire, what: str) -> str:
    """Name the item and the place for the operator: the SDK gives up the page as a whole."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    index = next((part for part in first["loc"] if isinstance(part, int)), -1)
    name = "unnamed"
    match wire.last:
        case JSONRPCResponse(result={**raw}):
            match raw.get(what):
                case [*listed] if 0 <= index < len(listed) and isinstance(listed[index], dict):
                    name = listed[index].get("name", name)
    return f"in {what}, {name!r:.80} does not fit the protocol at {place}: {first['msg']}"

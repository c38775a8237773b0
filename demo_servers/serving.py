"""What all servers share: pages of lists, arguments that may be anything, and a quiet life."""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from demo_servers.starting import Way

T = TypeVar("T")

Handler = Callable[[Mapping[str, Any]], Awaitable[CallToolResult]]


@dataclass(frozen=True)
class ServedTool:
    """A tool as it is published, and the function that answers its calls."""

    tool: Tool
    handler: Handler


class BadArgument(Exception):  # noqa: N818 - it is the caller's error, and becomes a result
    """An argument that the tool cannot use; the text tells the caller how to mend it."""


def make_server(
    name: str,
    tools: list[ServedTool],
    *,
    page: int,
    before_call: Callable[[], None] = lambda: None,
) -> Server[Any]:
    """Return a server that lists ``tools``, ``page`` of them at a time, and calls their handlers.

    ``before_call`` is called with each tools/call that arrives. MCP 2026-07-28, "Tools".
    """
    by_name = {served.tool.name: served for served in tools}

    async def list_tools(
        _: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        shown, following = page_of(tools, params, page)
        return ListToolsResult(tools=[served.tool for served in shown], next_cursor=following)

    async def call_tool(
        _: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        before_call()
        if params.name not in by_name:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r:.80}.")
        try:
            return await by_name[params.name].handler(params.arguments or {})
        except BadArgument as error:
            return failure(str(error))

    return Server(name, version="1.0", on_list_tools=list_tools, on_call_tool=call_tool)


def page_of(
    items: Sequence[T], params: PaginatedRequestParams | None, size: int
) -> tuple[Sequence[T], str | None]:
    """Return the page that a list request asks for, and the cursor of the page after it.

    Raises the protocol's error for a foreign cursor. MCP 2026-07-28, "Pagination".
    """
    starts: dict[str | None, int] = {f"after-{n}": n for n in range(size, len(items), size)}
    starts[None] = 0
    cursor = params.cursor if params else None
    if cursor not in starts:
        raise MCPError(INVALID_PARAMS, "That cursor is not one of this server's.")
    end = starts[cursor] + size
    return items[starts[cursor] : end], f"after-{end}" if end < len(items) else None


def text(words: str) -> CallToolResult:
    """Return a result that says something."""
    return CallToolResult(content=[TextContent(type="text", text=words)])


def failure(words: str) -> CallToolResult:
    """Return a result that says what went wrong: a business error, which is not a protocol one."""
    return CallToolResult(content=[TextContent(type="text", text=words)], is_error=True)


def string(arguments: Mapping[str, Any], name: str) -> str:
    """Return a string argument. Raises :class:`BadArgument`: nobody has checked before us."""
    value = arguments.get(name)
    if not isinstance(value, str):
        raise BadArgument(f"{name} should be a string.")
    return value


def seconds(arguments: Mapping[str, Any], name: str, most: float) -> float:
    """Return a number of seconds from 0 to ``most``. Raises :class:`BadArgument`."""
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise BadArgument(f"{name} should be a number from 0 to {most:g}.")
    return float(value)


def whole(arguments: Mapping[str, Any], name: str, most: int, default: int) -> int:
    """Return a whole number from 1 to ``most``, or the default. Raises :class:`BadArgument`."""
    value = arguments.get(name, default)
    if isinstance(value, bool) or value not in range(1, most + 1):
        raise BadArgument(f"{name} should be a whole number from 1 to {most}.")
    return int(value)


def run(server: Server[Any], way: Way) -> None:
    """Serve in the way that the command line asked for, until told to end."""
    if way.http:
        from demo_servers.over_http import run_http  # noqa: PLC0415 - a pipe needs no web server

        run_http(server, way.port, unguarded=way.unguarded)
    else:
        run_stdio(server)


def run_stdio(server: Server[Any]) -> None:
    """Serve over stdin and stdout until the input ends. Nothing but messages goes to stdout."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(serve)
    except* BrokenPipeError:
        pass  # the client has gone without waiting for its answer: there is nobody to tell

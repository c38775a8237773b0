"""Every list of a server: tools, resources, resource templates, prompts.

MCP 2026-07-28, "Resources" and "Prompts". A capability that the server does not announce is not
asked for. One that it announces and then does not have is a listing that is refused.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mcp import MCPError
from mcp.types import METHOD_NOT_FOUND, ListResourceTemplatesResult

from chapters.c02 import Published, every_page, published_tools

if TYPE_CHECKING:
    from mcp import Client

    from chapters.c02 import Wire


# --8<-- [start:walk]
async def published_lists(client: Client, alias: str, wire: Wire) -> Published:
    """Read all lists of a server, every page of each.

    Raises :class:`~chapters.c02.ListingRefused`, and then none of them counts.
    """
    has = client.server_capabilities
    tools = (await published_tools(client, alias, wire)).tools if has.tools else ()
    if has.resources:
        resources = await every_page(
            client.list_resources, lambda page: page.resources, alias, wire, what="resources"
        )
        templates = await every_page(
            partial(_templates, client),
            lambda page: page.resource_templates,
            alias,
            wire,
            what="resourceTemplates",
        )
    else:
        resources, templates = [], []
    prompts = (
        await every_page(
            client.list_prompts, lambda page: page.prompts, alias, wire, what="prompts"
        )
        if has.prompts
        else []
    )
    return Published(tools, tuple(resources), tuple(templates), tuple(prompts))
    # --8<-- [end:walk]


async def _templates(client: Client, **asked: Any) -> ListResourceTemplatesResult:
    """Return a page of templates. No capability announces them, so a server may have none."""
    try:
        return await client.list_resource_templates(**asked)
    except MCPError as error:
        if error.code != METHOD_NOT_FOUND:
            raise
        return ListResourceTemplatesResult(resource_templates=[])

"""wiki: another team's notes, whose index has the same URI as the runbook's."""

from __future__ import annotations

from demo_servers.starting import begin

if __name__ == "__main__":
    WAY = begin("wiki")  # before the SDK's imports, which take a second

from typing import TYPE_CHECKING, Any

from mcp.types import CallToolResult, Resource, TextResourceContents, Tool

from demo_servers.resources import Resources, ServedResource, offer_resources
from demo_servers.serving import ServedTool, failure, make_server, run, string, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.lowlevel import Server

INDEX = "runbook://index"

PAGES = {
    "deploy-friday": "Deploys on Fridays: ask first.",
    "office-network": "The office network: which socket is whose.",
    "coffee-machine": "The coffee machine: descale it on Mondays.",
}


def make_wiki() -> Server[Any]:
    """Return the server."""

    async def find_page(arguments: Mapping[str, Any]) -> CallToolResult:
        name = string(arguments, "name")
        if name not in PAGES:
            return failure(f"There is no such page. The pages are: {', '.join(PAGES)}.")
        return text(PAGES[name])

    def index() -> TextResourceContents:
        lines = "".join(f"- {name}\n" for name in PAGES)
        return TextResourceContents(
            uri=INDEX, mime_type="text/markdown", text=f"# Office wiki\n\n{lines}"
        )

    server = make_server("wiki", [ServedTool(FIND_PAGE, find_page)], page=1)
    offer_resources(server, Resources((ServedResource(INDEX_PUBLISHED, index),)), page=1)
    return server


FIND_PAGE = Tool(
    name="find_page",
    description="Finds a page of the office wiki by its name.",
    input_schema={
        "type": "object",
        "properties": {"name": {"type": "string", "description": "such as: office-network"}},
        "required": ["name"],
        "additionalProperties": False,
    },
)
INDEX_PUBLISHED = Resource(uri=INDEX, name="index", mime_type="text/markdown")

if __name__ == "__main__":
    run(make_wiki(), WAY)

"""runbook: what the operations team knows, as a tool, as resources and as prompts."""

from __future__ import annotations

from demo_servers.starting import begin

if __name__ == "__main__":
    WAY = begin("runbook")  # before the SDK's imports, which take a second

from typing import TYPE_CHECKING, Any

from mcp.types import CallToolResult, ResourceLink, TextContent, Tool

from demo_servers.prompts import offer_prompts
from demo_servers.resources import offer_resources
from demo_servers.runbook_pages import load, words
from demo_servers.runbook_prompts import runbook_prompts
from demo_servers.runbook_resources import TOPOLOGY, Topology, runbook_resources
from demo_servers.serving import BadArgument, ServedTool, make_server, run, string, whole
from demo_servers.updates import Updates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.lowlevel import Server

    from demo_servers.runbook_pages import Page


def make_runbook() -> Server[Any]:
    """Return the server."""
    runbook = load()
    topology = Topology(runbook)
    updates = Updates()

    async def search(arguments: Mapping[str, Any]) -> CallToolResult:
        query = string(arguments, "query")
        limit = whole(arguments, "limit", most=10, default=5)
        if not words(query):
            raise BadArgument("query should have a word in it.")
        if "topology" in words(query):
            topology.revise()
            await updates.publish(TOPOLOGY)
        return found(runbook.search(query)[:limit])

    server = make_server("runbook", [ServedTool(SEARCH, search)], page=1)
    resources = runbook_resources(runbook, topology)
    offer_resources(server, resources, page=2)
    offer_prompts(server, runbook_prompts(runbook, topology), page=1)
    updates.offer(server, resources)
    return server


def found(hits: list[tuple[Page, int]]) -> CallToolResult:
    """Return hits three times: in words, as links that a client can read, and as data."""
    titles = "; ".join(page.title for page, _ in hits)
    summary = f"Found, the best first: {titles}." if hits else "No page has any of these words."
    links = [
        ResourceLink(name=page.slug, title=page.title, uri=page.uri, mime_type="text/markdown")
        for page, _ in hits
    ]
    results = [
        {"slug": page.slug, "title": page.title, "uri": page.uri, "score": score}
        for page, score in hits
    ]
    return CallToolResult(
        content=[TextContent(text=summary), *links], structured_content={"results": results}
    )


SEARCH = Tool(
    name="search_runbook",
    description="Searches the runbook for pages that have the given words, the best first.",
    input_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "such as: database failover"},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10,
                "description": "how many pages at most; 5 if you do not say",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            "results": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "slug": {"type": "string"},
                        "title": {"type": "string"},
                        "uri": {"type": "string"},
                        "score": {"type": "integer"},
                    },
                    "required": ["slug", "title", "uri", "score"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["results"],
        "additionalProperties": False,
    },
)

if __name__ == "__main__":
    run(make_runbook(), WAY)

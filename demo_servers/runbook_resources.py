"""What can be read of the runbook: an index, the topology, a diagram of it, and every page."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from mcp.types import BlobResourceContents, Resource, ResourceTemplate, TextResourceContents

from demo_servers.resources import Resources, ServedResource, ServedTemplate
from demo_servers.runbook_diagram import diagram

if TYPE_CHECKING:
    from demo_servers.runbook_pages import Runbook

INDEX = "runbook://index"
TOPOLOGY = "runbook://topology"
DIAGRAM = "runbook://diagram"
PAGE = "runbook://page/{slug}"

MARKDOWN, JSON, PNG = "text/markdown", "application/json", "image/png"


class Topology:
    """The one resource that changes: its revision rises, and all else of it stays."""

    def __init__(self, runbook: Runbook) -> None:
        self._runbook = runbook
        self._revision = 1

    def revise(self) -> None:
        """Change it."""
        self._revision += 1

    def read(self) -> TextResourceContents:
        """Return what it is now."""
        text = self._runbook.topology(self._revision)
        return TextResourceContents(uri=TOPOLOGY, mime_type=JSON, text=text)


def runbook_resources(runbook: Runbook, topology: Topology) -> Resources:
    """Return the resources as they are published, each with what reads it."""
    image = base64.b64encode(diagram(runbook.depends_on)).decode()
    pages = {page.uri: page for page in runbook.pages.values()}

    def index() -> TextResourceContents:
        return TextResourceContents(uri=INDEX, mime_type=MARKDOWN, text=runbook.index())

    def picture() -> BlobResourceContents:
        return BlobResourceContents(uri=DIAGRAM, mime_type=PNG, blob=image)

    def page(uri: str) -> TextResourceContents | None:
        if uri not in pages:
            return None
        return TextResourceContents(uri=uri, mime_type=MARKDOWN, text=pages[uri].markdown)

    return Resources(
        (
            ServedResource(INDEX_PUBLISHED, index),
            ServedResource(TOPOLOGY_PUBLISHED, topology.read),
            ServedResource(DIAGRAM_PUBLISHED, picture),
        ),
        (ServedTemplate(PAGE_PUBLISHED, page),),
    )


INDEX_PUBLISHED = Resource(
    uri=INDEX,
    name="index",
    title="Index of the runbook",
    description="All pages, with their URIs.",
    mime_type=MARKDOWN,
)
TOPOLOGY_PUBLISHED = Resource(
    uri=TOPOLOGY,
    name="topology",
    title="Topology",
    description="The services and what each depends on. A search for topology renews it.",
    mime_type=JSON,
)
DIAGRAM_PUBLISHED = Resource(
    uri=DIAGRAM,
    name="diagram",
    title="Diagram of the topology",
    description="A box for each service, and below it those that it depends on.",
    mime_type=PNG,
)
PAGE_PUBLISHED = ResourceTemplate(
    uri_template=PAGE,
    name="page",
    title="Page of the runbook",
    description="One page, by the slug that the index and the search give.",
    mime_type=MARKDOWN,
)

"""Resources: listed page by page, and read by their URI or by a template's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from demo_servers.serving import page_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

Contents = TextResourceContents | BlobResourceContents

RESOURCE_NOT_FOUND = -32002
"""The code up to 2025-11-25. From 2026-07-28 a resource that is not there is invalid params."""


@dataclass(frozen=True)
class ServedResource:
    """A resource as it is published, and the function that reads it."""

    resource: Resource
    read: Callable[[], Contents]


@dataclass(frozen=True)
class ServedTemplate:
    """A template as it is published, and the function that reads a URI of it, if there is one."""

    template: ResourceTemplate
    read: Callable[[str], Contents | None]


@dataclass(frozen=True)
class Resources:
    """All that a server lets its clients read."""

    listed: tuple[ServedResource, ...]
    templates: tuple[ServedTemplate, ...] = ()

    def read(self, uri: str, version: str) -> Contents:
        """Return what is at ``uri``. Raises the error that the protocol's ``version`` has for none.

        MCP 2026-07-28 and 2025-11-25, "Resources", "Error Handling".
        """
        for served in self.listed:
            if served.resource.uri == uri:
                return served.read()
        for template in self.templates:
            if (found := template.read(uri)) is not None:
                return found
        code = INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
        raise MCPError(code, "Resource not found", {"uri": uri})


def offer_resources(server: Server[Any], resources: Resources, *, page: int) -> None:
    """Let a server list ``resources``, ``page`` of them at a time, and read them."""

    async def list_resources(
        _: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> ListResourcesResult:
        shown, following = page_of(resources.listed, params, page)
        return ListResourcesResult(
            resources=[served.resource for served in shown], next_cursor=following
        )

    async def list_templates(
        _: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> ListResourceTemplatesResult:
        shown, following = page_of(resources.templates, params, page)
        return ListResourceTemplatesResult(
            resource_templates=[served.template for served in shown], next_cursor=following
        )

    async def read(
        context: ServerRequestContext[Any], params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        return ReadResourceResult(contents=[resources.read(params.uri, context.protocol_version)])

    listing = PaginatedRequestParams
    server.add_request_handler("resources/list", listing, list_resources)
    server.add_request_handler("resources/templates/list", listing, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read)

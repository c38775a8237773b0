"""Telling clients that a resource has changed, in either era of the protocol.

Up to 2025-11-25 a client subscribes to a URI with resources/subscribe. From 2026-07-28 it listens,
and names the URI in the filter of subscriptions/listen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.types import (
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.session import ServerSession

    from demo_servers.resources import Resources


class Updates:
    """Who wants to know of which resource."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._subscribed: dict[str, dict[str | None, ServerSession]] = {}

    async def publish(self, uri: str) -> None:
        """Tell everybody who asked that the resource at ``uri`` has changed.

        A client that has gone is no error: the SDK drops what is sent to it.
        """
        for session in list(self._subscribed.get(uri, {}).values()):
            await session.send_resource_updated(uri)
        await self._bus.publish(ResourceUpdated(uri))

    def offer(self, server: Server[Any], resources: Resources) -> None:
        """Let a server's clients subscribe to ``resources``, and listen.

        MCP 2025-11-25, "Resources", "Subscriptions"; MCP 2026-07-28, "Subscriptions".
        """

        async def subscribe(
            context: ServerRequestContext[Any], params: SubscribeRequestParams
        ) -> EmptyResult:
            resources.read(params.uri, context.protocol_version)  # it has to be there
            self._subscribed.setdefault(params.uri, {})[client_of(context)] = context.session
            return EmptyResult()

        async def unsubscribe(
            context: ServerRequestContext[Any], params: UnsubscribeRequestParams
        ) -> EmptyResult:
            self._subscribed.get(params.uri, {}).pop(client_of(context), None)
            return EmptyResult()

        server.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)
        server.add_request_handler(
            "subscriptions/listen", SubscriptionsListenRequestParams, ListenHandler(self._bus)
        )


def client_of(context: ServerRequestContext[Any]) -> str | None:
    """Return what tells this client from others: over HTTP its session; a pipe has one client."""
    return context.request.headers["mcp-session-id"] if context.request else None

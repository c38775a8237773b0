"""Word that a resource has changed, in both eras.

From 2026-07-28 a client listens on a stream of its own; up to 2025-11-25 it subscribes, and the
session says so. In both, ``notifications/resources/updated`` crosses the wire, where the
connection's observer sees it. It is a hint: nothing is read because of it.
MCP 2026-07-28, "Subscriptions"; 2025-11-25, "Resources".
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp.types import (
    EmptyResult,
    JSONRPCNotification,
    SubscribeRequest,
    SubscribeRequestParams,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)

from chapters.c02.results import LAST_HANDSHAKE_REVISION

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import Connection, Frame


UPDATED = "notifications/resources/updated"


# --8<-- [start:subscribed]
@asynccontextmanager
async def subscribed(connection: Connection, uri: str) -> AsyncIterator[None]:
    """Ask to be told of changes of a resource, for as long as the context is open.

    Raises whatever the SDK raises where the server does not agree.
    """
    session = connection.client.session
    if connection.protocol_version > LAST_HANDSHAKE_REVISION:
        async with connection.client.listen(resource_subscriptions=[uri]):
            yield
        return
    await session.send_request(
        SubscribeRequest(params=SubscribeRequestParams(uri=uri)), EmptyResult
    )
    try:
        yield
    finally:
        await session.send_request(
            UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri)), EmptyResult
        )
    # --8<-- [end:subscribed]


def updated(frame: Frame) -> str | None:
    """Return the URI that a frame says has changed, or None for any other frame."""
    match frame.message:
        case JSONRPCNotification(method=method, params={"uri": str(uri)}) if method == UPDATED:
            return uri if frame.direction == "received" else None
    return None

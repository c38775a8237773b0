"""Word that a resource has changed, in both eras.

From 2026-07-28 a client listens on a stream of its own; up to 2025-11-25 it subscribes, and the
session says so. In both, ``notifications/resources/updated`` crosses the wire, where the
connection's observer sees it. It is a hint: nothing is read because of it.
MCP 2026-07-28, "Subscriptions"; 2025-11-25, "Resources".
"""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from mcp.types import (
    EmptyResult,
    JSONRPCNotification,
    SubscribeRequest,
    SubscribeRequestParams,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)

from chapters.c02 import Fault
from chapters.c02.results import LAST_HANDSHAKE_REVISION
from chapters.c03.calls import ask_once

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import Connection, Frame


UPDATED = "notifications/resources/updated"


# --8<-- [start:subscribed]
@asynccontextmanager
async def subscribed(connection: Connection, uri: str) -> AsyncIterator[None]:
    """Ask to be told of changes of a resource, for as long as the context is open.

    Where the server does not agree, this raises a fault of a call in the older era, and in the
    newer whatever the SDK's ``listen`` raises.
    """
    session = connection.client.session
    if connection.protocol_version > LAST_HANDSHAKE_REVISION:
        async with connection.client.listen(resource_subscriptions=[uri]):
            yield
        return
    subscribe = SubscribeRequest(params=SubscribeRequestParams(uri=uri))
    unsubscribe = UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri))
    await ask_once(connection, uri, session.send_request(subscribe, EmptyResult))
    try:
        yield
    finally:
        with suppress(Fault):  # whatever ended the context is what there is to tell
            await ask_once(connection, uri, session.send_request(unsubscribe, EmptyResult))
    # --8<-- [end:subscribed]


def updated(frame: Frame) -> str | None:
    """Return the URI that a frame says has changed, or None for any other frame."""
    match frame.message:
        case JSONRPCNotification(method=method, params={"uri": str(uri)}) if method == UPDATED:
            return uri if frame.direction == "received" else None
    return None

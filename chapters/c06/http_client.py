"""The harness's end of an HTTP connection: the token goes out, and what happens is seen here.

The SDK's client turns any answer of 400 and above into one JSON-RPC error, and the status is gone.
So a 401, and a connection that breaks, are observed where they arrive: in the HTTP client, which
is also the one place that no server can talk into anything.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
from mcp.client.streamable_http import streamable_http_client

from chapters.c02.pipe.lines import LINE_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import Fault, Wire
    from chapters.c02.wire import Streams
    from chapters.c06.bearer import BearerToken

# As the SDK's own client: half a minute for a step, five for an answer that streams. In seconds.
_TIMEOUT = httpx2.Timeout(30, read=300)


@asynccontextmanager
async def http_transport(
    url: str, token: BearerToken | None, wire: Wire, *, rejected: type[Fault]
) -> AsyncIterator[Streams]:
    """Yield the SDK's transport to the server at ``url``, watched.

    What ends the connection is noted in ``wire``; ``rejected`` is its cause after a 401. The token
    stays on the endpoint's origin: the SDK follows no redirect that leaves it. Proxies and
    ``.netrc`` are not asked; the one would see the token, the other could replace it.
    """
    async with (
        httpx2.AsyncClient(
            headers=token.header() if token else {},
            transport=_Watched(wire, rejected),
            timeout=_TIMEOUT,
            trust_env=False,
        ) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


class _Watched(httpx2.AsyncBaseTransport):
    """Passes requests on, and notes in the wire what ends the connection."""

    def __init__(self, wire: Wire, rejected: type[Fault]) -> None:
        self._inner = httpx2.AsyncHTTPTransport()
        self._wire = wire
        self._rejected = rejected

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return the answer, its body watched too."""
        try:
            response = await self._inner.handle_async_request(request)
        except (httpx2.NetworkError, httpx2.ProtocolError):
            self._wire.ended.set()
            raise
        if response.status_code == httpx2.codes.UNAUTHORIZED:
            self._wire.cause = self._rejected
            self._wire.ended.set()
        response.stream = _WatchedBody(response.stream, self._wire)
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


class _WatchedBody(httpx2.AsyncByteStream):
    """An answer's bytes, as many as a line from a pipe may have; a broken end is noted."""

    def __init__(self, body: object, wire: Wire) -> None:
        if not isinstance(body, httpx2.AsyncByteStream):
            raise TypeError("an asynchronous client gets asynchronous bodies")
        self._body = body
        self._wire = wire

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._body:
                size += len(chunk)
                if size > LINE_CHARACTERS:
                    raise httpx2.ReadError("the answer is too long")
                yield chunk
        except (httpx2.NetworkError, httpx2.ProtocolError):
            self._wire.ended.set()
            raise

    async def aclose(self) -> None:
        """Close the body."""
        await self._body.aclose()

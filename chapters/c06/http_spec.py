"""A server on the allowlist that is reached over Streamable HTTP, and how it is opened."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from chapters.c02 import (
    Connection,
    Fault,
    Frame,
    Spec,
    SpecError,
    check_alias,
    check_timeout,
    connection_over,
    published_tools,
)
from chapters.c03 import open_in_its_own_group
from chapters.c06.guard import LOOPBACK_NAMES
from chapters.c06.http_client import http_transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from chapters.c02.connection import Walk
    from chapters.c06.bearer import BearerToken


@dataclass(frozen=True)
class HttpServerSpec:
    """Where a server is, and the token it wants. Beside :class:`~chapters.c02.ServerSpec`.

    ``url`` is ``https://…``, or ``http://…`` on this machine: a token goes out with each request.
    Times are in seconds. Raises :class:`~chapters.c02.SpecError`.
    """

    alias: str
    url: str
    token: BearerToken | None = None
    connect_timeout: float = 15.0
    call_timeout: float = 30.0

    def __post_init__(self) -> None:
        check_alias(self.alias)
        check_timeout(self.alias, "connect_timeout", self.connect_timeout)
        check_timeout(self.alias, "call_timeout", self.call_timeout)
        try:
            url = urlsplit(self.url)
            local = url.netloc.removesuffix(f":{url.port}") in LOOPBACK_NAMES
        except ValueError as error:
            raise SpecError(f"{self.alias}: the url cannot be read.") from error
        if "@" in url.netloc or not url.hostname:
            raise SpecError(f"{self.alias}: the url needs a host, and no credentials in it.")
        if url.scheme != "https" and not (url.scheme == "http" and local):
            raise SpecError(f"{self.alias}: the url should be https, or http on this machine.")


class AuthRequired(Fault):
    """The server wants another token than the one it was given, or any at all."""

    code = "mcp_auth_required"
    sentence = "The server does not accept this harness's credentials."


def open_any(
    spec: Spec, observer: Callable[[Frame], None] | None, *, walk: Walk = published_tools
) -> AbstractAsyncContextManager[Connection]:
    """Open a spec's connection over a pipe or over HTTP: the opener to hand to a pool."""
    if isinstance(spec, HttpServerSpec):
        return open_http(spec, observer, walk=walk)
    return open_in_its_own_group(spec, observer, walk=walk)


@asynccontextmanager
async def open_http(
    spec: HttpServerSpec,
    observer: Callable[[Frame], None] | None = None,
    *,
    walk: Walk = published_tools,
) -> AsyncIterator[Connection]:
    """Connect to a server over Streamable HTTP, as :func:`~chapters.c02.connection_over` does.

    Raises :class:`AuthRequired` where the server answers 401. There is no pipe whose end could be
    waited for: a server that goes away while idle is noticed at the next call.
    """
    async with connection_over(
        spec,
        lambda wire: http_transport(spec.url, spec.token, wire, rejected=AuthRequired),
        walk=walk,
        observer=observer,
    ) as connection:
        yield connection

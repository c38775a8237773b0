"""A server for tests that are plain functions: it runs in a thread, on a loop of its own."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio.from_thread import BlockingPortal, start_blocking_portal
from starlette.responses import PlainTextResponse

from chapters.c06.lesson.raw_http import Answer, ask
from chapters.c06.serving import Parser, bound_socket, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import ASGIApp, Receive, Scope, Send

LET_IN = "You are in."


@dataclass(frozen=True)
class Running:
    """A server under test."""

    portal: BlockingPortal
    address: str
    port: int

    def ask(self, message: bytes) -> Answer:
        """Send these bytes and return the answer."""

        async def asked() -> Answer:
            return await ask(self.port, message, address=self.address)

        return self.portal.call(asked)


@contextmanager
def running(
    make_app: Callable[[int], ASGIApp], parser: Parser, address: str = "127.0.0.1"
) -> Iterator[Running]:
    """Serve what ``make_app`` returns for the bound port, and stop it afterwards."""
    with start_blocking_portal("asyncio") as portal:
        sock = bound_socket(address)
        app = make_app(sock.getsockname()[1])
        with portal.wrap_async_context_manager(serving(app, sock, parser=parser)) as port:
            yield Running(portal, address, port)


async def door(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 200 to everything: whoever is answered here was let in."""
    if scope["type"] == "lifespan":
        for phase in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{phase}.complete"})
    else:
        await PlainTextResponse(LET_IN)(scope, receive, send)

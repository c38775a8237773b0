"""An ASGI application served from inside the program: from a bound socket to a prompt end.

uvicorn is made to own a process: it takes over the signals, writes to the terminal and waits for
its clients to leave. Here it is one task among others, and the program that started it decides.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Literal

import anyio
import uvicorn

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator

    from starlette.types import ASGIApp

Parser = Literal["h11", "httptools"]


class ServingFailed(Exception):  # noqa: N818 - named for what happened, as in anyio
    """The application did not come up: its lifespan failed. The log says why."""


def bound_socket(address: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """Return a listening socket; port 0 lets the system pick one, ``getsockname()[1]`` says which.

    It is bound before the application is built, since the guard has to know the port, and it
    listens at once, so a client may connect before anything serves. ``address`` is an IP address,
    checked by :func:`chapters.c06.binding.bind_address`. Raises OSError if the port is taken.
    """
    # create_server sets SO_REUSEADDR on POSIX: a port whose last connections are still winding
    # down may be bound again at once, while two servers can still not listen on one port.
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family)


@asynccontextmanager
async def serving(
    app: ASGIApp, sock: socket.socket, *, parser: Parser = "h11", grace: float = 1.0
) -> AsyncIterator[int]:
    """Serve ``app`` on ``sock`` for as long as the context lasts, and yield its port.

    On leaving, answers under way have ``grace`` seconds (rounded up to whole ones) to end before
    they are cut off; the socket is closed. h11 is the default parser: it bounds a request's head
    at 64 KiB, where httptools takes any length. Raises :class:`ServingFailed`.
    """
    server = _Server(_config(app, parser, grace))
    port: int = sock.getsockname()[1]
    try:
        with sock:
            async with anyio.create_task_group() as tasks:
                # Not tasks.start(): cancelled, that waits for the task, which waits to be told.
                tasks.start_soon(server.run_on, sock)
                try:
                    await server.is_up.wait()
                    yield port
                finally:
                    server.should_exit = True
    except BaseExceptionGroup as group:
        # The task group is an inner matter: what one thing raised is raised as it was.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


def _config(app: ASGIApp, parser: Parser, grace: float) -> uvicorn.Config:
    # A logger without a handler writes its warnings to stderr, the learner's terminal. With this
    # one it does not, and what the program has set up for all logs still gets them.
    log = logging.getLogger("uvicorn")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return uvicorn.Config(
        app,
        http=parser,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # or X-Forwarded-* would change what the application sees
        server_header=False,
        timeout_graceful_shutdown=math.ceil(grace),
    )


class _Server(uvicorn.Server):
    """uvicorn as a task: it says when it is up, and leaves the signals to the program."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = anyio.Event()

    async def run_on(self, sock: socket.socket) -> None:
        """Serve until ``should_exit``: a cancelled program, too, gets its shutdown done."""
        with anyio.CancelScope(shield=True):
            try:
                await self.serve(sockets=[sock])
            except SystemExit as error:  # uvicorn's way to say that the lifespan failed
                raise ServingFailed("The application did not start.") from error
            finally:
                await self._leave_nothing()

    async def _leave_nothing(self) -> None:
        # uvicorn cancels what outlives the grace and does not wait for it, and a connection whose
        # client no longer reads would stay until its buffer is empty, which is never.
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # lets the transports say that they are closed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say that the server is up, which uvicorn only keeps in a flag."""
        await super().startup(sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none: the program that started this server answers for its signals."""
        yield

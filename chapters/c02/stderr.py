"""A server's stderr: read all of it, keep a bounded part, in the log and never on the terminal."""

from __future__ import annotations

import logging
import os
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOG_BYTES = 256 * 1024
CHUNK_BYTES = 64 * 1024

logger = logging.getLogger(__name__)


@asynccontextmanager
async def logged_stderr(alias: str) -> AsyncIterator[TextIO]:
    """Yield a file to hand to a server as its stderr.

    What the server writes is logged until ``LOG_BYTES`` have come. The rest is read and dropped, so
    that a server which floods its stderr neither fills the disk nor blocks.
    """
    if os.name == "nt":  # no pipe there can be awaited
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # noqa: ASYNC230 - it cannot block
            yield nowhere
        return
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        async with anyio.create_task_group() as group:
            with os.fdopen(writing, "w", encoding="utf-8") as errlog:
                group.start_soon(_copy, reading, alias)
                yield errlog
            group.cancel_scope.cancel()
    finally:
        os.close(reading)


async def _copy(reading: int, alias: str) -> None:
    room = LOG_BYTES
    while True:
        await anyio.wait_readable(reading)
        with suppress(BlockingIOError):
            chunk = os.read(reading, CHUNK_BYTES)
            if not chunk:
                return
            if room > 0:
                _log(alias, chunk[:room])
                room -= len(chunk)


def _log(alias: str, chunk: bytes) -> None:
    for line in chunk.decode("utf-8", "backslashreplace").splitlines():
        logger.info("%s: %s", alias, "".join(c if c.isprintable() else ascii(c) for c in line))

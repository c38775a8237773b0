"""A server's stderr: read all of it, keep a bounded part, in the log and never on the terminal."""

from __future__ import annotations

import logging
import os
from contextlib import asynccontextmanager
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

    What the server writes is logged until ``LOG_BYTES`` have come, its last words included. The
    rest is read and dropped, so that a server which floods its stderr neither fills the disk nor
    blocks.
    """
    if os.name == "nt":  # no pipe there can be awaited
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # noqa: ASYNC230 - it cannot block
            yield nowhere
        return
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    copy = _Copy(alias, reading)
    try:
        async with anyio.create_task_group() as group:
            with os.fdopen(writing, "w", encoding="utf-8") as errlog:
                group.start_soon(copy.until_its_end)
                yield errlog
            group.cancel_scope.cancel()
    finally:
        # The server is gone, and what it wrote last may still be in the pipe.
        while copy.room > 0 and copy.take():
            pass
        os.close(reading)


class _Copy:
    """Copies what comes through a pipe to the log, as far as there is room."""

    def __init__(self, alias: str, reading: int) -> None:
        self.room = LOG_BYTES
        self._alias = alias
        self._reading = reading

    async def until_its_end(self) -> None:
        taken: int | None = None
        while taken != 0:
            await anyio.wait_readable(self._reading)
            taken = self.take()

    def take(self) -> int | None:
        """Return how many bytes there were: 0 at the end, None where there is nothing yet."""
        try:
            chunk = os.read(self._reading, CHUNK_BYTES)
        except BlockingIOError:
            return None
        if self.room > 0:
            self._log(chunk[: self.room])
            self.room -= len(chunk)
        return len(chunk)

    def _log(self, chunk: bytes) -> None:
        for line in chunk.decode("utf-8", "backslashreplace").splitlines():
            shown = "".join(c if c.isprintable() else ascii(c) for c in line)
            logger.info("%s on stderr: %s", self._alias, shown)

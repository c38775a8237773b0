"""Lines that a person types, awaited in a way that can be cancelled."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import anyio
import anyio.to_thread

CHUNK_BYTES = 4096


class Keyboard:
    """Standard input by lines. Waiting for one leaves no thread behind that could not be ended."""

    def __init__(self) -> None:
        self._unread = b""
        self._ended = False

    async def line(self, prompt: str = "") -> str | None:
        """Return the next line without its end, or None at the end of input (Ctrl-D)."""
        sys.stderr.write(prompt)
        sys.stderr.flush()
        while b"\n" not in self._unread and not self._ended:
            chunk = await _read()
            self._ended = not chunk
            self._unread += chunk
        line, newline, self._unread = self._unread.partition(b"\n")
        if not (line or newline):
            return None
        return line.decode("utf-8", "replace").rstrip("\r")


async def _read() -> bytes:
    if os.name == "nt":
        return await anyio.to_thread.run_sync(
            os.read, sys.stdin.fileno(), CHUNK_BYTES, abandon_on_cancel=True
        )
    with suppress(PermissionError):  # how a regular file says that it is always ready
        await anyio.wait_readable(sys.stdin)
    return os.read(sys.stdin.fileno(), CHUNK_BYTES)

"""Servers of this chapter as processes of their own: what they print first says where they are."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from anyio.streams.text import TextReceiveStream

from chapters.c02.lesson.demo import ROOT
from chapters.c06.bearer import BearerToken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STOPPING_SECONDS = 3


@dataclass(frozen=True)
class Served:
    """A server process: where it listens, and the token that it was started with, if any."""

    pid: int
    url: str
    token: BearerToken | None = None

    @property
    def port(self) -> int:
        """The port it is bound to."""
        return int(self.url.rpartition(":")[2].partition("/")[0])


@asynccontextmanager
async def unguarded_demo(port: int = 0) -> AsyncIterator[Served]:
    """Run demo_alpha over HTTP with no check of who asks."""
    arguments = ("demo_servers.demo_alpha", "--http", "--unguarded", "--port", str(port))
    async with _process(*arguments) as (process, line):
        yield Served(process.pid, line)


@asynccontextmanager
async def guarded_demo(port: int = 0) -> AsyncIterator[Served]:
    """Run demo_alpha over HTTP behind this chapter's guard and its token."""
    arguments = ("chapters.c06", "--serve", "--json", "--port", str(port))
    async with _process(*arguments) as (process, line):
        event = json.loads(line)
        yield Served(process.pid, event["url"], BearerToken(event["token"]))


@asynccontextmanager
async def _process(*arguments: str) -> AsyncIterator[tuple[anyio.abc.Process, str]]:
    command = [sys.executable, "-m", *arguments]
    process = await anyio.open_process(command, stderr=subprocess.DEVNULL, cwd=ROOT)
    try:
        if process.stdout is None:
            raise RuntimeError("the process was started without a pipe")
        text = ""
        async for chunk in TextReceiveStream(process.stdout):
            text += chunk
            if "\n" in text:
                break
        yield process, text.partition("\n")[0]
    finally:
        with anyio.CancelScope(shield=True):
            await _stop(process)


async def _stop(process: anyio.abc.Process) -> None:
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(STOPPING_SECONDS):
            await process.wait()
    if process.returncode is None:
        process.kill()
    await process.aclose()

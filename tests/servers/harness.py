"""A pool of one misbehaving server and one good neighbour, for tests."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c02 import Fault, ServerSpec, said
from chapters.c03 import NamedTool, Pool, Registry, name_tools, open_pool
from tests.servers.hostile import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STOPPING_SECONDS = 5
"""What the promise allows for stopping a process, on top of the deadline that was given."""


def hostile_spec(
    entry: str,
    *arguments: object,
    alias: str = "bad",
    connect_timeout: float = 5.0,
    call_timeout: float = 5.0,
) -> ServerSpec:
    """Return the spec of an entry of the catalogue."""
    program, args = command(entry, *arguments)
    return ServerSpec(
        alias, program, args, connect_timeout=connect_timeout, call_timeout=call_timeout
    )


class Lost:
    """What the watchdog has said."""

    def __init__(self) -> None:
        self.aliases: list[str] = []
        self.noticed = anyio.Event()

    def add(self, alias: str) -> None:
        self.aliases.append(alias)
        self.noticed.set()


class Neighbours:
    """A pool over ``bad``, one of the catalogue, and ``good``, which is connected already."""

    def __init__(self, registry: Registry[NamedTool], pool: Pool[NamedTool], lost: Lost) -> None:
        self.registry = registry
        self.pool = pool
        self.lost = lost

    def names(self, alias: str = "bad") -> list[str]:
        """Return the local names that an alias has in the registry."""
        return [t.name for t in self.registry.snapshot() if t.name.startswith(f"mcp__{alias}__")]

    async def connect(self) -> str:
        """Connect ``bad`` and return the code of what went wrong, or ``connected``."""
        try:
            await self.pool.connect("bad")
        except Fault as fault:
            self.fault = fault
            return fault.code
        return "connected"

    async def call(
        self, tool: str, arguments: dict[str, Any] | None = None, alias: str = "bad"
    ) -> str:
        """Call a tool of the current snapshot; return what it says, or its fault's code."""
        try:
            named = self.registry.snapshot().tools[f"mcp__{alias}__{tool}"]
            return said(await named.call(arguments or {}))
        except Fault as fault:
            self.fault = fault
            return fault.code


@asynccontextmanager
async def neighbours(bad: ServerSpec, bound: float) -> AsyncIterator[Neighbours]:
    """Open the two; ``bound`` is the deadline in seconds that the body gives its one bad thing.

    At the end the good neighbour still has to answer, and all of it, stopping included, has to be
    over in time.
    """
    registry: Registry[NamedTool] = Registry()
    good = hostile_spec("well-behaved", alias="good")
    with anyio.fail_after(bound + 2 * STOPPING_SECONDS):
        lost = Lost()
        async with open_pool([bad, good], registry, name_tools, on_lost=lost.add) as pool:
            both = Neighbours(registry, pool, lost)
            await pool.connect("good")
            with anyio.fail_after(bound + STOPPING_SECONDS):
                yield both
            assert await both.call("echo", {"still": "here"}, alias="good") == '{"still": "here"}'

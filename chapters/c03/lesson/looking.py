"""What the steps look with: the watchdog's word, a server's tools, a call's outcome."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c02 import Fault, said

if TYPE_CHECKING:
    from chapters.c02 import Connection
    from chapters.c03 import NamedTool, Pool, Registry, RegistrySnapshot


class Lost:
    """Keeps what the watchdog said, and what the registry held at that moment."""

    def __init__(self) -> None:
        self.alias: str | None = None
        self.noticed = anyio.Event()
        self.tools_left: int | None = None
        self._registry: Registry[NamedTool] | None = None

    def watch(self, registry: Registry[NamedTool]) -> None:
        """Look at this registry when the watchdog speaks."""
        self._registry = registry

    def __call__(self, alias: str) -> None:
        """Note that the watchdog has spoken."""
        self.alias = alias
        if self._registry:
            self.tools_left = len(tools_of(self._registry, alias))
        self.noticed.set()


async def connect(pool: Pool[NamedTool], *aliases: str) -> None:
    """Connect aliases side by side."""
    async with anyio.create_task_group() as group:
        for alias in aliases:
            group.start_soon(pool.connect, alias)


def tools_of(registry: Registry[NamedTool], alias: str) -> list[NamedTool]:
    """Return the tools of a server that are in the registry now."""
    return [tool for tool in registry.snapshot() if tool.alias == alias]


def tool_of(snapshot: RegistrySnapshot[NamedTool], alias: str, raw_name: str) -> NamedTool | None:
    """Return a server's tool by the name it has on the wire."""
    return next((t for t in snapshot if (t.alias, t.published.name) == (alias, raw_name)), None)


async def outcome_of(tool: NamedTool | None, arguments: dict[str, Any]) -> tuple[str, str]:
    """Call a tool and return what it says, or else the fault's code."""
    if tool is None:
        return "", "no such tool"
    try:
        return said(await tool.call(arguments)), ""
    except Fault as fault:
        return "", fault.code


async def process_of(connection: Connection) -> int:
    """Ask demo_alpha for its process id."""
    pid: int = json.loads(said(await connection.call("witness", {})))["pid"]
    return pid

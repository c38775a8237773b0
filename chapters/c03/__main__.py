"""The lesson of c03: names, faults and what becomes of the tools, late revokes, closing."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import psutil

from chapters.c01 import running_children
from chapters.c02 import DEMO_ALPHA, DEMO_BETA, Fault, said
from chapters.c03 import NamedTool, Pool, Registry, RegistrySnapshot, name_tools, open_pool
from chapters.c03.by_name import RegistryByName
from chapters.c03.odd_servers import SAYS_TIMED_OUT, going_together, how_they_went
from chapters.stage import Stage, run

if TYPE_CHECKING:
    from chapters.c02 import Connection

NOTICED_SECONDS = 2
"""How long the lesson waits for the watchdog, which needs a few thousandths of a second."""


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    registry: Registry[NamedTool] = Registry()
    lost = Lost()
    before = running_children()
    async with open_pool(
        [replace(DEMO_ALPHA, call_timeout=0.5), DEMO_BETA, SAYS_TIMED_OUT],
        registry,
        name_tools,
        on_lost=lost,
        observer=lambda alias, frame: stage.watch(alias)(frame),
    ) as pool:
        await local_names(stage, registry, pool)
        await three_faults(stage, registry, pool)
        await one_goes(stage, registry, pool)
        await the_watchdog(stage, registry, pool, lost)
        await revoking_late(stage, registry, pool)
        await an_old_snapshot(stage, registry, pool)
        running = running_children() - before
    await closing(stage, len(running), len(running_children() - before))


async def local_names(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Connect both servers side by side and look at the registry."""
    await stage.step(
        "Two servers, one registry",
        """The pool connects both servers side by side. Each connection publishes all its tools in
        one swap of the registry's snapshot, under names that no other server can have.""",
    )
    await stage.wait_for(
        "connecting demo_alpha and demo_beta", connect(pool, "demo_alpha", "demo_beta")
    )
    snapshot = registry.snapshot()
    stage.table(
        ["local name", "raw name on the wire"],
        *([tool.name, tool.published.name] for tool in snapshot),
    )
    lookups = [tool.name for tool in snapshot if tool.published.name == "lookup"]
    stage.claim("c03.local-names", " and ".join(lookups))


async def three_faults(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Make three calls go wrong, and look at what each does to the connection and its tools."""
    await stage.step(
        "Three faults, three transitions",
        """demo_alpha reports an error, takes longer than our deadline of half a second, and exits
        in the middle of a call. Another server answers at once, and its answer is the protocol
        error -32001, "Request timed out". Each is told by what is observed here.""",
    )
    outcomes = {}
    for goal, alias, tool, arguments in (
        ("c03.business-error", "demo_alpha", "fail", {}),
        ("c03.timeout", "demo_alpha", "wait", {"seconds": 30}),
        ("c03.exit-during-call", "demo_alpha", "crash", {}),
        ("c03.peers-code", "says_timed_out", "ask", {}),
    ):
        if alias not in pool.connected:
            await stage.wait_for(f"connecting {alias}", connect(pool, alias))
        _, code = await outcome_of(tool_of(registry.snapshot(), alias, tool), arguments)
        kept = "kept" if alias in pool.connected else "dropped"
        listed = "kept" if tools_of(registry, alias) else "revoked"
        outcomes[goal] = (alias, tool, code, kept, listed)
    stage.table(["server", "call", "code", "connection", "its tools"], *outcomes.values())
    observed = {goal: ", ".join(outcome[2:]) for goal, outcome in outcomes.items()}
    stage.claim("c03.business-error", observed["c03.business-error"])
    stage.claim("c03.timeout", observed["c03.timeout"])
    stage.claim("c03.exit-during-call", observed["c03.exit-during-call"])
    stage.claim("c03.peers-code", observed["c03.peers-code"])
    if "says_timed_out" in pool.connected:
        await stage.wait_for("disconnecting says_timed_out", pool.disconnect("says_timed_out"))


async def one_goes(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Disconnect demo_alpha and call demo_beta."""
    await stage.step(
        "One goes, the other stays",
        """In all this time nothing has happened to demo_beta. demo_alpha is connected again, a
        snapshot is taken, and demo_alpha is disconnected. Then demo_beta's lookup is called, as
        that snapshot has it.""",
    )
    if "demo_alpha" not in pool.connected:
        await stage.wait_for("connecting demo_alpha", connect(pool, "demo_alpha"))
    snapshot = registry.snapshot()
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    answer, code = await outcome_of(tool_of(snapshot, "demo_beta", "lookup"), {"key": "-32602"})
    stage.table(
        ["in the registry", "tools"],
        *([alias, len(tools_of(registry, alias))] for alias in ("demo_alpha", "demo_beta")),
    )
    stage.table(["call", "answer"], ["demo_beta's lookup of -32602", answer or code])
    stage.claim("c03.beta-survives", code or "its answer")


async def the_watchdog(
    stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool], lost: Lost
) -> None:
    """Kill demo_alpha while nobody calls it."""
    await stage.step(
        "A death that nobody was waiting for",
        "demo_alpha is connected again, and then killed from outside while nobody calls it.",
    )
    if "demo_alpha" in pool.connected:
        await pool.disconnect("demo_alpha")
    connection = await stage.wait_for("connecting demo_alpha again", pool.connect("demo_alpha"))
    pid = await process_of(connection)
    lost.watch(registry)
    psutil.Process(pid).kill()
    with anyio.move_on_after(NOTICED_SECONDS):
        await lost.noticed.wait()
    stage.table(
        ["killed", "whose loss was noticed", "its tools then"],
        [f"process {pid}", lost.alias or "nobody", lost.tools_left],
    )
    stage.claim("c03.exit-while-idle", "at once" if lost.tools_left == 0 else "not yet")


async def revoking_late(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Let a dead connection revoke after its successor has published: by name, then by owner."""
    await stage.step(
        "A late revoke",
        """demo_alpha reconnects. Then its old connection cleans up once more, late. In a registry
        that goes by names, that takes the successor's tools away; in ours it finds nothing.""",
    )
    if "demo_alpha" in pool.connected:
        await pool.disconnect("demo_alpha")
    old = await stage.wait_for("connecting demo_alpha", pool.connect("demo_alpha"))
    wrong: RegistryByName[NamedTool] = RegistryByName()
    names = [tool.name for tool in tools_of(registry, "demo_alpha")]
    wrong.publish(registry.snapshot())
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    wrong.revoke(names)
    await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
    wrong.publish(registry.snapshot())

    by_name, by_owner = len(wrong.tools), len(registry.snapshot())
    wrong.revoke(names)
    registry.revoke(old)
    removed = by_owner - len(registry.snapshot())
    stage.table(
        ["revoking goes by", "tools before", "tools after the late revoke"],
        ["name (wrong)", by_name, len(wrong.tools)],
        ["owner", by_owner, len(registry.snapshot())],
    )
    stage.claim("c03.late-revoke", removed)


async def an_old_snapshot(
    stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]
) -> None:
    """Take a snapshot, replace the connection behind it, and use the snapshot."""
    await stage.step(
        "An old snapshot",
        """A snapshot is taken. Then demo_alpha is disconnected and connected again, so that the
        same names are there, of another connection.""",
    )
    old = registry.snapshot()
    tool = tool_of(old, "demo_alpha", "lookup")
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    listed = "yes" if tool_of(old, "demo_alpha", "lookup") else "no"
    await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
    _, code = await outcome_of(tool, {"key": "connection"})
    given = code or "the answer of the new connection"
    stage.table(["old snapshot", ""], ["lists demo_alpha's lookup", listed], ["calling it", given])
    stage.claim("c03.old-snapshot", listed)
    stage.claim("c03.old-snapshot-call", given)


async def closing(stage: Stage, running: int, left: int) -> None:
    """Look at what the pool has left, and at how it stops two servers that take their time."""
    await stage.step(
        "Closing",
        """The pool was left with both servers connected, each with the shell that ends its group.
        Two more servers go only once both have been told to, and get a pool of their own.""",
    )
    stage.table(["when", "processes"], ["before", running], ["after closing", left])
    stage.claim("c03.closing", left)
    registry: Registry[NamedTool] = Registry()
    with tempfile.TemporaryDirectory() as folder:
        async with open_pool(going_together(Path(folder)), registry, name_tools) as pool:
            await stage.wait_for("connecting the two", connect(pool, "first", "second"))
        went = how_they_went(Path(folder))
    stage.claim("c03.stopping", went)


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


if __name__ == "__main__":
    sys.exit(run("c03", tell))

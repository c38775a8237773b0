"""The lesson of c03: names, faults and what becomes of the tools, late revokes, closing."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import psutil

from chapters.c01 import running_children
from chapters.c02 import DEMO_ALPHA, DEMO_BETA, Fault
from chapters.c03 import NamedTool, Pool, Registry, name_tools, open_pool, said
from chapters.c03.by_name import RegistryByName
from chapters.stage import Stage, run

if TYPE_CHECKING:
    from chapters.c02 import Connection

ALPHA_LOOKUP = "mcp__demo_alpha__lookup"
BETA_LOOKUP = "mcp__demo_beta__lookup"


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    registry: Registry[NamedTool] = Registry()
    lost = Lost()
    before = running_children()
    async with open_pool(
        [replace(DEMO_ALPHA, call_timeout=0.5), DEMO_BETA],
        registry,
        name_tools,
        on_lost=lost,
        observer=lambda alias, frame: stage.watch(alias)(frame),
    ) as pool:
        await local_names(stage, registry, pool)
        await three_faults(stage, registry, pool)
        await the_watchdog(stage, registry, pool, lost)
        await revoking_late(stage, registry, pool)
        await an_old_snapshot(stage, registry, pool)
        running = running_children() - before
    await stage.step(
        "Closing",
        "The pool was left with both servers connected, each with the shell that ends its group.",
    )
    left = running_children() - before
    stage.table(["when", "processes"], ["before", len(running)], ["after closing", len(left)])
    stage.claim("c03.closing", len(left))


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
        in the middle of a call. Each is told by what is observed here.""",
    )
    outcomes = {}
    for goal, tool, arguments in (
        ("c03.business-error", "fail", {}),
        ("c03.timeout", "wait", {"seconds": 30}),
        ("c03.exit-during-call", "crash", {}),
    ):
        if "demo_alpha" not in pool.connected:
            await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
        code = await code_of(registry, f"mcp__demo_alpha__{tool}", arguments)
        kept = "kept" if "demo_alpha" in pool.connected else "dropped"
        listed = "kept" if ALPHA_LOOKUP in registry.snapshot() else "revoked"
        outcomes[goal] = (tool, code, kept, listed)
    stage.table(["call", "code", "connection", "its tools"], *outcomes.values())
    stage.claim("c03.business-error", ", ".join(outcomes["c03.business-error"][1:]))
    stage.claim("c03.timeout", ", ".join(outcomes["c03.timeout"][1:]))
    stage.claim("c03.exit-during-call", ", ".join(outcomes["c03.exit-during-call"][1:]))
    answer = await registry.snapshot().tools[BETA_LOOKUP].call({"key": "-32602"})
    stage.say("In all this time nothing happened to demo_beta:")
    stage.table(["call", "answer"], [BETA_LOOKUP, said(answer)])
    stage.claim("c03.beta-survives", "its answer" if said(answer) else "mcp_connection_lost")


async def the_watchdog(
    stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool], lost: Lost
) -> None:
    """Kill demo_alpha while nobody calls it."""
    await stage.step(
        "A death that nobody was waiting for",
        "demo_alpha is connected again, and then killed from outside while nobody calls it.",
    )
    connection = await stage.wait_for("connecting demo_alpha again", pool.connect("demo_alpha"))
    pid = await process_of(connection)
    lost.watch(registry)
    psutil.Process(pid).kill()
    with anyio.move_on_after(5):
        await lost.noticed.wait()
    stage.table(
        ["killed", "noticed for", "alpha's tools in the registry then"],
        [f"process {pid}", lost.alias or "nobody", lost.tools_left],
    )
    stage.claim("c03.exit-while-idle", "at once" if lost.tools_left == 0 else "at the next call")


async def revoking_late(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Let a dead connection revoke after its successor has published: by name, then by owner."""
    await stage.step(
        "A late revoke",
        """demo_alpha reconnects. Then its old connection cleans up once more, late. In a registry
        that goes by names, that takes the successor's tools away; in ours it finds nothing.""",
    )
    old = await stage.wait_for("connecting demo_alpha", pool.connect("demo_alpha"))
    wrong: RegistryByName[NamedTool] = RegistryByName()
    names = [tool.name for tool in registry.snapshot() if tool.name.startswith("mcp__demo_alpha")]
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
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    listed = "yes" if ALPHA_LOOKUP in old else "no"
    await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
    call = old.tools[ALPHA_LOOKUP].call
    try:
        await call({"key": "connection"})
        given = "the answer of the new connection"
    except Fault as fault:
        given = fault.code
    stage.table(["old snapshot", ""], ["lists alpha's lookup", listed], ["calling it", given])
    stage.claim("c03.old-snapshot", listed)
    stage.claim("c03.old-snapshot-call", given)


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
            prefix = f"mcp__{alias}__"
            names = [tool.name for tool in self._registry.snapshot()]
            self.tools_left = sum(name.startswith(prefix) for name in names)
        self.noticed.set()


async def connect(pool: Pool[NamedTool], *aliases: str) -> None:
    """Connect aliases side by side."""
    async with anyio.create_task_group() as group:
        for alias in aliases:
            group.start_soon(pool.connect, alias)


async def code_of(registry: Registry[NamedTool], name: str, arguments: dict[str, Any]) -> str:
    """Call a tool that goes wrong, and return the fault's code."""
    try:
        await registry.snapshot().tools[name].call(arguments)
    except Fault as fault:
        return fault.code
    return "no fault"


async def process_of(connection: Connection) -> int:
    """Ask demo_alpha for its process id."""
    pid: int = json.loads(said(await connection.call("witness", {})))["pid"]
    return pid


if __name__ == "__main__":
    sys.exit(run("c03", tell))

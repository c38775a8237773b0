"""Local names; then what goes wrong with a server, and what becomes of its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import psutil

from chapters.c03.lesson.looking import Lost, connect, outcome_of, process_of, tool_of, tools_of

if TYPE_CHECKING:
    from chapters.c03 import NamedTool, Pool, Registry
    from chapters.stage import Stage

NOTICED_SECONDS = 2
"""How long the lesson waits for the watchdog, which needs a few thousandths of a second."""


async def local_names(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Connect both servers side by side and look at the registry."""
    await stage.step(
        "Two servers, one registry",
        """The pool connects both servers side by side. Each connection publishes all its tools in
        one swap of the registry's snapshot, and gives them names that no other server can have.""",
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
        """demo_alpha reports an error, then takes longer than our deadline of half a second, then
        exits in the middle of a call. Another server answers at once, and its answer is the
        protocol error -32001, "Request timed out". We go by what we observe ourselves, and not
        by what a server says.""",
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
        """Nothing has happened to demo_beta in all this time. Now we connect demo_alpha again, take
        a snapshot, and disconnect demo_alpha. Then we call demo_beta's lookup from that
        snapshot.""",
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
        "We connect demo_alpha again. Then we kill it from outside, while nobody is calling it.",
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

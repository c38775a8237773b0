"""The answers to c03's questions, observed."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import psutil
import pytest

from chapters.c01 import running_children
from chapters.c02 import Fault, said
from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c03 import NamedTool, Pool, Registry, name_tools, open_pool
from chapters.c03.lesson.odd_servers import SAYS_TIMED_OUT, going_together, how_they_went

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

NOTICED_SECONDS = 2  # what the watchdog gets, which needs a few thousandths of a second

ALPHA, BETA = "demo_alpha", "demo_beta"


class Harness:
    """A registry and a pool of the demo servers over it."""

    def __init__(self, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
        self.registry = registry
        self.pool = pool

    def tool(self, alias: str, raw_name: str) -> NamedTool:
        """Return a server's tool from the current snapshot."""
        return next(
            tool
            for tool in self.registry.snapshot()
            if (tool.alias, tool.published.name) == (alias, raw_name)
        )

    async def call(self, alias: str, raw_name: str, arguments: dict[str, Any]) -> str:
        """Return what calling a tool of the current snapshot says, or its fault's code."""
        return await call(self.tool(alias, raw_name), arguments)

    def state(self, alias: str) -> str:
        """Say whether an alias's connection is kept, and whether all its tools are."""
        listed = [tool for tool in self.registry.snapshot() if tool.alias == alias]
        connection = "kept" if alias in self.pool.connected else "dropped"
        return f"{connection}, {'kept' if len(listed) == 5 else 'revoked' if not listed else '?'}"


async def call(tool: NamedTool, arguments: dict[str, Any]) -> str:
    """Return what a tool says, or its fault's code."""
    try:
        return said(await tool.call(arguments))
    except Fault as fault:
        return fault.code


@asynccontextmanager
async def connected(
    *aliases: str, call_timeout: float = 30.0, on_lost: Callable[[str], None] | None = None
) -> AsyncIterator[Harness]:
    """Open a harness with these servers connected side by side."""
    registry: Registry[NamedTool] = Registry()
    specs = [replace(DEMO_ALPHA, call_timeout=call_timeout), DEMO_BETA]
    async with open_pool(specs, registry, name_tools, on_lost=on_lost) as pool:
        async with anyio.create_task_group() as group:
            for alias in aliases:
                group.start_soon(pool.connect, alias)
        yield Harness(registry, pool)


@pytest.mark.goal("c03.local-names")
async def test_both_lookups_have_a_name_of_their_own(observe: Observe) -> None:
    async with connected("demo_beta", "demo_alpha") as harness:
        tools = list(harness.registry.snapshot())
    observe(" and ".join(tool.name for tool in tools if tool.published.name == "lookup"))


@pytest.mark.goal("c03.beta-survives")
async def test_betas_tool_answers_after_alpha_is_disconnected(observe: Observe) -> None:
    async with connected("demo_alpha", "demo_beta") as harness:
        lookup = harness.tool(BETA, "lookup")
        await harness.pool.disconnect("demo_alpha")
        answer = await call(lookup, {"key": "-32601"})
    observe("its answer" if answer.startswith("Method not found") else answer)


@pytest.mark.goal("c03.business-error")
async def test_a_business_error_changes_nothing(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        code = await harness.call(ALPHA, "fail", {})
        state = harness.state("demo_alpha")
    observe(f"{code}, {state}")


@pytest.mark.goal("c03.timeout")
async def test_a_timeout_drops_the_connection_and_revokes_its_tools(observe: Observe) -> None:
    async with connected("demo_alpha", call_timeout=0.2) as harness:
        code = await harness.call(ALPHA, "wait", {"seconds": 30})
        state = harness.state("demo_alpha")
    observe(f"{code}, {state}")


@pytest.mark.goal("c03.exit-during-call")
async def test_an_exit_answers_every_call_in_flight(observe: Observe) -> None:
    codes: list[str] = []
    async with connected("demo_alpha") as harness:

        async def wait() -> None:
            codes.append(await harness.call(ALPHA, "wait", {"seconds": 30}))

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            codes.append(await harness.call(ALPHA, "crash", {}))
        state = harness.state("demo_alpha")
    assert len(codes) == 3
    observe(f"{' and '.join(set(codes))}, {state}")


@pytest.mark.goal("c03.peers-code")
async def test_a_peers_word_of_a_timeout_is_an_answer(observe: Observe) -> None:
    registry: Registry[NamedTool] = Registry()
    async with open_pool([SAYS_TIMED_OUT], registry, name_tools) as pool:
        await pool.connect("says_timed_out")
        (tool,) = registry.snapshot()
        code = await call(tool, {})
        kept = [bool(pool.connected), bool(len(registry.snapshot()))]
    observe(", ".join([code, "kept" if kept[0] else "dropped", "kept" if kept[1] else "revoked"]))


@pytest.mark.goal("c03.exit-while-idle")
async def test_the_watchdog_revokes_at_once(observe: Observe) -> None:
    lost: list[str] = []
    noticed = anyio.Event()

    def on_lost(alias: str) -> None:
        lost.append(f"{alias} {len(harness.registry.snapshot())}")
        noticed.set()

    async with connected("demo_alpha", on_lost=on_lost) as harness:
        witness = json.loads(await harness.call(ALPHA, "witness", {}))
        psutil.Process(witness["pid"]).kill()
        with anyio.move_on_after(NOTICED_SECONDS):
            await noticed.wait()
    observe("at once" if lost == ["demo_alpha 0"] else "not yet")


@pytest.mark.goal("c03.late-revoke")
async def test_a_late_revoke_removes_nothing_of_the_successor(observe: Observe) -> None:
    async with connected() as harness:
        old = await harness.pool.connect("demo_alpha")
        await harness.pool.disconnect("demo_alpha")
        await harness.pool.connect("demo_alpha")
        before = len(harness.registry.snapshot())
        harness.registry.revoke(old)
        removed = before - len(harness.registry.snapshot())
    assert before == 5
    observe(removed)


@pytest.mark.goal("c03.closing")
async def test_leaving_the_pool_leaves_nothing_running(observe: Observe) -> None:
    before = running_children()
    async with connected("demo_alpha", "demo_beta"):
        assert running_children() > before
    observe(len(running_children() - before))


@pytest.mark.goal("c03.stopping")
async def test_servers_are_stopped_side_by_side(observe: Observe, tmp_path: Path) -> None:
    registry: Registry[NamedTool] = Registry()
    async with open_pool(going_together(tmp_path), registry, name_tools) as pool:
        await pool.connect("first")
        await pool.connect("second")
    observe(how_they_went(tmp_path))


@pytest.mark.goal("c03.old-snapshot")
async def test_an_old_snapshot_lists_what_it_listed(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        old = harness.registry.snapshot()
        await harness.pool.disconnect("demo_alpha")
        listed = "mcp__demo_alpha__lookup" in old
        assert len(harness.registry.snapshot()) == 0
    observe("yes" if listed else "no")


@pytest.mark.goal("c03.old-snapshot-call")
async def test_an_old_snapshots_tool_never_calls_the_new_connection(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        old = harness.tool(ALPHA, "lookup")
        await harness.pool.disconnect("demo_alpha")
        await harness.pool.connect("demo_alpha")
        answer = await call(old, {"key": "connection"})
    observe(answer if answer.startswith("mcp_") else "the answer of the new connection")

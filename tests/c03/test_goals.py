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
from chapters.c02 import DEMO_ALPHA, DEMO_BETA, Fault
from chapters.c03 import NamedTool, Pool, Registry, name_tools, open_pool, said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

ALPHA = "mcp__demo_alpha__"
BETA = "mcp__demo_beta__"


class Harness:
    """A registry and a pool of the demo servers over it."""

    def __init__(self, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
        self.registry = registry
        self.pool = pool

    async def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Return what calling a tool of the current snapshot says, or its fault's code."""
        return await call(self.registry.snapshot().tools[name], arguments)

    def state(self, alias: str) -> str:
        """Say whether an alias's connection is kept, and whether all its tools are."""
        listed = [t for t in self.registry.snapshot() if t.name.startswith(f"mcp__{alias}__")]
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
        names = [tool.name for tool in harness.registry.snapshot()]
    observe(" and ".join(name for name in names if name.endswith("lookup")))


@pytest.mark.goal("c03.beta-survives")
async def test_betas_tool_answers_after_alpha_is_disconnected(observe: Observe) -> None:
    async with connected("demo_alpha", "demo_beta") as harness:
        await harness.pool.disconnect("demo_alpha")
        answer = await harness.call(f"{BETA}lookup", {"key": "-32601"})
    observe("its answer" if answer.startswith("Method not found") else answer)


@pytest.mark.goal("c03.business-error")
async def test_a_business_error_changes_nothing(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        code = await harness.call(f"{ALPHA}fail", {})
        observe(f"{code}, {harness.state('demo_alpha')}")


@pytest.mark.goal("c03.timeout")
async def test_a_timeout_drops_the_connection_and_revokes_its_tools(observe: Observe) -> None:
    async with connected("demo_alpha", call_timeout=0.2) as harness:
        code = await harness.call(f"{ALPHA}wait", {"seconds": 30})
        observe(f"{code}, {harness.state('demo_alpha')}")


@pytest.mark.goal("c03.exit-during-call")
async def test_an_exit_answers_every_call_in_flight(observe: Observe) -> None:
    codes: list[str] = []
    async with connected("demo_alpha") as harness:

        async def wait() -> None:
            codes.append(await harness.call(f"{ALPHA}wait", {"seconds": 30}))

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            codes.append(await harness.call(f"{ALPHA}crash", {}))
        assert len(codes) == 3
        observe(f"{' and '.join(set(codes))}, {harness.state('demo_alpha')}")


@pytest.mark.goal("c03.exit-while-idle")
async def test_the_watchdog_revokes_at_once(observe: Observe) -> None:
    lost: list[str] = []
    noticed = anyio.Event()

    def on_lost(alias: str) -> None:
        lost.append(f"{alias} {len(harness.registry.snapshot())}")
        noticed.set()

    async with connected("demo_alpha", on_lost=on_lost) as harness:
        witness = json.loads(await harness.call(f"{ALPHA}witness", {}))
        psutil.Process(witness["pid"]).kill()
        await noticed.wait()
    observe("at once" if lost == ["demo_alpha 0"] else str(lost))


@pytest.mark.goal("c03.late-revoke")
async def test_a_late_revoke_removes_nothing_of_the_successor(observe: Observe) -> None:
    async with connected() as harness:
        old = await harness.pool.connect("demo_alpha")
        await harness.pool.disconnect("demo_alpha")
        await harness.pool.connect("demo_alpha")
        before = len(harness.registry.snapshot())
        harness.registry.revoke(old)
        assert before == 5
        observe(before - len(harness.registry.snapshot()))


@pytest.mark.goal("c03.closing")
async def test_leaving_the_pool_leaves_nothing_running(observe: Observe) -> None:
    before = running_children()
    async with connected("demo_alpha", "demo_beta"):
        assert running_children() > before
    observe(len(running_children() - before))


@pytest.mark.goal("c03.old-snapshot")
async def test_an_old_snapshot_lists_what_it_listed(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        old = harness.registry.snapshot()
        await harness.pool.disconnect("demo_alpha")
        assert f"{ALPHA}lookup" not in harness.registry.snapshot()
    observe("yes" if f"{ALPHA}lookup" in old else "no")


@pytest.mark.goal("c03.old-snapshot-call")
async def test_an_old_snapshots_tool_never_calls_the_new_connection(observe: Observe) -> None:
    async with connected("demo_alpha") as harness:
        old = harness.registry.snapshot().tools[f"{ALPHA}lookup"]
        await harness.pool.disconnect("demo_alpha")
        await harness.pool.connect("demo_alpha")
        observe(await call(old, {"key": "connection"}))

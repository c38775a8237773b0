"""A soak: hundreds of connections ended in random ways, and everything is as it was before."""

from __future__ import annotations

import gc
import os
import random
from typing import TYPE_CHECKING

import anyio
import psutil
import pytest

from chapters.c01 import running_children
from chapters.c02 import said
from chapters.c03 import (
    CallTimedOut,
    ConnectionLost,
    NamedTool,
    Pool,
    Registry,
    RegistrySnapshot,
    name_tools,
    open_pool,
)
from tests.c03.test_pool import open_files, running_tasks
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.anyio, pytest.mark.soak, pytest.mark.timeout(900)]

CONNECTS = 300
SIDE_BY_SIDE = 4


async def test_three_hundred_connections_leave_nothing(tmp_path: Path) -> None:
    seed = int(os.environ.get("SOAK_SEED", random.randrange(1 << 30)))  # noqa: S311
    print(f"\nSOAK_SEED={seed}")
    chance = random.Random(seed)  # noqa: S311 - a soak, not a secret
    specs = [
        hostile_spec("hangs-mid-call", tmp_path / "seen", alias=f"s{n}", call_timeout=0.2)
        for n in range(SIDE_BY_SIDE)
    ]
    registry: Registry[NamedTool] = Registry()
    before = running_children(), open_files(), running_tasks(), len(registry.snapshot())
    async with open_pool(specs, registry, name_tools) as pool:
        async with anyio.create_task_group() as group:
            for spec in specs:
                ways = [chance.choice(list(WAYS)) for _ in range(CONNECTS // SIDE_BY_SIDE)]
                group.start_soon(live, pool, registry, spec.alias, ways)
        assert len(registry.snapshot()) == 0
    gc.collect()
    assert before == (running_children(), open_files(), running_tasks(), len(registry.snapshot()))


async def live(
    pool: Pool[NamedTool], registry: Registry[NamedTool], alias: str, ways: list[str]
) -> None:
    """Connect an alias again and again, and end it in the given ways."""
    for way in ways:
        if way == "cancel":
            with anyio.move_on_after(0.03):
                await pool.connect(alias)
        if alias not in pool.connected:
            await pool.connect(alias)
        await WAYS[way](pool, registry.snapshot(), alias)
        assert not [t for t in registry.snapshot() if t.name.startswith(f"mcp__{alias}__")]


async def disconnect(pool: Pool[NamedTool], _: RegistrySnapshot[NamedTool], alias: str) -> None:
    await pool.disconnect(alias)


async def kill(_: Pool[NamedTool], tools: RegistrySnapshot[NamedTool], alias: str) -> None:
    pid = int(said(await tools.tools[f"mcp__{alias}__whoami"].call({})))
    psutil.Process(pid).kill()
    with pytest.raises(ConnectionLost):
        await tools.tools[f"mcp__{alias}__echo"].call({})


async def time_out(_: Pool[NamedTool], tools: RegistrySnapshot[NamedTool], alias: str) -> None:
    with pytest.raises(CallTimedOut):
        await tools.tools[f"mcp__{alias}__echo"].call({})


WAYS = {"disconnect": disconnect, "kill": kill, "timeout": time_out, "cancel": disconnect}

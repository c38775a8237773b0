"""How c03 is told: names, faults and what becomes of the tools, late revokes, closing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chapters.c01 import running_children
from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c03 import NamedTool, Registry, name_tools, open_pool
from chapters.c03.lesson.closing import closing
from chapters.c03.lesson.faults import local_names, one_goes, the_watchdog, three_faults
from chapters.c03.lesson.late import an_old_snapshot, revoking_late
from chapters.c03.lesson.looking import Lost
from chapters.c03.lesson.odd_servers import SAYS_TIMED_OUT

if TYPE_CHECKING:
    from chapters.stage import Stage


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

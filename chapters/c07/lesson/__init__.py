"""How c07 is told: three lists, who is shown what, reading, prompts, an end, and both eras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from chapters.c07.lesson.asking import the_words, who_loads
from chapters.c07.lesson.ending import an_old_snapshot, vanishing
from chapters.c07.lesson.eras import both_eras
from chapters.c07.lesson.lists import request_bytes, the_first_request, three_lists
from chapters.c07.lesson.looking import connected
from chapters.c07.lesson.reading import a_link, climbing_out, the_same_uri

if TYPE_CHECKING:
    from chapters.c02 import Frame
    from chapters.stage import Stage


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    frames: list[Frame] = []
    lost = anyio.Event()

    def observe(alias: str, frame: Frame) -> None:
        frames.append(frame)
        stage.watch(alias)(frame)

    both = connected(observer=observe, on_lost=lambda _: lost.set())
    async with stage.entering("connecting runbook and wiki", both) as (registry, _):
        before = registry.snapshot()
        await three_lists(stage, registry)
        await the_first_request(stage, registry)
        await request_bytes(stage)
        await the_same_uri(stage, registry)
        await climbing_out(stage, registry, frames)
        await a_link(stage)
        await who_loads(stage, registry)
        await the_words(stage, registry)
        await vanishing(stage, registry, lost)
        await an_old_snapshot(stage, registry, before)
    await both_eras(stage)

"""The first message in both eras, side by side."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

import anyio

from chapters.c02 import Frame, open_connection
from chapters.c02.lesson.demo import DEMO_ALPHA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.stage import Stage


async def two_eras(stage: Stage) -> None:
    """Connect to demo_alpha twice, once in each era, and look at the frames."""
    await stage.step(
        "The first message, in both eras",
        """We connect the same client to the same server twice. Up to revision 2025-11-25, a
        connection opens with a handshake. From 2026-07-28, the client asks what the server can
        do, and every request carries its own version.""",
    )
    frames: dict[str, list[Frame]] = {"2025-11-25": [], "2026-07-28": []}

    async def connect(revision: str, mode: Literal["legacy", "auto"]) -> None:
        show = stage.watch(f"demo_alpha ({revision})")

        def keep(frame: Frame) -> None:
            frames[revision].append(frame)
            show(frame)

        async with open_connection(DEMO_ALPHA, mode=mode, observer=keep):
            pass

    async def connect_in_both_eras() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(connect, "2025-11-25", "legacy")
            group.start_soon(connect, "2026-07-28", "auto")

    await stage.wait_for("connecting to demo_alpha in both eras", connect_in_both_eras())
    legacy, modern = frames.values()
    stage.table([*frames], *zip_longest(brief(legacy), brief(modern), fillvalue=""))
    stage.claim("c02.first-legacy", str(legacy[0].method))
    stage.claim("c02.first-modern", str(modern[0].method))
    stage.say(
        """The list of tools came in pages. Every result except the last holds a cursor for the
        next page. A client that asks only once sees only the beginning."""
    )
    stage.claim("c02.pages", sum(frame.method == "tools/list" for frame in modern))


def brief(frames: Sequence[Frame]) -> list[str]:
    """Say each frame in a few words."""
    return [
        f"{'-->' if frame.direction == 'sent' else '<--'} {frame.method or 'result'}"
        for frame in frames
    ]

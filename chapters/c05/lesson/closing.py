"""Leaving the runner while a call is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from chapters.c01 import running_children
from chapters.c04 import allowlist
from chapters.c04.lesson.demo import ALPHA
from chapters.c05 import Cast, ScriptedModel, calling, open_runner
from chapters.c05.lesson.lead import ALPHA_ALIAS
from chapters.c05.lesson.local import COUNT_WORDS

if TYPE_CHECKING:
    from chapters.c02 import Frame
    from chapters.stage import Stage


async def closing_in_the_middle(stage: Stage) -> None:
    """Leave the runner while the lead's call is under way."""
    await stage.step(
        "Closing in the middle of a call",
        "The lead calls a tool that takes a minute. While it waits, we leave the runner.",
    )
    before = running_children()
    calling_now = anyio.Event()
    lead = ScriptedModel(
        [
            calling(("connect_mcp", ALPHA_ALIAS)),
            calling(("mcp__demo_alpha__wait", {"seconds": 60})),
        ]
    )

    def observe(alias: str, frame: Frame) -> None:
        stage.watch(alias)(frame)
        if frame.method == "tools/call":
            calling_now.set()

    cast = Cast(lead, lambda: ScriptedModel([]), ScriptedModel([]))

    async def leave() -> int:
        async with (
            open_runner(allowlist([ALPHA]), [COUNT_WORDS], cast, observer=observe) as runner,
            anyio.create_task_group() as group,
        ):

            async def work() -> None:
                await runner.run("Wait.")
                calling_now.set()  # it is over, for there was nothing to wait for

            group.start_soon(work)
            await calling_now.wait()
            during = len(running_children() - before)
            group.cancel_scope.cancel()
        return during

    during = await stage.wait_for("the lead waits for demo_alpha", leave())
    left = len(running_children() - before)
    stage.table(["when", "processes"], ["during the call", during], ["after closing", left])
    stage.claim("c05.closing", left)

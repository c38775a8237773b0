"""How c05 is told: a scripted lead, its helpers, and what is left when it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c05.lesson.closing import closing_in_the_middle
from chapters.c05.lesson.helpers import Watched
from chapters.c05.lesson.lead import a_notice, one_snapshot_a_request, subagents_and_teammates

if TYPE_CHECKING:
    from chapters.stage import Stage


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    helpers = {"subagent": Watched(), "teammate": Watched()}
    transcript = await one_snapshot_a_request(stage, helpers)
    await subagents_and_teammates(stage, helpers)
    await a_notice(stage, transcript)
    await closing_in_the_middle(stage)

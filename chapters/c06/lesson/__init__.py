"""How c06 is told: the demo server over HTTP, the attack, wrong guards and the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c06.lesson.attacking import the_attack, the_attack_in_a_browser
from chapters.c06.lesson.guards import five_wrong_guards, the_sdks_own
from chapters.c06.lesson.listening import layers, where_it_listens
from chapters.c06.lesson.over_http import the_same_over_http
from chapters.c06.lesson.processes import guarded_demo, unguarded_demo

if TYPE_CHECKING:
    from chapters.stage import Stage


async def tell(stage: Stage, *, browser: bool = False) -> None:
    """Tell the lesson."""
    await the_same_over_http(stage)
    async with (
        stage.entering("starting a server with a guard", guarded_demo()) as guarded,
        stage.entering("starting one without", unguarded_demo()) as unguarded,
    ):
        await the_attack(stage, unguarded, guarded)
        if browser:
            await the_attack_in_a_browser(stage)
        await five_wrong_guards(stage)
        await the_sdks_own(stage)
    await layers(stage)
    await where_it_listens(stage)

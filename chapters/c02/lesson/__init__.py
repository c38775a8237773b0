"""How c02 is told: two real servers, their pipes, and what crosses them in both eras."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c01 import checklist
from chapters.c02.lesson.demo import DEMO_ALPHA
from chapters.c02.lesson.eras import two_eras
from chapters.c02.lesson.misbehaving import servers_that_misbehave
from chapters.c02.lesson.pipes import two_servers
from chapters.c02.lesson.probed import ConnectionSubject

if TYPE_CHECKING:
    from chapters.stage import Stage


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    await two_eras(stage)
    await two_servers(stage)
    await servers_that_misbehave(stage)
    await the_checklist_again(stage)


async def the_checklist_again(stage: Stage) -> None:
    """Run c01's probes, unchanged, on a real connection."""
    await stage.step(
        "The checklist again",
        "We run the ten probes of c01 again, unchanged. This time they get a real connection.",
    )
    findings = await stage.wait_for("probing", checklist(ConnectionSubject(DEMO_ALPHA)))
    stage.table(
        ["behaviour", "shown", "evidence"],
        *([f.behaviour, "yes" if f.shown else "no", f.evidence] for f in findings),
    )
    stage.claim("c02.behaviours", sum(finding.shown for finding in findings))

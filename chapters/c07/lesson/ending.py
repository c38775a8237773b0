"""A server is killed: what the snapshot of now holds, and what an older one can still do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import anyio

from chapters.c07.lesson.demo import INDEX, THE_RUNBOOK
from chapters.c07.lesson.looking import code_or, kill, kind, of, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chapters.c03 import Registry, RegistrySnapshot
    from chapters.c07 import Exposed
    from chapters.stage import Stage


async def vanishing(stage: Stage, registry: Registry[Exposed], lost: anyio.Event) -> None:
    """Kill the runbook while nobody calls it, and sample the snapshots until it is gone."""
    await stage.step(
        "All at once",
        """We kill the runbook while nobody calls it. Until the watchdog has seen it, we look at
        every snapshot that there is.""",
    )
    seen = await stage.wait_for("killing the runbook", snapshots_around_a_kill(registry, lost))
    stage.table(
        ["snapshot", "of the runbook"],
        *([number, kinds_of(each) or "nothing"] for number, each in enumerate(seen, 1)),
    )
    stage.claim("c07.vanish", left_of(seen))


async def snapshots_around_a_kill(
    registry: Registry[Exposed], lost: anyio.Event
) -> list[RegistrySnapshot[Exposed]]:
    """Kill the runbook; return each snapshot that was seen until the watchdog had spoken."""
    seen = [registry.snapshot()]
    kill(THE_RUNBOOK)
    while not lost.is_set():
        await anyio.lowlevel.checkpoint()
        if registry.snapshot() is not seen[-1]:
            seen.append(registry.snapshot())
    return seen


def kinds_of(snapshot: RegistrySnapshot[Exposed]) -> str:
    """Return how many of each kind the runbook has in a snapshot, in words."""
    return counted(kind(each) for each in of("runbook", snapshot))


def counted(kinds: Iterable[str]) -> str:
    """Return words with how often each comes."""
    found = Counter(kinds)
    return ", ".join(f"{n} {each}{'s' if n > 1 else ''}" for each, n in found.items())


def left_of(seen: list[RegistrySnapshot[Exposed]]) -> str:
    """Return what the last snapshot holds of a server that was there in the first."""
    kinds = {kind(each) for each in of("runbook", seen[-1])}
    if not kinds:
        return "nothing"
    return "all of it" if "tool" in kinds else "its resources and prompts"


async def an_old_snapshot(
    stage: Stage, registry: Registry[Exposed], old: RegistrySnapshot[Exposed]
) -> None:
    """Read the index by a snapshot that was taken before the server died, and by today's."""
    await stage.step(
        "An old snapshot",
        """A request that was made before still holds the older snapshot, and its reply is carried
        out against that one. It reads the runbook's index, as it has done before.""",
    )
    by_old = code_or(await read(old, "runbook", INDEX))
    by_new = code_or(await read(registry.snapshot(), "runbook", INDEX))
    stage.table(["by the snapshot", "reading gives"], ["of then", by_old], ["of now", by_new])
    stage.claim("c07.old-snapshot", by_old)

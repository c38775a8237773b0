"""All of it in both eras of the protocol: a read, a prompt, and word of a change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
from mcp import MCPError

from chapters.c04 import Invoker
from chapters.c07 import for_the_lead, subscribed, updated
from chapters.c07.lesson.asking import LINE
from chapters.c07.lesson.demo import INDEX, RUNBOOK, opening
from chapters.c07.lesson.looking import connected, read, typed

if TYPE_CHECKING:
    from typing import Literal

    from chapters.c02 import Frame
    from chapters.c03 import Registry
    from chapters.c07 import Exposed
    from chapters.stage import Stage

TOPOLOGY = "runbook://topology"
WORD_SECONDS = 2
"""How long we wait for word of a change. It comes in milliseconds, if it comes."""


@dataclass(frozen=True)
class Tried:
    """What worked in one era."""

    revision: str
    read: bool
    prompt: bool
    told: bool


async def both_eras(stage: Stage) -> None:
    """Try a read, a prompt and a change in each era."""
    await stage.step(
        "Both eras",
        f"""We connect the runbook in each era, read its index, load a prompt, and ask to be told
        when {TOPOLOGY} changes. A search for topology changes it.""",
    )
    tried = [await tried_in("auto"), await tried_in("legacy")]
    stage.table(
        ["revision", "read", "prompt", "told of the change"],
        *(
            [t.revision, *("yes" if ok else "no" for ok in (t.read, t.prompt, t.told))]
            for t in tried
        ),
    )
    stage.claim("c07.eras", where_all_worked(tried))


async def tried_in(mode: Literal["auto", "legacy"]) -> Tried:
    """Try everything once, on a server of its own."""
    told = anyio.Event()

    def observe(_: str, frame: Frame) -> None:
        if updated(frame) == TOPOLOGY:
            told.set()

    async with connected([RUNBOOK], opener=opening(mode), observer=observe) as (
        registry,
        connections,
    ):
        connection = connections["runbook"]
        snapshot = registry.snapshot()
        text = await read(snapshot, "runbook", INDEX)
        messages, _ = await typed(snapshot, LINE)
        try:
            async with subscribed(connection, TOPOLOGY):
                await change(registry)
                with anyio.move_on_after(WORD_SECONDS):
                    await told.wait()
        except MCPError:
            pass
        return Tried(connection.protocol_version, text.ok, bool(messages), told.is_set())


async def change(registry: Registry[Exposed]) -> None:
    """Let the runbook's topology change."""
    tools = for_the_lead(registry.snapshot())
    await Invoker().invoke(tools, "mcp__runbook__search_runbook", {"query": "topology"})


def where_all_worked(tried: list[Tried]) -> str:
    """Return in which revisions everything worked, in the words of the question."""
    whole = [each.revision for each in tried if each.read and each.prompt and each.told]
    return "in both" if len(whole) == len(tried) else " ".join(f"in {r} only" for r in whole)

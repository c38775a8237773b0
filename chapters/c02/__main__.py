"""The lesson of c02: two real servers, their pipes, and what crosses them in both eras."""

from __future__ import annotations

import json
import os
import sys
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

import anyio

from chapters.c01 import checklist, running_children
from chapters.c02 import (
    DEMO_ALPHA,
    DEMO_BETA,
    ConnectFailed,
    ConnectTimedOut,
    Frame,
    open_connection,
    said,
)
from chapters.c02.odd_servers import CHATTY, SILENT
from chapters.c02.probed import ConnectionSubject
from chapters.stage import Stage, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import PublishedTool

VARIABLE = "HOST_SECRET_TOKEN"


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    await two_eras(stage)
    await two_servers(stage)
    await servers_that_misbehave(stage)
    await the_checklist_again(stage)


async def two_eras(stage: Stage) -> None:
    """Connect to demo_alpha twice, once in each era, and look at the frames."""
    await stage.step(
        "The first message, in both eras",
        """The same server and the same client, twice. Up to revision 2025-11-25 a connection opens
        with a handshake; from 2026-07-28 a client asks what there is, and every request carries
        its own version.""",
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
        """The list of tools came in pages: each result but the last holds a cursor for the next. A
        client that asks once sees only the beginning."""
    )
    stage.claim("c02.pages", sum(frame.method == "tools/list" for frame in modern))


async def two_servers(stage: Stage) -> None:
    """Connect both demo servers, call both lookups, close, and count processes."""
    await stage.step(
        "Two servers side by side",
        """A spec says what to start. Each connection starts its server as a child process and talks
        to it over the child's stdin and stdout. In the host's environment stands a secret.""",
    )
    os.environ[VARIABLE] = "not for servers"
    before = running_children()
    alpha_opens = open_connection(DEMO_ALPHA, observer=stage.watch("demo_alpha"))
    beta_opens = open_connection(DEMO_BETA, observer=stage.watch("demo_beta"))
    async with (
        stage.entering("connecting demo_alpha", alpha_opens) as alpha,
        stage.entering("connecting demo_beta", beta_opens) as beta,
    ):
        during = running_children() - before
        stage.table(
            ["alias", "revision", "tools it publishes"],
            *([c.alias, c.protocol_version, names(c.tools)] for c in (alpha, beta)),
        )
        stage.say("Both publish a tool called lookup. Each connection asks its own server:")
        stage.table(
            ["alias", "lookup", "answer"],
            [
                "demo_alpha",
                "connection",
                said(await alpha.call("lookup", {"key": "connection"})),
            ],
            ["demo_beta", "-32601", said(await beta.call("lookup", {"key": "-32601"}))],
        )
        seen = json.loads(said(await alpha.call("witness", {})))["environment"]
    del os.environ[VARIABLE]
    left = running_children() - before
    stage.table(
        ["when", "server processes"],
        ["while both are connected", ", ".join(str(pid) for pid in sorted(during))],
        ["after closing", ", ".join(str(pid) for pid in sorted(left)) or "none"],
    )
    stage.claim("c02.processes", f"{len(during)}, then {len(left)}")
    stage.say(f"The variables that demo_alpha was given: {', '.join(seen)}.")
    stage.claim("c02.secret", "yes" if VARIABLE in seen else "no")


async def servers_that_misbehave(stage: Stage) -> None:
    """Connect to a server that prints a greeting, and to one that never answers."""
    await stage.step(
        "A server that talks out of turn, and one that does not talk",
        "One prints a greeting on stdout before it serves. The other reads and never answers.",
    )
    try:
        greeting = open_connection(CHATTY)
        async with stage.entering("connecting one that prints a greeting", greeting) as chatty:
            answer = said(await chatty.call("lookup", {"key": "-32601"}))
        outcome = "the line is skipped"
    except ConnectFailed as fault:
        answer, outcome = fault.code, "the connection ends"
    stage.table(["server", "answer"], ["prints a greeting first", answer])
    stage.claim("c02.stray-line", outcome)

    before = running_children()
    outcome = "an empty list of tools"
    try:
        async with stage.entering("connecting one that never answers", open_connection(SILENT)):
            pass
    except ConnectTimedOut as fault:
        gone = not running_children() - before
        outcome = f"{fault.code}, and its process {'is stopped' if gone else 'lives on'}"
        stage.table(["server", "code", "sentence"], ["never answers", fault.code, fault])
    stage.claim("c02.silent-server", outcome)


async def the_checklist_again(stage: Stage) -> None:
    """Run c01's probes, unchanged, on a real connection."""
    await stage.step(
        "The checklist again", "The ten probes of c01, unchanged, now on a real connection."
    )
    findings = await stage.wait_for("probing", checklist(ConnectionSubject(DEMO_ALPHA)))
    stage.table(
        ["behaviour", "shown", "evidence"],
        *([f.behaviour, "yes" if f.shown else "no", f.evidence] for f in findings),
    )
    stage.claim("c02.behaviours", sum(finding.shown for finding in findings))


def brief(frames: Sequence[Frame]) -> list[str]:
    """Say each frame in a few words."""
    return [
        f"{'-->' if frame.direction == 'sent' else '<--'} {frame.method or 'result'}"
        for frame in frames
    ]


def names(tools: Sequence[PublishedTool]) -> str:
    """List tools by name."""
    return ", ".join(tool.name for tool in tools)


if __name__ == "__main__":
    sys.exit(run("c02", tell))

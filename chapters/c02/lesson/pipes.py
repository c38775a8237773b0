"""Two real servers, and what their pipes carry, hide and end with."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from chapters.c01 import running_children
from chapters.c02 import open_connection, said
from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c02.lesson.side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import PublishedTool
    from chapters.stage import Stage


VARIABLE = "HOST_SECRET_TOKEN"


async def two_servers(stage: Stage) -> None:
    """Connect both demo servers, call both lookups, close, and count processes."""
    await stage.step(
        "Two servers side by side",
        """A spec says what to start. Each connection starts its server as a child process and talks
        to it over the child's stdin and stdout. Both connect at the same time. Each needs a task
        of its own, because the task that entered the SDK's client also has to leave it. And we
        have put a secret into the host's environment.""",
    )
    os.environ[VARIABLE] = "not for servers"
    before = running_children()
    opening = side_by_side(
        open_connection(DEMO_ALPHA, observer=stage.watch("demo_alpha")),
        open_connection(DEMO_BETA, observer=stage.watch("demo_beta")),
    )
    waiting = "connecting demo_alpha and demo_beta side by side"
    async with stage.entering(waiting, opening) as (alpha, beta):
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
    stage.say(f"These are the variables that demo_alpha was given: {', '.join(seen)}.")
    stage.claim("c02.secret", "yes" if VARIABLE in seen else "no")


def names(tools: Sequence[PublishedTool]) -> str:
    """List tools by name."""
    return ", ".join(tool.name for tool in tools)

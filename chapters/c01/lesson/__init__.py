"""How c01 is told: a client over a dict, its green tests, and a checklist it fails."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from chapters.c01 import HANDLERS, HandlerDictClient, HandlerDictSubject, checklist
from chapters.c01.checklist import server_pid
from chapters.c01.lesson.own_tests import CONCLUSIONS

if TYPE_CHECKING:
    from chapters.stage import Stage


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    await a_client_over_a_dict(stage)
    await its_own_tests(stage)
    await where_the_server_runs(stage)
    await the_checklist(stage)


async def a_client_over_a_dict(stage: Stage) -> None:
    """Call the client that many tutorials begin with."""
    await stage.step(
        "A client over a dict",
        """Many tutorials start like this. The tools are functions in a dict, and 'tools/call' looks
        one up and calls it. It works, and it looks like MCP.""",
    )
    answer = await HandlerDictClient(HANDLERS).call_tool("lookup", {"key": "server alias"})
    stage.table(["call", "answer"], ['lookup("server alias")', answer])


async def its_own_tests(stage: Stage) -> None:
    """Run its own tests, and look at what each invites you to conclude."""
    await stage.step(
        "Its own tests are green", "Every test passes. What does each one tempt you to conclude?"
    )
    rows, wrong = [], []
    for conclusion, (test, reality) in CONCLUSIONS.items():
        passed, true = await test(), await reality()
        result, so = "passes" if passed else "fails", "yes" if true else "no"
        rows.append([test.__name__, result, conclusion, so])
        if passed and not true:
            wrong.append(conclusion)
    stage.table(["test", "result", "conclusion", "is it so?"], *rows)
    stage.claim("c01.wrong-conclusion", "; ".join(wrong) or "none of them")


async def where_the_server_runs(stage: Stage) -> None:
    """Compare the process ids of the client and of its 'server'."""
    await stage.step(
        "Where does the server run?",
        "A real server is a process of its own. So we ask this one for its process id.",
    )
    async with HandlerDictSubject().open() as session:
        pid = await server_pid(session)
    stage.table(["who", "process id"], ["the client", os.getpid()], ["its 'server'", pid])
    here = "in the client's own process"
    stage.claim("c01.process", here if pid == os.getpid() else "in a child process")


async def the_checklist(stage: Stage) -> None:
    """Probe the client for the ten behaviours that make MCP what it is."""
    await stage.step(
        "The checklist",
        """Ten behaviours make MCP what it is. We probe the client for evidence of each one: process
        ids, frames on a wire, and what the server saw.""",
    )
    findings = await stage.wait_for("probing the handler dict", checklist(HandlerDictSubject()))
    stage.table(
        ["behaviour", "shown", "evidence"],
        *([f.behaviour, "yes" if f.shown else "no", f.evidence] for f in findings),
    )
    shown = sum(finding.shown for finding in findings)
    stage.claim("c01.behaviours", shown)
    stage.claim("c01.is-it-mcp", "yes" if shown == len(findings) else "no")
    stage.say(
        """There is nothing wrong with a dict. Use one when a local function is all you need, and
        call it a local function. c02 runs the same ten probes against a real server."""
    )

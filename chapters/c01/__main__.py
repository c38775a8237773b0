"""The lesson of c01: a client over a dict, its green tests, and a checklist it fails."""

from __future__ import annotations

import os
import sys

from chapters.c01 import HANDLERS, HandlerDictClient, HandlerDictSubject, checklist
from chapters.c01.checklist import server_pid
from chapters.c01.own_tests import CONCLUSIONS
from chapters.stage import Stage, run


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    await stage.step(
        "A client over a dict",
        """Many tutorials start like this: tools are functions in a dict, 'tools/call' looks one up
        and calls it. It works, and it looks like MCP.""",
    )
    answer = await HandlerDictClient(HANDLERS).call_tool("lookup", {"key": "server alias"})
    stage.table(["call", "answer"], ['lookup("server alias")', answer])

    await stage.step(
        "Its own tests are green", "Each test passes. What does each invite you to think?"
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

    await stage.step(
        "Where does the server run?",
        "A server is a process of its own. Ask this one for its process id.",
    )
    async with HandlerDictSubject().open() as session:
        pid = await server_pid(session)
    stage.table(["who", "process id"], ["the client", os.getpid()], ["its 'server'", pid])
    here = "in the client's own process"
    stage.claim("c01.process", here if pid == os.getpid() else "in a child process")

    await stage.step(
        "The checklist",
        """Ten behaviours make MCP what it is. Each is probed for evidence: process ids, frames on a
        wire, what the server saw.""",
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
        """Nothing here was wrong with the dict as a dict. Use one when a local function is all you
        need, and call it that. c02 runs the same ten probes against a real server."""
    )


if __name__ == "__main__":
    sys.exit(run("c01", tell))

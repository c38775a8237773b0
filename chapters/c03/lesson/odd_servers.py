"""A server that says what it does not know, and two that take their time to go."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from chapters.c02.lesson.demo import DEMO_BETA

if TYPE_CHECKING:
    from pathlib import Path

    from chapters.c02 import ServerSpec

SAY_TIMED_OUT = """
from mcp.shared.exceptions import MCPError
from mcp.types import Tool
from demo_servers.serving import ServedTool, make_server, run_stdio

async def answer(arguments):
    raise MCPError(-32001, "Request timed out")

ask = Tool(name="ask", input_schema={"type": "object"})
run_stdio(make_server("says_timed_out", [ServedTool(ask, answer)], page=1))
"""

SAYS_TIMED_OUT = replace(
    DEMO_BETA, alias="says_timed_out", command=sys.executable, args=("-c", SAY_TIMED_OUT)
)
"""Answers every call of its tool at once, with an error that says it has timed out."""

GO_TOGETHER = """
import pathlib, runpy, sys, time
folder, me, other = pathlib.Path(sys.argv.pop()), sys.argv.pop(), sys.argv.pop()
try:
    runpy.run_module("demo_servers.demo_beta", run_name="__main__")
finally:
    (folder / f"{me}-is-told-to-go").touch()
    while not (folder / f"{other}-is-told-to-go").exists():
        time.sleep(0.01)
    (folder / f"{me}-has-gone").touch()
"""


def going_together(folder: Path) -> list[ServerSpec]:
    """Return two servers that go once both are told to, and note it in ``folder``.

    Told one after the other, the first waits for the second until it is stopped by force.
    """
    return [
        replace(
            DEMO_BETA,
            alias=me,
            command=sys.executable,
            args=("-c", GO_TOGETHER, other, me, str(folder)),
        )
        for me, other in (("first", "second"), ("second", "first"))
    ]


def how_they_went(folder: Path) -> str:
    """Say how the two were stopped."""
    gone = {path.name for path in folder.iterdir() if path.name.endswith("-has-gone")}
    return "side by side" if len(gone) == 2 else "one after the other"

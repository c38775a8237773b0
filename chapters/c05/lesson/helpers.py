"""A subagent and a teammate that try what they may not, and what they were shown and got."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chapters.c05 import Reply, ScriptedModel, calling

if TYPE_CHECKING:
    from chapters.c05 import Request

LOOKUP = "mcp__demo_alpha__lookup"
WATCHDOG = {"key": "watchdog"}


class Watched:
    """Scripts for a subagent or teammate, and what they were shown and got."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []

    def model(self) -> ScriptedModel:
        """Return a model that calls demo_alpha's lookup by name and then reports, twice."""

        async def call(_: Request) -> Reply:
            return calling((LOOKUP, WATCHDOG))

        async def report(request: Request) -> Reply:
            code = code_of(request.messages[-1].content)
            when = "before" if not self.seen else "after"
            self.seen.append((when, ", ".join(request.tool_names), code))
            return Reply(f"I got: {code}")

        return ScriptedModel([call, report, call, report])


def code_of(content: str) -> str:
    """Return the code that a tool's message tells a model of, or ``its answer``."""
    told = json.loads(content) if content.startswith("{") else {}
    return str(told.get("error", "its answer"))

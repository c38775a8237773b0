"""A transcript, as rows and as answers to the chapter's questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c05 import Round


BRIEF = 27
"""How many characters of a result the transcript has room for."""


def in_brief(transcript: Sequence[Round]) -> list[list[object]]:
    """Return a transcript as rows: a request's number and tools once, then call by call."""
    rows: list[list[object]] = []
    for turn in transcript:
        remote = sum(name.startswith("mcp__") for name in turn.request.tool_names)
        tools = f"{len(turn.request.tools) - remote} local, {remote} MCP"
        head: list[object] = [turn.request.number, tools]
        for call, outcome in zip(turn.reply.calls, turn.outcomes, strict=True):
            said = outcome.code or outcome.content
            rows.append(
                [*head, call.name, said if len(said) <= BRIEF else f"{said[: BRIEF - 3]}..."]
            )
            head = ["", ""]
        if not turn.reply.calls:
            rows.append([*head, "(none)", turn.reply.text])
    return rows


def outcome_of(turn: Round, number: int) -> str:
    """Return what a call in a reply gave, counted from 0: its failure's code, or its answer."""
    return turn.outcomes[number].code or "its answer"


def first_request_with(transcript: Sequence[Round], tool: str) -> int:
    """Return the number of the first request that shows a tool; 0 for none."""
    return next((t.request.number for t in transcript if tool in t.request.tool_names), 0)

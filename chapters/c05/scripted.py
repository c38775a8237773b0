"""A scripted model: deterministic, so that lessons and tests can run on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from chapters.c05.model import Reply, Request, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable

Line = Reply | Callable[[Request], Awaitable[Reply]]
"""A reply, or what makes one of the request."""


class ScriptedModel:
    """Says its lines in order, and after the last one that it is done. Keeps what it was shown."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self.requests: list[Request] = []

    async def reply(self, request: Request) -> Reply:
        """Say the next line."""
        self.requests.append(request)
        line = next(self._lines, Reply("done"))
        return line if isinstance(line, Reply) else await line(request)


def calling(*calls: tuple[str, object]) -> Reply:
    """Return a reply that calls tools: name and arguments of each."""
    return Reply(
        calls=tuple(ToolCall(f"call-{n}", name, args) for n, (name, args) in enumerate(calls, 1))
    )

"""Subagents and teammates: made of local tools alone.

Lead-only is a matter of construction. Neither holds a reference through which an MCP tool, a
management tool, the registry, the pool or the runner could be reached, so there is no filter that
somebody could forget. A call to an MCP tool's name is a call to a tool that does not exist.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import anyio

from chapters.c03 import RegistrySnapshot
from chapters.c04 import ExposedTool, Invoker
from chapters.c05.loop import run_loop
from chapters.c05.model import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chapters.c05.model import Model

logger = logging.getLogger(__name__)


# --8<-- [start:local-only]
def local_snapshot(tools: Iterable[ExposedTool]) -> RegistrySnapshot[ExposedTool]:
    """Return a snapshot of local tools that no registry will ever replace.

    Raises ValueError for a tool of a server.
    """
    by_name = {tool.name: tool for tool in tools}
    if remote := [tool.name for tool in by_name.values() if tool.alias is not None]:
        raise ValueError(f"an agent other than the lead gets local tools only, not {remote}")
    return RegistrySnapshot(MappingProxyType(by_name))


class Subagent:
    """Made for one task, with messages of its own; hands back its last answer."""

    def __init__(self, model: Model, tools: Iterable[ExposedTool]) -> None:
        self._model = model
        self._tools = local_snapshot(tools)
        self._invoker = Invoker()

    async def run(self, task: str) -> str:
        """Do the task and return the last text."""
        messages = [Message("user", task)]
        return await run_loop(self._model, self._invoker, lambda: self._tools, messages)
        # --8<-- [end:local-only]


@dataclass(eq=False)
class Letter:
    """A text for a teammate, and the place for its answer."""

    text: str
    answer: str | None = None
    """None where the teammate failed."""
    answered: anyio.Event = field(default_factory=anyio.Event)


class TeammateFailed(Exception):  # noqa: N818 - it is the teammate that failed
    """The teammate could not answer; the log says why."""


class Teammate:
    """Lives on: it has a mailbox, a loop of its own, and remembers what was said."""

    def __init__(self, model: Model, tools: Iterable[ExposedTool]) -> None:
        self._model = model
        self._tools = local_snapshot(tools)
        self._invoker = Invoker()
        self._post, self._mailbox = anyio.create_memory_object_stream[Letter](math.inf)

    async def live(self) -> None:
        """Answer one letter after the other, until cancelled."""
        messages: list[Message] = []
        with self._post, self._mailbox:
            async for letter in self._mailbox:
                messages.append(Message("user", letter.text))
                try:
                    letter.answer = await run_loop(
                        self._model, self._invoker, lambda: self._tools, messages
                    )
                except Exception:
                    logger.exception("the teammate failed; it goes on with the next letter")
                letter.answered.set()

    async def ask(self, text: str) -> str:
        """Put a letter in the mailbox and wait for its answer. Raises :class:`TeammateFailed`."""
        letter = Letter(text)
        await self._post.send(letter)
        await letter.answered.wait()
        if letter.answer is None:
            raise TeammateFailed
        return letter.answer

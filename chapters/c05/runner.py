"""The runner: one context that owns the registry, the pool, the lead and the teammates.

However it is left, every connection, server process, subagent and teammate is gone afterwards.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c03 import Opener, Pool, Registry, open_in_its_own_group, open_pool
from chapters.c04 import (
    AllowedServer,
    Approve,
    ExposedTool,
    Invoker,
    local_tool,
    strict_admission,
)
from chapters.c05.agents import Subagent, Teammate
from chapters.c05.loop import Round, run_loop
from chapters.c05.management import management_tools
from chapters.c05.model import Message, Model

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from chapters.c02 import Frame

ONE_TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Cast:
    """Who plays whom: the lead, a fresh subagent for each task, and the teammate."""

    lead: Model
    subagent: Callable[[], Model]
    teammate: Model


# --8<-- [start:notices]
class Notices:
    """What the watchdog has to tell the lead, until its next request takes it."""

    def __init__(self) -> None:
        self._lost: list[str] = []
        self.posted = anyio.Event()

    def lost(self, alias: str) -> None:
        """Note that a server was lost while nobody called it."""
        self._lost.append(alias)
        self.posted.set()

    def take(self) -> list[Message]:
        """Return the notices, in our own words, and forget them."""
        lost, self._lost = self._lost, []
        return [
            Message("harness", f"The server {alias} has ended by itself. Its tools are gone.")
            for alias in lost
        ]
        # --8<-- [end:notices]


@dataclass(frozen=True)
class Runner:
    """The lead with everything it holds. Made by :func:`open_runner`."""

    registry: Registry[ExposedTool]
    pool: Pool[ExposedTool]
    notices: Notices
    teammate: Teammate
    subagents: list[Subagent]
    """Those that were made so far."""
    _lead: Model
    _invoker: Invoker
    transcript: list[Round] = field(default_factory=list)

    async def run(self, task: str) -> str:
        """Let the lead do a task and return its last text."""
        return await run_loop(
            self._lead,
            self._invoker,
            self.registry.snapshot,
            [Message("user", task)],
            notices=self.notices.take,
            on_round=self.transcript.append,
        )


@asynccontextmanager
async def open_runner(
    servers: Mapping[str, AllowedServer],
    local_tools: Sequence[ExposedTool],
    cast: Cast,
    *,
    approve: Approve | None = None,
    opener: Opener = open_in_its_own_group,
    observer: Callable[[str, Frame], None] | None = None,
) -> AsyncIterator[Runner]:
    """Open a runner over an allowlist.

    The lead gets ``local_tools``, two that delegate and two that manage connections, and the
    exposed tools of whatever is connected. The others get ``local_tools``.
    """
    registry: Registry[ExposedTool] = Registry()
    notices = Notices()
    teammate = Teammate(cast.teammate, local_tools)
    subagents: list[Subagent] = []

    async def delegate(arguments: dict[str, Any]) -> str:
        subagent = Subagent(cast.subagent(), local_tools)
        subagents.append(subagent)
        return await subagent.run(arguments["text"])

    async def tell(arguments: dict[str, Any]) -> str:
        return await teammate.ask(arguments["text"])

    raised: Exception | None = None
    async with (
        anyio.create_task_group() as group,
        open_pool(
            [server.spec for server in servers.values()],
            registry,
            strict_admission(servers),
            opener=opener,
            on_lost=notices.lost,
            observer=observer,
        ) as pool,
    ):
        registry.publish(
            group,
            [
                *local_tools,
                local_tool(
                    "ask_subagent", "Hands a task to a subagent.", ONE_TEXT, "read", delegate
                ),
                local_tool("ask_teammate", "Asks the teammate.", ONE_TEXT, "read", tell),
                *management_tools(pool, registry),
            ],
        )
        group.start_soon(teammate.live)
        try:
            yield Runner(registry, pool, notices, teammate, subagents, cast.lead, Invoker(approve))
        except Exception as error:
            raised = error
        group.cancel_scope.cancel()
    if raised is not None:
        raise raised

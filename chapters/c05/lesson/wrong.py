"""c05's wrong answers; some of c02 and c03 answer its questions too."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from chapters.c03 import RegistrySnapshot
from chapters.c05.agents import local_snapshot
from chapters.c05.loop import run_loop
from chapters.c05.management import management_tools
from chapters.c05.model import Message
from chapters.c05.runner import Notices, Runner
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chapters.c03 import Pool, Registry
    from chapters.c04 import ExposedTool


async def _run_with_the_tools_of_the_start(self: Runner, task: str) -> str:
    tools = self.registry.snapshot()
    return await run_loop(
        self._lead,
        self._invoker,
        lambda: tools,
        [Message("user", task)],
        notices=self.notices.take,
        on_round=self.transcript.append,
    )


_LEADS: list[Registry[Any]] = []


def _management_tools_within_reach(
    pool: Pool[ExposedTool], registry: Registry[ExposedTool]
) -> list[ExposedTool]:
    _LEADS.append(registry)
    return management_tools(pool, registry)


# --8<-- [start:filtered]
class _Shared(RegistrySnapshot[Any]):
    def get(self, name: str) -> ExposedTool | None:
        return _LEADS[-1].snapshot().get(name)

    def __iter__(self) -> Iterator[ExposedTool]:
        return iter(_LEADS[-1].snapshot())


class _Filtered(_Shared):
    def __iter__(self) -> Iterator[ExposedTool]:
        return (tool for tool in super().__iter__() if not tool.name.startswith("mcp__"))
        # --8<-- [end:filtered]


def _shared_snapshot(_: Iterable[ExposedTool]) -> RegistrySnapshot[ExposedTool]:
    return _Shared(MappingProxyType({}))


def _filtered_snapshot(_: Iterable[ExposedTool]) -> RegistrySnapshot[ExposedTool]:
    return _Filtered(MappingProxyType({}))


def _no_notices(_: Notices) -> list[Message]:
    return []


WRONG_ANSWERS = [
    WrongAnswer(
        "tools-of-the-start",
        ("c05.first-request",),
        belief="you list the tools of a conversation once, when it begins.",
        cost="The model never sees what you connect later, and what is gone stays on offer.",
        instead=((Runner.run, _run_with_the_tools_of_the_start),),
    ),
    WrongAnswer(
        "one-registry-for-all",
        ("c05.others-see",),
        belief="agents that work together should have the same tools.",
        cost="""Every subagent that reads a web page can call and connect servers. None of them is
        the agent that a person watches.""",
        instead=(
            (management_tools, _management_tools_within_reach),
            (local_snapshot, _shared_snapshot),
        ),
    ),
    WrongAnswer(
        "filtered-by-prefix",
        ("c05.others-call",),
        belief="a tool that is not shown cannot be called.",
        cost="A model has heard the name somewhere. It calls the tool, past the filter.",
        instead=(
            (management_tools, _management_tools_within_reach),
            (local_snapshot, _filtered_snapshot),
        ),
    ),
    WrongAnswer(
        "no-notice",
        ("c05.notice",),
        belief="the list of tools tells you all there is to know about them.",
        cost="The model looks for a tool that it has just used, and invents a reason for its loss.",
        instead=((Notices.take, _no_notices),),
    ),
]

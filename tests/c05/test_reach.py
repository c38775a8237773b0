"""Lead-only by construction: walk everything that a subagent or teammate can reach."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chapters.c02 import Connection
from chapters.c03 import Owner, Pool, Registry
from chapters.c04 import ExposedTool, Invoker, local_tool
from chapters.c05 import Runner, Subagent, Teammate, calling
from chapters.c05.lesson.local import COUNT_WORDS
from tests.c05.test_goals import CONNECT, playing

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio

FORBIDDEN = (Registry, Pool, Owner, Connection, Runner)


def reachable(start: object) -> Iterator[object]:
    """Yield every object that can be reached from ``start`` by attribute, item, closure or frame.

    Modules, classes and a function's globals are the program's text and not a reference that an
    agent was handed, so the walk stops there.
    """
    seen: set[int] = set()
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | str | bytes | int):
            continue
        seen.add(id(thing))
        yield thing
        todo += neighbours_of(thing)


def neighbours_of(thing: Any) -> list[object]:
    found: list[object] = []
    match thing:
        case dict() | types.MappingProxyType():
            found += [*thing.keys(), *thing.values()]
        case list() | tuple() | set() | frozenset():
            found += thing
        case functools.partial():
            found += [thing.func, *thing.args, *thing.keywords.values()]
        case types.MethodType():
            found += [thing.__self__, thing.__func__]
        case types.FunctionType():
            found += [cell.cell_contents for cell in thing.__closure__ or ()]
            found += [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
        case types.CoroutineType():
            found += [thing.cr_frame.f_locals if thing.cr_frame else None, thing.cr_await]
    found += getattr(thing, "__dict__", {}).values()
    for kind in type(thing).__mro__:
        found += [getattr(thing, slot, None) for slot in getattr(kind, "__slots__", ())]
    return found


def powers(start: object) -> list[object]:
    """Return what of MCP can be reached: the forbidden kinds, and tools that are not local."""
    return [
        thing
        for thing in reachable(start)
        if isinstance(thing, FORBIDDEN)
        or (isinstance(thing, ExposedTool) and (thing.alias or thing.name.endswith("_mcp")))
    ]


async def test_neither_reaches_an_mcp_tool_a_management_tool_or_the_registry() -> None:
    ask = (("ask_subagent", {"text": "look"}), ("ask_teammate", {"text": "look"}))
    async with playing(calling(CONNECT), calling(*ask)) as (runner, *_):
        await runner.run("go")
        assert isinstance(runner.subagents[0], Subagent)
        assert isinstance(runner.teammate, Teammate)
        assert powers(runner.subagents[0]) == []
        assert powers(runner.teammate) == []
        tools = [thing for thing in reachable(runner.teammate) if isinstance(thing, ExposedTool)]
        assert tools == [COUNT_WORDS]


async def test_the_walk_would_find_them() -> None:
    async with playing(calling(CONNECT)) as (runner, *_):
        await runner.run("go")
        kinds = {type(power) for power in powers(runner)}
        assert {Registry, Pool, Runner, Owner, Connection, ExposedTool} <= kinds

        async def call(_: dict[str, Any]) -> str:
            await anyio.lowlevel.checkpoint()
            return str(len(runner.registry.snapshot()))

        leaky = local_tool("leaky", "Holds the registry.", {"type": "object"}, "read", call)
        subagent = Subagent(runner.teammate._model, [leaky])
        assert [type(power) for power in powers(subagent) if isinstance(power, Registry)]


async def test_a_tool_of_a_server_cannot_be_handed_to_them() -> None:
    async with playing(calling(CONNECT)) as (runner, *_):
        await runner.run("go")
        with pytest.raises(ValueError, match="local tools only"):
            Subagent(runner.teammate._model, runner.registry.snapshot())
        assert isinstance(runner.teammate._invoker, Invoker)

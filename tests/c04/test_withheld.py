"""A policy can set a published tool aside: it has to be there, and is otherwise not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chapters.c04 import AllowedServer, Invoker, ToolPolicy
from chapters.c04.gate import READING_STEPS, Budget, BudgetError
from chapters.c04.lesson.odd_servers import OBJECT, publishing
from chapters.c04.lesson.own import setting_aside
from chapters.c04.lesson.own.setting_aside import to_set_aside
from tests.c04.test_goals import harness

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.anyio

READ = ToolPolicy("read")
WITHHELD = ToolPolicy("withheld")
REMOTE: dict[str, Any] = {"type": "object", "$ref": "http://127.0.0.1:9/x"}


def server(tools: Mapping[str, dict[str, Any]], policy: Mapping[str, ToolPolicy]) -> AllowedServer:
    """Return a server that publishes these schemas under a policy."""
    return AllowedServer(publishing("bad", dict(tools)), policy)


async def test_a_withheld_tool_is_not_exposed_and_cannot_be_called() -> None:
    policy = {"a": READ, "b": WITHHELD}
    async with harness(server({"a": OBJECT, "b": OBJECT}, policy)) as opened:
        assert await opened.connect("bad") == "connected"
        snapshot = opened.registry.snapshot()
        assert [tool.name for tool in snapshot] == ["mcp__bad__a"]
        assert (await Invoker().invoke(snapshot, "mcp__bad__b", {})).code == "unknown_tool"
        assert (await Invoker().invoke(snapshot, "mcp__bad__a", {})).content == "called"


@pytest.mark.parametrize("published", [["a"], ["a", "b", "c"]])
async def test_a_withheld_tool_counts_for_the_exact_equality(published: list[str]) -> None:
    policy = {"a": READ, "b": WITHHELD}
    async with harness(server(dict.fromkeys(published, OBJECT), policy)) as opened:
        assert await opened.connect("bad") == "mcp_policy_mismatch"


@pytest.mark.parametrize(
    ("name", "schema"),
    [("b", REMOTE), ("A-", OBJECT), ("a\x1b", OBJECT), ("n" * 100, OBJECT), ("-", OBJECT)],
)
async def test_neither_name_nor_schema_of_a_withheld_tool_matters(
    name: str, schema: dict[str, Any]
) -> None:
    async with harness(server({"A_": OBJECT, name: schema}, {"A_": READ, name: WITHHELD})) as open_:
        assert await open_.connect("bad") == "connected"
        assert [tool.name for tool in open_.registry.snapshot()] == ["mcp__bad__A_"]


async def test_a_server_may_be_withheld_as_a_whole() -> None:
    async with harness(server({"a": REMOTE}, {"a": WITHHELD})) as opened:
        assert await opened.connect("bad") == "connected"
        assert len(opened.registry.snapshot()) == 0


async def test_what_one_tool_costs_in_vain_is_not_charged_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[int] = []

    def expose(*args: Any, budget: Budget, **_: object) -> None:
        given.append(budget._steps)
        budget.spend(READING_STEPS // 2)
        if args[2].name == "b":
            raise BudgetError("budget")

    monkeypatch.setattr(setting_aside, "expose", expose)
    tools = dict.fromkeys("abcd", OBJECT)
    async with harness(server(tools, dict.fromkeys(tools, WITHHELD))) as opened:
        reasons = await to_set_aside(await opened.pool.connect("bad"))
    assert list(reasons) == ["b", "d"]
    assert given == [READING_STEPS, READING_STEPS // 2, READING_STEPS // 2, 0]

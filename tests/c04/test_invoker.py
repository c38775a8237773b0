"""The invoker's own promises: nothing is raised, and what was checked is what is sent."""

from __future__ import annotations

from typing import Any

import pytest

from chapters.c03 import Registry, RegistrySnapshot, RemoteError
from chapters.c04 import (
    AllowedServer,
    Approve,
    Effect,
    ExposedTool,
    Invoker,
    ToolPolicy,
    local_tool,
)
from tests.c04.test_goals import harness
from tests.servers.harness import hostile_spec

pytestmark = pytest.mark.anyio

ONE_NUMBER = {
    "type": "object",
    "properties": {"list": {"items": {"type": "number", "maximum": 9}}, "never": False},
    "additionalProperties": False,
}


class Called:
    """A local tool that keeps what it is called with and returns what it is told to."""

    def __init__(self, result: Any = "done", effect: Effect = "read") -> None:
        self.given: list[dict[str, Any]] = []
        self.result = result
        self.registry: Registry[ExposedTool] = Registry()
        self.registry.publish(self, [local_tool("tool", "A tool.", ONE_NUMBER, effect, self.call)])

    async def call(self, arguments: dict[str, Any]) -> str:
        self.given.append(arguments)
        result: str = self.result
        return result

    @property
    def snapshot(self) -> RegistrySnapshot[ExposedTool]:
        return self.registry.snapshot()


@pytest.mark.parametrize("result", [None, 7, b"bytes", {"text": "a"}, ["a"], object()])
async def test_a_local_tool_that_returns_no_text_has_failed(result: object) -> None:
    envelope = await Invoker().invoke(Called(result).snapshot, "tool", {})
    assert envelope.code == "tool_failed"


@pytest.mark.parametrize(("effect", "retry"), [("read", True), ("write", False)])
async def test_a_write_that_failed_on_the_server_is_not_worth_a_retry(
    effect: Effect, retry: bool
) -> None:
    class Failing(Called):
        async def call(self, arguments: dict[str, Any]) -> str:
            raise RemoteError("a", f"half of {arguments} is done")

    async def approve(*_: object) -> bool:
        return True

    envelope = await Invoker(approve).invoke(Failing(effect=effect).snapshot, "tool", {})
    assert (envelope.code, envelope.retry) == ("mcp_remote_error", retry)


@pytest.mark.parametrize("name", [None, 7, [10**5000], {"tool": 1}, b"tool", "\ud800", ""])
async def test_a_name_of_any_kind_is_an_unknown_tool(name: object) -> None:
    envelope = await Invoker().invoke(Called().snapshot, name, {})
    assert envelope.code == "unknown_tool"


@pytest.mark.parametrize("answer", [1, "yes", "no", [True], object(), None, False])
async def test_only_true_is_a_yes(answer: Any) -> None:
    async def approve(*_: object) -> bool:
        permitted: bool = answer
        return permitted

    tool = Called(effect="write")
    envelope = await Invoker(approve).invoke(tool.snapshot, "tool", {})
    assert (envelope.code, tool.given) == ("permission_denied", [])


def spoiling(arguments: Any) -> Approve:
    """Return an approver that says yes after it has spoilt ``arguments`` and what it is shown."""

    async def approve(_: object, shown: Any) -> bool:
        shown["list"].append(1000)
        shown["more"] = 1000
        arguments["list"].append(1000)
        return True

    return approve


async def test_what_was_checked_is_what_is_sent_whoever_holds_it() -> None:
    arguments = {"list": [1, 2.0, 0.1]}
    tool = Called(effect="write")
    envelope = await Invoker(spoiling(arguments)).invoke(tool.snapshot, "tool", arguments)
    assert envelope.ok
    assert repr(tool.given) == "[{'list': [1, 2.0, 0.1]}]"


async def test_a_tool_that_changes_its_arguments_changes_nobody_elses() -> None:
    arguments: dict[str, Any] = {"list": [1]}
    tool = Called()
    await Invoker().invoke(tool.snapshot, "tool", arguments)
    tool.given[0]["list"].clear()
    assert arguments == {"list": [1]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"list": [10]}, "At 'list[]' the schema's rule 'maximum' is not met."),
        ({"more": 1}, "The schema's rule 'additionalProperties' is not met."),
        ({"never": 1}, "At 'never' the schema admits nothing."),
        ([], "The schema's rule 'type' is not met."),
        ("[]", "The schema's rule 'type' is not met."),
        ('{"a": 1, "a": 2}', "They are no JSON, or a name comes twice in them."),
        ({"list": [float("nan")]}, "A number in them is not finite, or too large."),
        ({"list": [0] * 20_000}, "They are too large."),
        ('{"list":' * 100 + "0" + "}" * 100, "They are nested too deep."),
    ],
    ids=lambda value: str(value)[:24],
)
async def test_a_model_is_told_in_a_sentence_what_is_wrong(arguments: object, said: str) -> None:
    envelope = await Invoker().invoke(Called().snapshot, "tool", arguments)
    fixed = "The arguments do not fit the tool's schema. Nothing was sent. "
    assert envelope.content == fixed + said


class Odd(dict[str, Any]):
    """Might say one thing when it is checked and another when it is sent."""


@pytest.mark.parametrize(
    "value", ["\ud800", {"\udfff": 1}, object(), (1,), b"x", {1, 2}, float("nan"), Odd(), 1j]
)
async def test_what_cannot_be_sent_is_refused_here_and_the_connection_stays(value: object) -> None:
    policy = dict.fromkeys(("echo", "count", "whoami"), ToolPolicy("read"))
    async with harness(AllowedServer(hostile_spec("well-behaved"), policy)) as opened:
        await opened.pool.connect("bad")
        snapshot, before = opened.registry.snapshot(), len(opened.sent)
        refused = await Invoker().invoke(snapshot, "mcp__bad__echo", {"a": value})
        assert (refused.code, len(opened.sent)) == ("invalid_arguments", before)
        assert (await Invoker().invoke(snapshot, "mcp__bad__echo", {"a": 1})).content == '{"a": 1}'

"""The loop, the management tools and the runner."""

from __future__ import annotations

import anyio
import pytest

from chapters.c05 import OutOfRounds, Reply, ScriptedModel, Subagent, calling
from chapters.c05.lesson.local import COUNT_WORDS
from tests.c05.test_goals import CONNECT, DISCONNECT, ECHO, playing

pytestmark = pytest.mark.anyio

COUNT = ("count_words", {"text": "one two"})


async def test_calls_are_carried_out_in_order_and_their_results_are_shown_next() -> None:
    model = ScriptedModel([calling(COUNT, ("count_words", '{"text": "a"}')), Reply("last word")])
    assert await Subagent(model, [COUNT_WORDS]).run("count") == "last word"
    task, asked, *answers = model.requests[1].messages
    assert (task.role, task.content) == ("user", "count")
    assert [(m.content, m.call_id) for m in answers] == [("2", "call-1"), ("1", "call-2")]
    assert [call.id for call in asked.calls] == ["call-1", "call-2"]


async def test_a_model_that_never_ends_runs_out_of_rounds() -> None:
    async def again(_: object) -> Reply:
        return calling(COUNT)

    model = ScriptedModel([again] * 30)
    with pytest.raises(OutOfRounds):
        await Subagent(model, [COUNT_WORDS]).run("count")
    assert len(model.requests) == 20


async def test_what_a_model_is_shown_cannot_be_called() -> None:
    model = ScriptedModel([])
    await Subagent(model, [COUNT_WORDS]).run("look")
    assert [tool.keys() for tool in model.requests[0].tools] == [
        {"name", "description", "input_schema"}
    ]


@pytest.mark.parametrize(
    ("calls", "codes"),
    [
        ([("connect_mcp", {"alias": "other"})], ["invalid_arguments"]),
        ([("connect_mcp", {"alias": "alpha", "command": "sh"})], ["invalid_arguments"]),
        ([("connect_mcp", {})], ["invalid_arguments"]),
        ([DISCONNECT], ["mcp_not_connected"]),
        ([CONNECT, CONNECT], [None, "mcp_already_connected"]),
        ([CONNECT, DISCONNECT, DISCONNECT], [None, None, "mcp_not_connected"]),
    ],
)
async def test_management_takes_an_alias_and_answers_in_envelopes(
    calls: list[tuple[str, object]], codes: list[str | None]
) -> None:
    async with playing(calling(*calls)) as (runner, *_):
        await runner.run("go")
    assert [outcome.code for outcome in runner.transcript[0].outcomes] == codes


async def test_connecting_says_what_is_there_from_the_next_request_on() -> None:
    async with playing(calling(CONNECT)) as (runner, *_):
        await runner.run("go")
    said = runner.transcript[0].outcomes[0].content
    assert "From the next request on" in said
    assert ECHO[0] in said


async def test_tools_are_in_a_stable_order_local_ones_first() -> None:
    async with playing(calling(CONNECT), calling(DISCONNECT), calling(CONNECT)) as (runner, *_):
        await runner.run("go")
    names = [turn.request.tool_names for turn in runner.transcript]
    assert names[1] == names[3]
    assert names[1][: len(names[0])] == names[0]


async def test_a_teammate_remembers_and_a_subagent_does_not() -> None:
    ask = (("ask_subagent", {"text": "hello"}), ("ask_teammate", {"text": "hello"}))
    async with playing(calling(*ask), calling(*ask)) as (runner, helper, mate):
        await runner.run("go")
    assert [len(request.messages) for request in helper.requests] == [1, 1]
    assert [len(request.messages) for request in mate.requests] == [1, 3]


async def test_what_the_body_raises_comes_out_as_it_was() -> None:
    with pytest.raises(LookupError):
        async with playing():
            _ = dict[str, str]()["nothing"]


async def test_a_helper_that_breaks_is_an_envelope_to_the_lead() -> None:
    async def breaks(_: object) -> Reply:
        raise RuntimeError("sk-secret")

    ask = (("ask_subagent", {"text": "hello"}), ("ask_teammate", {"text": "hello"}))
    with anyio.fail_after(5):
        async with playing(calling(*ask), subagent=(breaks,), teammate=(breaks,)) as (runner, *_):
            await runner.run("go")
    outcomes = runner.transcript[0].outcomes
    assert [outcome.code for outcome in outcomes] == ["tool_failed", "tool_failed"]
    assert "sk-secret" not in str(outcomes)

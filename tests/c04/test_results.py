"""A call that was answered was not refused: what a model is told of each kind of answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.types import TextContent

from chapters.c02.results import CallResult
from chapters.c03 import InputRequired, ResultUnreadable
from chapters.c04 import AllowedServer, Envelope, Invoker, ToolPolicy
from chapters.c04.cleaning import RESULT_CHARACTERS
from chapters.c04.results import text_of
from tests.c04.test_goals import harness
from tests.servers.harness import hostile_spec

pytestmark = pytest.mark.anyio

READ = ToolPolicy("read")
POLICY = dict.fromkeys(("echo", "count", "whoami"), READ)
UNREADABLE = "The server answered, but its answer cannot be used. The call may have taken effect."
NEEDS_INPUT = (
    "The server asked for more input before it completes the call, and gets none here. "
    "The call may have taken effect in part."
)
LATER = {"type": "hologram", "data": "…"}
WORDS = {"type": "text", "text": "done"}
ERAS = ("answers", "answers-in-the-older-era")


async def told(result: object, entry: str = "answers") -> Envelope:
    """Return the envelope of a call that is answered so; the connection stands afterwards."""
    answer = result if entry == "answers-with-a-line" else json.dumps(result)
    server = AllowedServer(hostile_spec(entry, answer), POLICY)
    async with harness(server) as opened:
        await opened.pool.connect("bad")
        snapshot = opened.registry.snapshot()
        envelope = await Invoker().invoke(snapshot, "mcp__bad__echo", {})
        count = await Invoker().invoke(snapshot, "mcp__bad__count", {})
        assert opened.pool.connected == ("bad",)
    assert count.content == "2"  # that one, and this: nothing was sent again
    return envelope


@pytest.mark.parametrize("entry", ERAS)
@pytest.mark.parametrize(
    "result",
    [
        {"content": [LATER]},
        {"content": [None, 7, "words"]},
        {"content": [{"type": "image", "data": "AAAA"}]},
        {},
        {"content": None},
        {"content": "done"},
        {"content": [WORDS], "isError": None},
        {"content": [WORDS], "isError": "false"},
        {"content": [WORDS], "structuredContent": {"n": float("nan")}},
        "done",
        ["done"],
    ],
    ids=str,
)
async def test_an_answer_that_cannot_be_read_is_told_as_that(result: object, entry: str) -> None:
    envelope = await told(result, entry)
    assert (envelope.code, envelope.content) == ("mcp_result_unreadable", UNREADABLE)
    assert ResultUnreadable.sentence == UNREADABLE
    assert not envelope.retry


RESPONSE = '{"jsonrpc":"2.0","id":ID,"result":%s}'


@pytest.mark.parametrize(
    "line",
    [
        RESPONSE % "null",
        RESPONSE % '"half \\ud83d"',
        "\ufeff" + RESPONSE % '"done"',
        '{"jsonrpc":"2.0","id":"ID","result":"done"}',
        '{"jsonrpc":"2.0","id":ID,"error":"broken"}',
        '{"jsonrpc":"2.0","id":ID,"content":[],"isError":true}',
        '{"jsonrpc":"2.0","id":ID,"result":"done","content":[{"type":"text","text":"done"}]}',
        '{"id":ID,"result":{"content":[]}}',
    ],
)
async def test_an_answer_that_is_no_message_is_told_as_that(line: str) -> None:
    envelope = await told(line, "answers-with-a-line")
    assert (envelope.code, envelope.content) == ("mcp_result_unreadable", UNREADABLE)


async def test_an_id_may_come_back_as_text() -> None:
    answer = '{"jsonrpc":"2.0","id":"ID","result":{"content":[{"type":"text","text":"done"}]}}'
    assert (await told(answer, "answers-with-a-line")).content == "done"
    error = '{"jsonrpc":"2.0","id":"ID","error":{"code":1,"message":"broken"}}'
    assert (await told(error, "answers-with-a-line")).code == "mcp_remote_error"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "done"),
        ({"resultType": "complete"}, "done"),
        ({"isError": False}, "done"),
        ({"structuredContent": None}, "done"),
        ({"_meta": {"a": 1}, "another": 1}, "done"),
        ({"content": None, "structuredContent": {"a": 1}}, '{"a": 1}'),
        ({"content": "words", "structuredContent": {"a": 1}}, '{"a": 1}'),
    ],
)
@pytest.mark.parametrize("entry", ERAS)
async def test_what_can_be_read_is_read(more: dict[str, Any], said: str, entry: str) -> None:
    assert (await told({"content": [WORDS], **more}, entry)).content == said


async def test_a_result_of_a_later_kind_cannot_be_used_and_is_no_matter_in_the_older_era() -> None:
    later = {"content": [WORDS], "resultType": "a-later-kind"}
    assert (await told(later)).code == "mcp_result_unreadable"
    assert (await told(later, "answers-in-the-older-era")).content == "done"


async def test_a_request_for_input_is_told_as_that() -> None:
    envelope = await told({"resultType": "input_required", "requestState": "s"})
    assert (envelope.code, envelope.content) == ("mcp_input_required", NEEDS_INPUT)
    assert InputRequired.sentence == NEEDS_INPUT
    assert not envelope.retry


@pytest.mark.parametrize("entry", ERAS)
@pytest.mark.parametrize("content", [[WORDS], [LATER], None, "words"])
async def test_a_reported_failure_is_one_whatever_else_the_answer_holds(
    content: object, entry: str
) -> None:
    envelope = await told({"content": content, "isError": True}, entry)
    assert envelope.code == "mcp_remote_error"
    assert envelope.content == "The server reported that the call failed."


@pytest.mark.parametrize("entry", ERAS)
async def test_one_block_of_an_unknown_kind_costs_that_block_alone(entry: str) -> None:
    envelope = await told({"content": [WORDS, LATER, {"type": "text"}, WORDS]}, entry)
    assert envelope.content == (
        "done\n[a part that cannot be read here, of type hologram]\n"
        "[a part that cannot be read here, of type text]\ndone"
    )


async def test_odd_trimmings_do_not_cost_a_block() -> None:
    trimmed = {**WORDS, "annotations": {"priority": "high"}, "_meta": 7}
    assert (await told({"content": [trimmed]})).content == "done"


@pytest.mark.parametrize(
    ("content", "structured", "shown"),
    [
        (["2 rows"], {"rows": [1, 2]}, '2 rows\n{"rows": [1, 2]}'),
        ([], {"rows": [1, 2]}, '{"rows": [1, 2]}'),
        (None, {"rows": [1, 2]}, '{"rows": [1, 2]}'),
        (['{ "b":1,\n"a":[true] }'], {"a": [True], "b": 1}, '{ "b":1,\n"a":[true] }'),
        (["see:", '{"a": 1}'], {"a": 1}, 'see:\n{"a": 1}'),
        (['{"a": 1}'], {"a": True}, '{"a": 1}\n{"a": true}'),
        (['{"a": 1}'], {"a": "é"}, '{"a": 1}\n{"a": "é"}'),
        (["hello"], {"result": "hello"}, "hello"),
        (["[1, 2]"], {"result": [1, 2]}, "[1, 2]"),
        (["hello"], {"result": "hello", "n": 1}, 'hello\n{"result": "hello", "n": 1}'),
        (["[" * 5_000], {"a": 1}, "[" * 5_000 + '\n{"a": 1}'),
    ],
)
async def test_the_structured_part_is_told_once(
    content: list[str] | None, structured: object, shown: str
) -> None:
    result: dict[str, Any] = {"structuredContent": structured}
    if content is not None:
        result["content"] = [{"type": "text", "text": words} for words in content]
    assert (await told(result)).content == shown


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [(["1"] * 1_000, 1_000_000), (["1"] * 1_000, 9_000), (["[1, 1]" * 600] * 1_000, 2)],
)
def test_no_answer_makes_comparing_take_long(
    texts: list[str], numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand short texts beside megabytes would be compared for minutes."""
    written: list[int] = []

    def counted(value: object) -> str:
        written.append(len(canonical := json.dumps(value, sort_keys=True)))
        return canonical

    monkeypatch.setattr("chapters.c04.results._canonical", counted)
    content = tuple(TextContent(type="text", text=words) for words in texts)
    assert text_of(CallResult(content, {"a": [1] * numbers})).startswith(texts[0])
    assert sum(written) <= 4 * RESULT_CHARACTERS


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (
            {"type": "resource", "resource": {"uri": "file:///a", "text": "line 1\nline 2"}},
            "[resource file:///a]\nline 1\nline 2",
        ),
        (
            {"type": "resource", "resource": {"uri": "a:b", "mimeType": "x/y", "blob": "AAAA"}},
            "[resource a:b, x/y, 3 bytes, not shown]",
        ),
        (
            {"type": "resource_link", "uri": "file:///log.txt", "name": "The log"},
            "[link to the resource The log: file:///log.txt]",
        ),
        (
            {"type": "image", "mimeType": "image/png", "data": "A" * 39_999 + "="},
            "[image, image/png, 29,999 bytes, not shown]",
        ),
        (
            {"type": "audio", "mimeType": "audio/wav", "data": "AA=="},
            "[audio, audio/wav, 1 byte, ",
        ),
        (
            {"type": "resource_link", "uri": "a:\u202e\n\n[resource", "name": "n" * 1000},
            "[link to the resource " + "n" * 300 + " [cut here: 1,000 characters in all]: "
            "a:\\u{202e} [resource]",
        ),
        ({"type": "\x1b" + "t" * 1000}, "\n[a part that cannot be read here, of type \\u{1b}ttt"),
    ],
)
async def test_every_kind_of_block_is_told(block: dict[str, Any], shown: str) -> None:
    envelope = await told({"content": [WORDS, block]})
    assert shown in envelope.content
    assert len(envelope.content) < 1_000


async def test_an_embedded_text_is_bounded_and_cleaned() -> None:
    resource = {"uri": "file:///a", "text": "\x1b" + "a" * 100_000}
    envelope = await told({"content": [{"type": "resource", "resource": resource}]})
    assert envelope.content.startswith("[resource file:///a]\n\\u{1b}aaa")
    assert len(envelope.content) < RESULT_CHARACTERS + 100


async def test_blocks_beyond_the_cap_are_counted() -> None:
    envelope = await told({"content": [WORDS] * 1_200})
    assert envelope.content.count("done") == 1_000
    assert envelope.content.endswith("[200 more parts, not shown]")


async def test_a_server_that_asks_for_roots_is_answered_at_once() -> None:
    async with harness(AllowedServer(hostile_spec("asks-for-roots"), POLICY)) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__bad__echo", {})
    answer = json.loads(envelope.content)
    assert (answer["id"], answer["error"]["code"]) == ("mine", -32600)

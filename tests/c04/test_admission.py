"""Admission and results: what is exposed, and how what comes back is bounded and cleaned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chapters.c03 import Registry
from chapters.c04 import AllowedServer, ExposedTool, Invoker, ToolPolicy, cleaned, local_tool
from chapters.c04.cleaning import DESCRIPTION_CHARACTERS, RESULT_CHARACTERS
from tests.c04.test_goals import harness, publishing
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.anyio

READ = ToolPolicy("read")
ECHO = {"echo": READ}


@pytest.mark.parametrize(
    ("entry", "policy", "code"),
    [
        ("duplicate-tool", ["echo", "other"], "mcp_name_collision"),
        ("names-collide", ["lookup-one", "lookup_one"], "mcp_name_collision"),
        ("control-name", ["look\x1b[31mup\n"], "mcp_name_refused"),
        ("long-name", ["n" * 60], "mcp_name_refused"),
        ("bad-schema-among-good", ["good", "broken", "fine"], "mcp_listing_refused"),
        ("huge-description", ["echo"], "mcp_connect_failed"),
    ],
)
async def test_a_connection_is_refused_as_a_whole(entry: str, policy: list[str], code: str) -> None:
    server = AllowedServer(hostile_spec(entry), dict.fromkeys(policy, READ))
    async with harness(server) as opened:
        assert await opened.connect("bad") == code
        assert len(opened.registry.snapshot()) == 0
        assert opened.pool.connected == ()


async def test_the_operator_is_told_which_tools_do_not_match() -> None:
    async with harness(publishing("a", "b", policy=["a", "c"])) as opened:
        with pytest.raises(Exception, match="is not what the local policy") as caught:
            await opened.pool.connect("bad")
    assert "not in the policy: ['b']" in caught.value.detail  # type: ignore[attr-defined]  # a Fault
    assert "not published: ['c']" in caught.value.detail  # type: ignore[attr-defined]  # a Fault


@pytest.mark.parametrize("entry", ["hostile-description", "long-description"])
async def test_a_description_is_cleaned_bounded_and_marked(entry: str) -> None:
    async with harness(AllowedServer(hostile_spec(entry), ECHO)) as opened:
        await opened.pool.connect("bad")
        description = opened.registry.snapshot().tools["mcp__bad__echo"].description
    assert description.startswith("[external, from bad] ")
    assert len(description) < DESCRIPTION_CHARACTERS + 100
    assert description.isprintable()


async def test_a_long_answer_is_cut_with_a_mark() -> None:
    async with harness(AllowedServer(hostile_spec("long-answer"), ECHO | more())) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__bad__echo", {})
    assert envelope.ok
    assert len(envelope.content) < RESULT_CHARACTERS + 100
    assert envelope.content.startswith("\\u{1b}[31m\\u{202e}a")
    assert envelope.content.endswith("[cut here: 1,000,006 characters in all]")


async def test_a_huge_answer_is_a_local_error() -> None:
    async with harness(AllowedServer(hostile_spec("huge-answer"), ECHO | more())) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__bad__echo", {})
    assert envelope.code == "mcp_connection_lost"


async def test_a_result_that_breaks_its_output_schema_cannot_be_used() -> None:
    server = AllowedServer(hostile_spec("exploding-output-schema"), ECHO)
    async with harness(server) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__bad__echo", {})
        assert opened.pool.connected == ("bad",)
    assert envelope.code == "mcp_result_unreadable"


async def test_a_call_that_was_refused_is_never_sent_again() -> None:
    async with harness(AllowedServer(hostile_spec("header-mismatch"), ECHO | more())) as opened:
        await opened.pool.connect("bad")
        snapshot = opened.registry.snapshot()
        assert (await Invoker().invoke(snapshot, "mcp__bad__echo", {})).code == "mcp_remote_error"
        assert (await Invoker().invoke(snapshot, "mcp__bad__count", {})).content == "2"


async def test_local_tools_take_the_same_path() -> None:
    async def shout(arguments: Mapping[str, object]) -> str:
        return str(arguments["word"]).upper() + "\x1b"

    async def fail(_: Mapping[str, object]) -> str:
        raise RuntimeError("sk-secret")

    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    registry: Registry[ExposedTool] = Registry()
    registry.publish(
        object(),
        [
            local_tool("shout", "Shouts.", schema, "read", shout),
            local_tool("erase", "Erases.", schema, "write", shout),
            local_tool("fail", "Fails.", {"type": "object"}, "read", fail),
        ],
    )
    snapshot = registry.snapshot()
    assert (await Invoker().invoke(snapshot, "shout", '{"word": "a"}')).content == "A\\u{1b}"
    assert (await Invoker().invoke(snapshot, "shout", {"word": 1})).code == "invalid_arguments"
    assert (await Invoker().invoke(snapshot, "erase", {"word": "a"})).code == "permission_denied"
    failed = await Invoker().invoke(snapshot, "fail", {})
    assert failed.code == "tool_failed"
    assert "sk-secret" not in f"{failed} {failed.for_model()}"


async def test_an_approver_sees_what_it_approves_and_its_no_is_final() -> None:
    asked: list[object] = []

    async def deny(tool: ExposedTool, arguments: Mapping[str, object]) -> bool:
        asked.append((tool.name, arguments))
        return False

    async def erase(_: Mapping[str, object]) -> str:
        raise AssertionError("it was denied")

    registry: Registry[ExposedTool] = Registry()
    registry.publish(object(), [local_tool("erase", "Erases.", {"type": "object"}, "write", erase)])
    envelope = await Invoker(deny).invoke(registry.snapshot(), "erase", {"all": True})
    assert envelope.code == "permission_denied"
    assert asked == [("erase", {"all": True})]


async def test_an_approver_that_fails_gives_no_permission() -> None:
    async def fail(*_: object) -> bool:
        raise RuntimeError("sk-secret")

    async def erase(_: Mapping[str, object]) -> str:
        raise AssertionError("it was not permitted")

    registry: Registry[ExposedTool] = Registry()
    registry.publish(object(), [local_tool("erase", "Erases.", {"type": "object"}, "write", erase)])
    envelope = await Invoker(fail).invoke(registry.snapshot(), "erase", {})
    assert envelope.code == "permission_denied"
    assert "sk-secret" not in f"{envelope} {envelope.for_model()}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext é 日本 👍", "plain\n\ttext é 日本 👍"),
        ("\x1b[31m\r\x07\x7f\x9b", "\\u{1b}[31m\\u{d}\\u{7}\\u{7f}\\u{9b}"),
        ("\u202e\u200b\ufeff\u2028", "\\u{202e}\\u{200b}\\u{feff}\\u{2028}"),
        ("\ue000\U000e0041\u0378\ud800", "\\u{e000}\\u{e0041}\\u{378}\\u{d800}"),
        ("a\ufe0f\U000e0100\u034f\u2800", "a\\u{fe0f}\\u{e0100}\\u{34f}\\u{2800}"),
        ("\u3164\u115f\u1160\uffa0", "\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}"),
        ("\u17b4\u17b5\u180b\U000e0fff", "\\u{17b4}\\u{17b5}\\u{180b}\\u{e0fff}"),
        ("non\u00a0breaking \u0915\u093f \uac00", "non\u00a0breaking \u0915\u093f \uac00"),
        ("[bold]markup[/bold]", "[bold]markup[/bold]"),
    ],
)
def test_what_is_invisible_is_shown(text: str, shown: str) -> None:
    assert cleaned(text, 100) == shown


def test_a_cut_is_marked_and_bounded_also_where_cleaning_makes_text_longer() -> None:
    cut = cleaned("\x00" * 50, 100)
    assert len(cut) < 150
    assert "cut here: 50 characters" in cut


def more() -> dict[str, ToolPolicy]:
    """Return the policy of the well-behaved base's other tools."""
    return {"count": READ, "whoami": READ}

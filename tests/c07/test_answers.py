"""What servers answer to a read and to a prompt: bounded, cleaned, refused, or told as a fault."""

from __future__ import annotations

from typing import Any

import pytest

from chapters.c03 import CallTimedOut, ConnectionLost, InputRequired, RemoteError, ResultUnreadable
from chapters.c05 import Message
from chapters.c07 import (
    AllowedLists,
    PromptRefused,
    TemplatePolicy,
    list_resources,
    parse_command,
)
from tests.c07.publishing import GOOD, Json, answering, policy_of, publishing, resource, template

pytestmark = pytest.mark.anyio

READ, GET = "resources/read", "prompts/get"
ONE = "x://one"
INPUT = {"resultType": "input_required", "inputRequests": {}, "requestState": "s"}
HIDDEN = "\x1b[31m\u202e\u200b\u3164\x00"


def message(content: object, role: str = "user") -> Json:
    return {"messages": [{"role": role, "content": content}]}


def words(text: str) -> Json:
    return {"type": "text", "text": text}


def part(uri: str = ONE, **more: object) -> Json:
    return {"uri": uri, **more}


ANSWERS = [
    (READ, "error", RemoteError),
    (READ, {}, ResultUnreadable),
    (READ, "text", ResultUnreadable),
    (READ, {"contents": "none"}, ResultUnreadable),
    (READ, {"contents": [part()]}, ResultUnreadable),
    (READ, {"contents": [{"text": "no uri"}]}, ResultUnreadable),
    (READ, {"contents": [part("x://two", text="secret-of-two")]}, ResultUnreadable),
    (READ, INPUT, InputRequired),
    (READ, "die", ConnectionLost),
    (READ, "hang", CallTimedOut),
    (GET, "error", RemoteError),
    (GET, {}, ResultUnreadable),
    (GET, "text", ResultUnreadable),
    (GET, message(words("w"), role="system"), ResultUnreadable),
    (GET, message(words("w"), role="tool"), ResultUnreadable),
    (GET, message({"type": "later"}), ResultUnreadable),
    (GET, {"messages": message(words("w"))["messages"] * 101}, ResultUnreadable),
    (GET, INPUT, InputRequired),
    (GET, "die", ConnectionLost),
    (GET, "hang", CallTimedOut),
]


@pytest.mark.parametrize(("method", "answer", "fault"), ANSWERS)
async def test_a_fault_of_a_read_or_a_prompt_is_told_as_one_of_a_call(
    method: str, answer: object, fault: Any
) -> None:
    given = answering(method, answer)
    async with publishing(given, call_timeout=0.3 if answer == "hang" else 5.0) as both:
        assert await both.connect() is None
        if method == READ:
            envelope = await both.read(ONE)
            assert (envelope.code, envelope.content) == (fault.code, fault.sentence)
            assert "secret" not in envelope.for_model()
        else:
            assert await both.load(who="you") == fault.code
        kept = answer not in ("die", "hang")
        assert len(both.of("bad")) == (3 if kept else 0)
        if kept and method == READ:
            assert isinstance(await both.load(who="you"), list)
        elif kept:
            assert (await both.read(ONE)).ok


async def test_megabytes_are_bounded_and_binary_is_only_named() -> None:
    uris = ["x://text-of-3", "x://blob-of-3"]
    async with publishing({"resources": [resource(uri) for uri in uris]}) as both:
        await both.connect()
        text, blob = [(await both.read(uri)).content for uri in uris]
        assert len(text) < 33_000
        assert text.endswith("characters in all]")
        assert blob == "[external, from bad]\n[resource x://blob-of-3, 2,250,000 bytes, not shown]"


@pytest.mark.parametrize("uri", ["x://text-of-10", "x://blob-of-10"])
async def test_ten_megabytes_are_more_than_a_line_may_have(uri: str) -> None:
    async with publishing({"resources": [resource(uri)]}) as both:
        await both.connect()
        assert (await both.read(uri)).code == "mcp_connection_lost"
        assert both.of("bad") == []


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        ([], ""),
        ([part(text="")], f"\n[resource {ONE}]\n"),
        ([part(blob="!!! no base64 \x1b")], f"\n[resource {ONE}, 9 bytes, not shown]"),
        (
            [part(text="mine"), part("x://two", text="secret")],
            f"\n[resource {ONE}]\nmine\n[1 more parts or parts of other resources, not shown]",
        ),
        ([part(text=HIDDEN)], f"\n[resource {ONE}]\n" + r"\u{1b}[31m\u{202e}\u{200b}\u{3164}\u{0}"),
    ],
)
async def test_what_is_read_is_told_as_it_is(contents: list[Json], said: str) -> None:
    async with publishing(answering(READ, {"contents": contents})) as both:
        await both.connect()
        envelope = await both.read(ONE)
        assert envelope.ok
        assert envelope.content == f"[external, from bad]{said}"


async def test_parts_beyond_a_number_are_counted_and_not_read() -> None:
    answer = {"contents": [part(text="p")] * 1_000}
    async with publishing(answering(READ, answer)) as both:
        await both.connect()
        content = (await both.read(ONE)).content
        assert content.count("[resource") == 100
        assert content.endswith("[900 more parts or parts of other resources, not shown]")


async def test_a_list_of_resources_has_one_clean_line_each() -> None:
    forged = f"x://a{HIDDEN}\ngood  x://forged"
    given: Json = {
        "resources": [resource(forged, title=f"t\n{HIDDEN}", description="d\n" * 1_000)],
        "resourceTemplates": [template(forged + "{slug}", description=HIDDEN)],
    }
    async with publishing(given) as both:
        assert await both.connect() is None
        mark, *lines = list_resources(both.registry.snapshot(), "bad").split("\n")
        assert mark == "[external, from the server that each line begins with]"
        assert len(lines) == 2
        assert all(line.startswith("bad  x://a\\u{1b}[31m\\u{202e}\\u{200b}") for line in lines)
        assert max(map(len, lines)) < 1_000


async def test_many_resources_are_listed_up_to_a_number() -> None:
    async with publishing({"many": 150}) as both:
        await both.connect()
        _, *lines = list_resources(both.registry.snapshot(), "bad").split("\n")
        assert (len(lines), lines[-1]) == (101, "[50 more, not shown]")


async def test_a_prompts_words_are_cleaned_and_bounded_together() -> None:
    said = [{"role": "assistant", "content": words(HIDDEN + "w" * 700)}] * 100
    async with publishing(answering(GET, {"messages": said})) as both:
        await both.connect()
        messages = await both.load(who="you")
        assert isinstance(messages, list)
        assert {m.role for m in messages} == {"assistant"}
        assert all(m.content.startswith("[external, from bad's prompt greet]\n") for m in messages)
        text = "".join(m.content for m in messages)
        assert not set(HIDDEN) & set(text) - set("[31m")
        assert len(text) < 32_000 + 100 * 120


async def test_words_of_a_prompts_arguments_are_cleaned() -> None:
    argument = {"name": "who", "title": HIDDEN, "description": HIDDEN + "d" * 5_000}
    given = {"prompts": [{"name": "greet", "description": HIDDEN, "arguments": [argument]}]}
    async with publishing(given) as both:
        assert await both.connect() is None
        prompt: Any = both.registry.snapshot().get("/mcp__bad__greet")
        text = prompt.description + prompt.arguments[0].description
        assert len(text) < 2_200
        assert not set(HIDDEN) & set(text) - set("[31m")


@pytest.mark.parametrize(
    "arguments",
    [{}, {"other": "x"}, {"who": "x", "other": "x"}, {"who": "x" * 2_001}, {"who": "\udcff"}],
)
async def test_arguments_that_do_not_fit_send_nothing(arguments: dict[str, str]) -> None:
    async with publishing(answering(GET, "die")) as both:
        await both.connect()
        assert await both.load(**arguments) == PromptRefused.code
        assert len(both.of("bad")) == 3


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        (ONE, f"[resource {ONE}]\nembedded"),
        ("x://page/slug", "[resource x://page/slug]\nembedded"),
        ("x://secret", "[resource x://secret, which may not be read here]"),
        ("x://page/secret", "[resource x://page/secret, which may not be read here]"),
        ("x://page/..", "[resource x://page/.., which may not be read here]"),
        ("x://\n\u202e", "[resource x:// \\u{202e}, which may not be read here]"),
    ],
)
async def test_an_embedded_resource_is_under_the_policy_for_resources(uri: str, shown: str) -> None:
    content = {"type": "resource", "resource": {"uri": uri, "text": "embedded"}}
    secrets = ["x://secret", "x://page/secret"]
    given = answering(GET, message(content), resources=[resource(u) for u in (ONE, *secrets)])
    all_of_it = policy_of(given)
    resources = {**all_of_it.resources, **dict.fromkeys(secrets, "withheld")}
    policy = AllowedLists(resources, all_of_it.templates, all_of_it.prompts)  # type: ignore[arg-type]
    async with publishing(given, policy) as both:
        await both.connect()
        messages = await both.load(who="you")
        where = "[external, from bad's prompt greet]\n"
        assert messages == [Message("user", where + shown)]


async def test_what_is_withheld_is_not_there_and_no_template_leads_to_it() -> None:
    secret = "x://page/secret"
    given = {
        **GOOD,
        "resources": [resource(secret), resource("x://has blank")],
        "resourceTemplates": [
            template("x://page/{slug}"),
            template("x://page/draft-{id}"),
            template("x://{+bad}"),
        ],
        "prompts": [{"name": "greet", "arguments": 10_000}],
        "on": {READ: "die", GET: "die"},
    }
    policy = AllowedLists(
        {secret: "withheld", "x://has blank": "read"},
        {
            **policy_of(GOOD).templates,
            "x://page/draft-{id}": TemplatePolicy("withheld"),
            "x://{+bad}": TemplatePolicy("withheld"),
        },
        {"greet": "withheld"},
    )
    async with publishing(given, policy) as both:
        assert await both.connect() is None
        assert both.of("bad") == ["bad x://has blank", "{bad} x://page/{slug}"]
        for uri in (secret, "x://page/draft-1", "x://page/%73ecret", "x://page/se%63ret", "x://x"):
            assert (await both.read(uri)).code == "mcp_resource_refused"
        assert (await both.read("blank", "bad x://has")).code == "mcp_resource_refused"
        assert await both.load() == "mcp_prompt_refused"
        assert len(both.of("bad")) == 2


@pytest.mark.parametrize("narrow", ["x://page/{id}", "x://page/{slug}", "x://page/{z}"])
async def test_templates_that_share_a_uri_have_to_take_it_in_any_order(narrow: str) -> None:
    texts = sorted({"x://page/{slug}", narrow, "x://page/{name}"})
    given = {**GOOD, "resourceTemplates": [template(text) for text in texts]}
    all_of_it = policy_of(given)
    rules = {**all_of_it.templates, narrow: TemplatePolicy(values={narrow[10:-1]: "[a-z]+"})}
    async with publishing(
        given, AllowedLists(all_of_it.resources, rules, all_of_it.prompts)
    ) as both:
        await both.connect()
        assert (await both.read("x://page/a")).ok
        assert (await both.read("x://page/1")).code == "mcp_resource_refused"


@pytest.mark.parametrize("line", ["/p a", "/p =a", "/p a=1 a=2", "/p 'a"])
def test_a_command_that_is_none_says_so(line: str) -> None:
    with pytest.raises(ValueError, match=r"should be|twice|quotation"):
        parse_command(line)


async def test_words_are_cleaned_for_who_shows_them_and_not_while_connecting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def noted(text: str, _: int) -> str:
        asked.append(text)
        return ""

    monkeypatch.setattr("chapters.c07.exposed.cleaned", noted)
    given = {"resources": [resource(ONE, description=HIDDEN)], "prompts": GOOD["prompts"]}
    async with publishing(given) as both:
        assert await both.connect() is None
        assert asked == []
        list_resources(both.registry.snapshot(), "bad")
        assert len(asked) == 1

"""Reading what one connection publishes is bounded as a whole, and its words are cleaned.

No clock is read here: as in test_budget.py, the interpreter's own count of function calls is held
against the budget.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from chapters.c02 import Connection, Published, PublishedTool, ServerSpec, Wire
from chapters.c04 import AllowedServer, SchemaFault, SchemaRefused, ToolPolicy, compile_schema
from chapters.c04.admission import strict_admission
from chapters.c04.cleaning import DESCRIPTION_CHARACTERS
from chapters.c04.gate import READING_STEPS, Budget
from tests.c04.counting import CALLS_A_STEP, counted_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c04 import ExposedTool

SPEC = ServerSpec("a", "x")
READ = ToolPolicy("read")


def published(schema: object, description: str = "", output: object = None) -> PublishedTool:
    return PublishedTool("t", description, cast("Any", schema), cast("Any", output), {})


def admitted(tools: Sequence[PublishedTool], policy: ToolPolicy = READ) -> Sequence[ExposedTool]:
    """Admit tools as t0, t1 and so on."""
    named = tuple(
        PublishedTool(f"t{i}", t.description, t.input_schema, t.output_schema, {})
        for i, t in enumerate(tools)
    )
    server = AllowedServer(SPEC, dict.fromkeys((tool.name for tool in named), policy))
    connection = Connection(SPEC, "2026-07-28", Published(named), cast("Any", None), Wire())
    return strict_admission({"a": server})(connection, cast("Any", SimpleNamespace(call=None)))


def of_a(**schema: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}}


MANY_PATTERNS = {"type": "object", "patternProperties": {f"^p{i}$": True for i in range(150)}}
EACH_A_CONST = {"type": "object", "properties": {f"p{i}": {"const": i} for i in range(900)}}
REFERRING = {
    "type": "object",
    "properties": {f"p{i}": {"$ref": "#/$defs/d"} for i in range(900)},
    "$defs": {"d": {"type": "string"}},
}
HOSTILE = {
    "large enums": [published(of_a(enum=list(range(15_000))))] * 25,
    "large enums of objects": [published(of_a(enum=[{"b": i} for i in range(5_000)]))] * 25,
    "large enums for the output": [
        published({"type": "object"}, output=of_a(enum=list(range(15_000))))
    ]
    * 25,
    "constants": [published(EACH_A_CONST)] * 60,
    "large defaults": [published(of_a(default=list(range(15_000))))] * 25,
    "patterns": [published(MANY_PATTERNS)] * 300,
    "references": [published(REFERRING)] * 60,
    "escapes in descriptions": [published({"type": "object"}, "\u200b" * 1_000)] * 1_000,
    "escapes in titles": [published(of_a(title="\u200b" * 1_000))] * 1_000,
    "escapes in examples": [published(of_a(examples=["\u200b"] * 9_000))] * 100,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_the_work_of_admitting_a_connection_is_bounded(case: str) -> None:
    with counted_calls() as calls, pytest.raises(SchemaFault) as refused:
        admitted(HOSTILE[case])
    assert "there is too much work in reading" in refused.value.detail
    assert calls.count <= CALLS_A_STEP * READING_STEPS


def test_hundreds_of_honest_tools_are_admitted() -> None:
    properties = {f"p{i}": {"type": "string", "description": "Text. " * 10} for i in range(8)}
    honest = published({"type": "object", "properties": properties}, "説明。\n" * 50)
    assert len(admitted([honest] * 500)) == 500


def test_schemas_that_are_read_alone_do_not_share_a_budget() -> None:
    large = of_a(enum=list(range(15_000)))
    for _ in range(3):
        compile_schema(large)
    budget = Budget(READING_STEPS)
    compile_schema(large, budget=budget)
    with pytest.raises(SchemaRefused, match="too much work"):
        compile_schema(large, budget=budget)


HIDDEN = "a\u202eb\U000e0041\ufe0f\x1b"
SHOWN = "a\\u{202e}b\\u{e0041}\\u{fe0f}\\u{1b}"
WORDS = {"title": HIDDEN, "description": HIDDEN, "$comment": HIDDEN}
CLEAN = {"title": SHOWN, "description": SHOWN, "$comment": SHOWN}


def shown(schema: dict[str, Any]) -> Any:
    """Return what is exposed of an input schema, by way of JSON."""
    return json.loads(json.dumps(dict(admitted([published(schema)])[0].input_schema)))


@pytest.mark.parametrize("keyword", ["title", "description", "$comment", "format"])
def test_a_schemas_words_are_cleaned_and_bounded(keyword: str) -> None:
    assert shown({"type": "object", keyword: HIDDEN}) == {"type": "object", keyword: SHOWN}
    long = shown({"type": "object", keyword: "word " * 10_000})[keyword]
    assert len(long) < DESCRIPTION_CHARACTERS + 100
    assert "cut here" in long


def test_words_are_cleaned_at_every_level_and_names_are_no_words() -> None:
    inner = {"type": "string", **WORDS}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "description": inner,
            "title": {"items": inner, "prefixItems": [inner]},
            "examples": {"anyOf": [inner, True], "not": {"not": inner}},
            "$comment": False,
        },
        "patternProperties": {"^x": inner},
        "additionalProperties": inner,
        "$defs": {"title": inner},
        "if": {"then": {"contentSchema": inner}},
    }
    expected = json.loads(json.dumps(schema).replace(json.dumps(HIDDEN), json.dumps(SHOWN)))
    assert expected != schema
    assert shown(schema) == expected


def test_words_are_found_by_the_schemas_own_dialect() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"items": [WORDS], "additionalItems": WORDS}},
        "definitions": {"c": WORDS},
    }
    assert shown(schema) == {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"items": [CLEAN], "additionalItems": CLEAN}},
        "definitions": {"c": CLEAN},
    }


def test_examples_are_cleaned_and_what_a_caller_may_have_to_send_is_not() -> None:
    value = [HIDDEN, 1, {HIDDEN: [HIDDEN]}]
    clean = [SHOWN, 1, {SHOWN: [SHOWN]}]
    schema = of_a(examples=value, enum=value, default=value, const=value)
    assert shown(schema) == of_a(examples=clean, enum=value, default=value, const=value)


def test_a_schema_that_the_server_sent_is_not_the_one_that_is_shown() -> None:
    schema = of_a(title=HIDDEN)
    [tool] = admitted([published(schema)])
    cast("Any", tool.input_schema)["properties"].clear()
    assert schema == of_a(title=HIDDEN)


@pytest.mark.parametrize("pinned", ["", "Ours."])
def test_a_description_that_is_pinned_is_the_one_that_is_shown(pinned: str) -> None:
    [tool] = admitted([published({"type": "object"}, "Theirs.")], ToolPolicy("read", pinned))
    assert tool.description == pinned


def test_every_word_of_an_annotation_is_cleaned_whoever_made_it_up() -> None:
    value = [HIDDEN, 1, {HIDDEN: [HIDDEN, None]}]
    clean = [SHOWN, 1, {SHOWN: [SHOWN, None]}]
    words = ["x-order", "example", "discriminator", "enumDescriptions", "errorMessage", "nullable"]
    inner = of_a(**dict.fromkeys(words, value))
    expected = of_a(**dict.fromkeys(words, clean))
    assert shown({**inner, "x-more": HIDDEN}) == {**expected, "x-more": SHOWN}
    assert shown({"$id": HIDDEN, "type": "object"}) == {"$id": SHOWN, "type": "object"}


def test_properties_that_are_called_as_annotations_are_none() -> None:
    names = ["x-order", "example", "nullable", "discriminator", "$id", "description"]
    schema = {"type": "object", "properties": {name: {"enum": [HIDDEN]} for name in names}}
    assert shown(schema) == schema

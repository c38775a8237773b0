"""What arguments are refused for, where, and in which words."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry

from chapters.c04.gate import compile_schema
from chapters.c04.gate.arguments import ArgumentsRefused, BadArguments, parse_arguments

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z]+-[0-9]+$", "maxLength": 12},
        "count": {"type": "integer", "minimum": 1, "maximum": 99},
        "price": {"type": "number", "multipleOf": 0.01},
        "unit": {"$ref": "#/$defs/unit"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}}},
        },
        "free": {"type": "object", "additionalProperties": {"type": "integer"}},
        "either": {"oneOf": [{"type": "integer"}, {"type": "number", "maximum": 10}]},
        "never": False,
    },
    "required": ["id"],
    "additionalProperties": False,
    "$defs": {"unit": {"enum": ["kg", 1, None, {"a": [1]}]}},
}
CHECK = compile_schema(ORDER)


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ('{"a": 1, "a": 1}', "json"),
        ('{"a": {"b": 1, "b": 2}}', "json"),
        ('{"a": [{"\\u0062": 1, "b": 2}]}', "json"),
        ('{"a": NaN}', "number"),
        ('{"a": [-Infinity]}', "number"),
        ('{"a": 1e999}', "number"),
        ('{"a": -1e999}', "number"),
        ('{"a": ' + "9" * 310 + "}", "number"),
        ('{"a": ' + "9" * 5_000 + "}", "number"),
        ('{"a": ' + "9" * 500_000 + "}", "number"),
        ("[]", "type"),
        ("null", "type"),
        ('"{}"', "type"),
        ("", "json"),
        ("{", "json"),
        ("{} {}", "json"),
        ("{'a': 1}", "json"),
        ('{"a": 1,}', "json"),
        ('{"a": "\\ud800"}', "json"),
        ("\ufeff{}", "json"),
        (b"\xff", "json"),
        ("{}".encode("utf-16"), "json"),
        ('{"a": ' + "[" * 65 + "]" * 65 + "}", "depth"),
        ('{"a": ' + "[" * 100_000, "depth"),
        ('{"a":' * 100_000, "depth"),
        ('{"a": [' + "0," * 20_000 + "0]}", "size"),
        ('{"a": "' + "a" * (1 << 20) + '"}', "size"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_text_that_holds_no_arguments_is_refused(text: str | bytes, keyword: str) -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        parse_arguments(text)
    assert refused.value.bad == BadArguments("", keyword)


@pytest.mark.parametrize("text", ['{"a": [1, 2.0, "é", null, true, {}]}', "{}", ' {"a": 1e308}\n'])
def test_text_that_holds_arguments_is_read_as_it_is(text: str) -> None:
    assert parse_arguments(text) == parse_arguments(text.encode()) == json.loads(text)
    assert json.dumps(parse_arguments(text)) == json.dumps(json.loads(text))


@pytest.mark.parametrize(
    ("arguments", "place", "keyword"),
    [
        ({}, "id", "required"),
        ({"id": 5}, "id", "type"),
        ({"id": "A-1"}, "id", "pattern"),
        ({"id": "a-12345678901"}, "id", "maxLength"),
        ({"id": "a-1", "count": 0}, "count", "minimum"),
        ({"id": "a-1", "count": True}, "count", "type"),
        ({"id": "a-1", "price": 0.001}, "price", "multipleOf"),
        ({"id": "a-1", "unit": "lb"}, "unit", "enum"),
        ({"id": "a-1", "unit": True}, "unit", "enum"),
        ({"id": "a-1", "tags": ["x", "x"]}, "tags", "uniqueItems"),
        ({"id": "a-1", "tags": ["x", 5]}, "tags[]", "type"),
        ({"id": "a-1", "lines": [{}, {"text": 5}]}, "lines[].text", "type"),
        ({"id": "a-1", "secret": 5}, "", "additionalProperties"),
        ({"id": "a-1", "free": {"secret": "x"}}, "free", "type"),
        ({"id": "a-1", "either": 5}, "either", "oneOf"),
        ({"id": "a-1", "never": 5}, "never", "false"),
    ],
)
def test_a_refusal_names_the_declared_place_and_the_keyword(
    arguments: object, place: str, keyword: str
) -> None:
    assert CHECK.check(arguments) == BadArguments(place, keyword)


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": "a-1", "count": 5.0, "price": 19.99, "unit": 1.0, "tags": [], "free": {"x": 1}},
        {"id": "a-1", "unit": {"a": [1]}, "lines": [{"text": "t", "more": [1]}], "either": 11},
        {"id": "a-1", "price": 1e300},
        {"id": "a-1", "price": -0.0, "unit": None, "tags": ["x", "X", "x "]},
    ],
)
def test_good_arguments_pass(arguments: object) -> None:
    assert CHECK.check(arguments) is None


SECRET = "hunter2"


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalProperties": False},
        {"additionalProperties": {"type": "integer"}},
        {"patternProperties": {"2$": {"type": "integer"}}},
        {"propertyNames": {"maxLength": 3}},
        {"maxProperties": 0},
        {"additionalProperties": {"properties": {SECRET: {"type": "integer"}}}},
    ],
)
def test_a_name_that_the_schema_does_not_declare_there_is_never_repeated(
    schema: dict[str, Any],
) -> None:
    bad = compile_schema({"type": "object", **schema}).check({SECRET: {SECRET: SECRET}})
    assert bad is not None
    assert bad.place == ""


def test_a_declared_name_that_is_not_plain_text_is_not_repeated() -> None:
    for name in ("a\x1b[2J", "a\u202eb", "a\ufe0f", "a\u3164", "a\u2800", "n" * 65):
        schema = {"type": "object", "properties": {name: {"type": "integer"}}}
        assert compile_schema(schema).check({name: "x"}) == BadArguments("", "type")


@pytest.mark.parametrize(
    ("value", "keyword"),
    [
        (float("nan"), "number"),
        (float("inf"), "number"),
        ([{"a": float("-inf")}], "number"),
        (1 << 1025, "number"),
        ((1, 2), "json"),
        ({1: 2}, "json"),
        (b"x", "json"),
        (object(), "json"),
        ("\ud800", "json"),
        ({"\udfff": 1}, "json"),
        ("a" * (1 << 20), "size"),
        ([0] * 20_000, "size"),
        ([(1 << 1024) - 1] * 9_000, "size"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_parsed_arguments_are_bounded_too(value: object, keyword: str) -> None:
    check = compile_schema({"type": "object"})
    assert check.check({"a": value}) == BadArguments("", keyword)


def test_parsed_arguments_of_any_depth_are_refused_without_recursion() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert compile_schema({"type": "object"}).check(deep) == BadArguments("", "depth")
    while deep:  # taken apart by hand: dropping it whole is a recursion of the interpreter's own
        deep = deep.pop("a")


def test_arguments_that_contain_themselves_are_refused() -> None:
    loop: dict[str, Any] = {}
    loop["a"] = loop
    assert compile_schema({"type": "object"}).check(loop) == BadArguments("", "depth")


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ([1, True, 0, False, "1", None, [], {}], True),
        ([1, 1.0], False),
        ([0, -0.0], False),
        ([[1, True], [1, 1]], True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], False),
        ([{"a": 1}, {"a": True}], True),
        (["é", "e\u0301"], True),
        ([1e300, 10**300], True),
        ([1e300, int(1e300)], False),
        ([index * ((1 << 61) - 1) for index in range(9_000)], True),
    ],
    ids=lambda value: str(value)[:20],
)
def test_unique_means_what_json_schema_means_by_equal(items: list[Any], unique: bool) -> None:
    check = compile_schema({"type": "object", "properties": {"a": {"uniqueItems": True}}})
    assert (check.check({"a": items}) is None) == unique


@pytest.mark.parametrize(
    ("divisor", "value", "multiple"),
    [
        (0.01, 19.99, True),
        (0.1, 0.3, True),
        (0.1, 0.35, False),
        (3, 9, True),
        (3, 9.0, True),
        (3, 10, False),
        (1e-308, 1e308, True),
        (5e-324, 1.7976931348623157e308, True),
        (1e308, 1e-308, False),
        (0.5, 1 << 1023, True),
        (7, "no number", True),
        (7, True, True),
    ],
)
def test_multiples_are_taken_of_the_digits_as_written(
    divisor: float, value: object, multiple: bool
) -> None:
    check = compile_schema({"type": "object", "properties": {"a": {"multipleOf": divisor}}})
    assert (check.check({"a": value}) is None) == multiple


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^abc$", "abc\n", False),
        (r"^\d$", "\N{ARABIC-INDIC DIGIT ONE}", False),
        ("^.$", "\N{PILE OF POO}", True),
        ("^\\p{L}$", "é", True),
    ],
)
def test_a_pattern_is_searched_for_as_ecma_would(pattern: str, text: str, matches: bool) -> None:
    check = compile_schema({"type": "object", "properties": {"a": {"pattern": pattern}}})
    assert (check.check({"a": text}) is None) == matches


ORDERS = [
    {},
    {"id": "a-1"},
    {"id": "a-1", "count": 5, "tags": ["a", "b"], "unit": 1},
    {"id": "a-1", "count": 100},
    {"id": "a-1", "count": "5"},
    {"id": "a-1", "tags": ["a", "a"]},
    {"id": "a-1", "unit": {"a": [1.0]}},
    {"id": "a-1", "unit": {"a": [True]}},
    {"id": "a-1", "lines": [{"text": "x"}, {"text": None}]},
    {"id": "a-1", "lines": [{}, []]},
    {"id": "a-1", "free": {"x": 1, "y": 2}},
    {"id": "a-1", "free": {"x": 1.5}},
    {"id": "a-1", "either": 10.5},
    {"id": "a-1", "either": 9.5},
    {"id": "a-1", "either": 9},
    {"id": "a-1", "more": 1},
    {"id": "a-1", "never": None},
]


@pytest.mark.parametrize("arguments", ORDERS, ids=str)
def test_the_verdict_is_plain_jsonschema_s(arguments: object) -> None:
    plain = Draft202012Validator(ORDER, registry=Registry())
    assert (CHECK.check(arguments) is None) == plain.is_valid(arguments)


def test_a_word_that_constrains_nothing_admits_nothing_more_either() -> None:
    check = compile_schema(
        {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}}
    )
    assert check.check({"a": "x"}) is None
    assert check.check({"a": None}) == BadArguments("a", "type")


@pytest.mark.parametrize(
    ("schema", "place", "keyword"),
    [
        ({"additionalProperties": False}, "", "additionalProperties"),
        ({"prefixItems": [True], "items": False}, "a[]", "false"),
        ({"items": {"items": {"type": "null"}}}, "a[][]", "type"),
        ({"items": {"required": ["b"]}}, "a[].b", "required"),
        ({"not": {}}, "a", "not"),
        ({"if": True, "then": False}, "a", "false"),
        ({"allOf": [{"minLength": 9}]}, "a", "minLength"),
    ],
)
def test_a_place_leads_from_the_outside_to_the_inside(
    schema: dict[str, Any], place: str, keyword: str
) -> None:
    values = {"a": [[1], {}] if "[]" in place else "text"}
    inner = schema if keyword == "additionalProperties" else {"properties": {"a": schema}}
    if place == "a[].b":
        values = {"a": [{}]}
    assert compile_schema({"type": "object", **inner}).check(values) == BadArguments(place, keyword)

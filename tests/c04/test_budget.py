"""The work of one check is bounded, whatever schema and arguments a server and a model make up.

No clock is read here. The steps that a check says it took are held against the interpreter's own
count of function calls: where those go hand in hand, the budget bounds the time as well.
"""

from typing import Any

import pytest

from chapters.c04.gate.arguments import BadArguments
from chapters.c04.gate.bounds import STEPS, Budget
from chapters.c04.gate.reading import compile_schema
from tests.c04.counting import CALLS_A_STEP, counted_calls

NUMBERS = list(range(9_000))
NAMED = {f"n{number}": number for number in NUMBERS}
TEXT = "a" * 1_000_000


def of_a(schema: object, **more: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}, **more}


def chain(link: Any, end: object, length: int = 30) -> dict[str, Any]:
    """Return a schema for `a` that is `link` of the next one, `length` deep."""
    links = {f"d{index}": link({"$ref": f"#/$defs/d{index + 1}"}) for index in range(length)}
    return of_a({"$ref": "#/$defs/d0"}, **{"$defs": {**links, f"d{length}": end}})


def branches(branch: object, count: int = 900) -> dict[str, Any]:
    return of_a({"anyOf": [branch] * count})


def nested_value(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"c": value}
    return value


TEXTUAL = {"type": "string"}
HOSTILE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "anyOf doubles": (chain(lambda ref: {"anyOf": [ref, ref]}, TEXTUAL), {"a": 1}),
    "oneOf doubles": (chain(lambda ref: {"oneOf": [ref, ref]}, {"type": "integer"}), {"a": 1}),
    "allOf doubles": (chain(lambda ref: {"allOf": [ref, ref]}, {"type": "integer"}), {"a": 1}),
    "if doubles": (chain(lambda ref: {"if": ref, "else": ref}, TEXTUAL), {"a": 1}),
    "not and if double": (
        chain(lambda ref: {"not": ref, "if": ref, "else": ref}, TEXTUAL),
        {"a": 1},
    ),
    "references nest with the value": (
        {
            "type": "object",
            "properties": {"c": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}},
            "required": ["z"],
        },
        nested_value(60),
    ),
    "a long chain of references": (chain(lambda ref: ref, TEXTUAL, 1_900), {"a": 1}),
    "every item again": (branches({"items": {"type": "string"}}), {"a": NUMBERS}),
    "every item for true": (of_a({"allOf": [{"items": {}}] * 900}), {"a": NUMBERS}),
    "an empty tuple with a rest that admits nothing, in every branch": (
        branches({"prefixItems": [{}], "items": False}, 600),
        {"a": [(1 << 1024) - 1] * 8_000},
    ),
    "unique in every branch": (branches({"uniqueItems": True, "minItems": 1}), {"a": NUMBERS}),
    "one set of numbers that hash alike": (
        of_a({"uniqueItems": True}),
        {"a": [number * ((1 << 61) - 1) for number in NUMBERS]},
    ),
    "a large value against every enum": (branches({"enum": [[1]]}), {"a": NUMBERS}),
    "a long text in every error": (branches({"maxLength": 1}), {"a": TEXT}),
    "a long name in every error": (
        {"type": "object", "anyOf": [{"propertyNames": {"maxLength": 1}}] * 900},
        {TEXT: 1},
    ),
    "many patterns, many names": (
        {"type": "object", "patternProperties": {f"^x{i}y+$": False for i in range(150)}},
        NAMED,
    ),
    "a pattern with a large program on a long text": (
        of_a({"pattern": "(a?){500}a{500}"}),
        {"a": ("a" * 30 + "!") * 30_000},
    ),
    "many declared properties, none there": (
        {
            "type": "object",
            "anyOf": [{"$ref": "#/$defs/p"}] * 900,
            "$defs": {"p": {"properties": dict.fromkeys(map(str, range(900)), True), "not": {}}},
        },
        {},
    ),
    "many required names": (
        {
            "type": "object",
            "allOf": [{"$ref": "#/$defs/p"}] * 900,
            "$defs": {"p": {"required": list(NAMED)}},
        },
        NAMED,
    ),
    "multiples of the smallest number": (
        of_a({"items": {"multipleOf": 5e-324}}),
        {"a": [1.7976931348623157e308] * 9_000},
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_the_work_of_a_check_is_bounded(case: str) -> None:
    schema, arguments = HOSTILE[case]
    check = compile_schema(schema)
    budget = Budget()
    with counted_calls() as calls:
        check.check(arguments, budget)
    assert budget.spent <= STEPS
    # The first copy of the arguments is not paid in steps: a few calls for each of 20,000 values.
    assert calls.count <= CALLS_A_STEP * budget.spent + 200_000


def test_a_check_that_runs_out_says_budget_and_nothing_more() -> None:
    schema, arguments = HOSTILE["anyOf doubles"]
    assert compile_schema(schema).check(arguments) == BadArguments("", "budget")


def test_a_chain_longer_than_the_stack_says_depth() -> None:
    schema, arguments = HOSTILE["a long chain of references"]
    assert compile_schema(schema).check(arguments) == BadArguments("", "depth")


def test_one_check_does_not_spend_another_s_budget() -> None:
    schema, arguments = HOSTILE["anyOf doubles"]
    hostile, honest = compile_schema(schema), compile_schema(of_a(TEXTUAL))
    for _ in range(3):
        assert hostile.check(arguments) is not None
        assert honest.check({"a": "text"}) is None


def test_a_large_honest_call_fits() -> None:
    row = {
        "type": "object",
        "properties": {"name": TEXTUAL, "count": {"type": "integer", "minimum": 0}},
        "required": ["name"],
        "additionalProperties": False,
    }
    check = compile_schema(of_a({"type": "array", "items": row}))
    assert check.check({"a": [{"name": "n", "count": 1}] * 1_000}) is None
    assert compile_schema(of_a(TEXTUAL)).check({"a": TEXT}) is None

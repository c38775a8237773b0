"""The gate against schemas and arguments that nobody wrote.

Generated from the keywords' own tables, and mutated from valid ones: it answers, it raises nothing
but its own refusal, it stays within its budget, and where plain jsonschema can be trusted with the
same question it gives the same answer.
"""

import functools
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for
from referencing import Registry

from chapters.c04.gate.arguments import ArgumentsRefused, parse_arguments
from chapters.c04.gate.bounds import STEPS, Budget, SchemaRefused
from chapters.c04.gate.keywords import DRAFT_07, DRAFT_2020_12, Dialect
from chapters.c04.gate.reading import compile_schema

DIALECTS = {
    "http://json-schema.org/draft-07/schema#": DRAFT_07,
    "https://json-schema.org/draft/2020-12/schema": DRAFT_2020_12,
}
WORDS = sorted(set().union(*(dialect.keywords for dialect in DIALECTS.values())))
NAMES = st.sampled_from(["a", "b", "c", "type", "required", "$ref", "x y"])
# Patterns that Python's matcher and RE2 read alike.
PATTERNS = st.sampled_from(["^a", "b", "^[a-c]+$", "^x*", "[0-9]{2}"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([0.5, 1.0, 2.5, -0.0, 1e300]),
    st.sampled_from(["", "a", "b", "abc", "x y", "42", "é"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)
TYPES = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])
REFERENCES = st.sampled_from(["#", "#/$defs/a", "#/$defs/b", "#/definitions/a", "#/properties/a"])


def _keyword_values(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    by_name = st.dictionaries(NAMES, inner, max_size=3)
    listed = st.lists(inner, min_size=1, max_size=3)
    names = st.lists(NAMES, unique=True, max_size=3)
    count = st.integers(0, 4)
    return {
        "type": TYPES | st.lists(TYPES, min_size=1, unique=True),
        "enum": st.lists(VALUES, max_size=4),
        "const": VALUES,
        "multipleOf": st.sampled_from([1, 2, 3, 0.5]),
        **dict.fromkeys(
            ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.integers(-2, 9)
        ),
        **dict.fromkeys(
            ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
            count,
        ),
        "pattern": PATTERNS,
        "uniqueItems": st.booleans(),
        "required": names,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        **dict.fromkeys(("properties", "$defs", "definitions"), by_name),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), listed),
        "items": inner | listed,
        **dict.fromkeys(("additionalItems", "additionalProperties", "propertyNames", "not"), inner),
        **dict.fromkeys(("if", "then", "else", "contentSchema"), inner),
        "$ref": REFERENCES,
        **dict.fromkeys(("title", "format", "$comment"), st.just("text")),
        **dict.fromkeys(("default", "example", "discriminator", "errorMessage"), VALUES),
        "nullable": st.booleans(),
    }


def _schemas(dialect: Dialect, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    values = _keyword_values(inner)
    known = sorted(values.keys() & dialect.keywords.keys())
    return st.lists(st.sampled_from(known), max_size=4, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({keyword: values[keyword] for keyword in chosen})
    )


SUBSCHEMAS: dict[str, st.SearchStrategy[Any]] = {
    name: st.recursive(
        st.booleans() | st.just({}), functools.partial(_schemas, dialect), max_leaves=8
    )
    for name, dialect in DIALECTS.items()
}


@st.composite
def object_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a schema that is mostly well-formed, in one of the dialects."""
    name = draw(st.sampled_from(sorted(DIALECTS)))
    schema = draw(_schemas(DIALECTS[name], SUBSCHEMAS[name]))
    for definitions in sorted({"$defs", "definitions"} & DIALECTS[name].keywords.keys()):
        schema[definitions] = {"a": draw(SUBSCHEMAS[name]), "b": draw(SUBSCHEMAS[name])}
    return {**schema, "type": "object", "$schema": name}


@st.composite
def mutated(draw: st.DrawFn, valid: Any) -> Any:
    """Draw a copy of `valid` with one place in it replaced, renamed or removed."""
    copy = json.loads(json.dumps(valid))
    holders = [copy]
    for holder in holders:
        children = holder.values() if isinstance(holder, dict) else holder
        holders.extend(child for child in children if isinstance(child, dict | list) and child)
    holder = draw(st.sampled_from(holders))
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return copy
    key = draw(st.sampled_from(keys))
    junk = VALUES | st.floats() | REFERENCES | st.just("http://attacker.example/s.json")
    if isinstance(holder, dict) and draw(st.booleans()):
        holder[draw(st.sampled_from(WORDS) | st.text(max_size=4))] = holder.pop(key)
    else:
        holder[key] = draw(junk)
    return copy


def plain_jsonschema(schema: dict[str, Any]) -> Any:
    return validator_for(schema)(schema, registry=Registry())


def check_against_meta_schema(schema: dict[str, Any]) -> None:
    validator: Any = validator_for(schema, Draft202012Validator)
    # No format checker: it would ask Python's matcher about patterns that are RE2's.
    validator.check_schema(schema, format_checker=None)


anything = settings(deadline=None, suppress_health_check=list(HealthCheck))


@anything
@given(schema=object_schemas(), arguments=ARGUMENTS)
def test_what_is_admitted_is_valid_and_decides_as_plain_jsonschema_does(
    schema: dict[str, Any], arguments: Any
) -> None:
    try:
        check = compile_schema(schema)
    except SchemaRefused:
        return
    check_against_meta_schema(schema)
    budget = Budget()
    bad = check.check(arguments, budget)
    assert budget.spent <= STEPS
    if bad is None or bad.keyword not in {"budget", "depth"}:
        assert (bad is None) == plain_jsonschema(schema).is_valid(arguments)


@anything
@given(data=st.data(), schema=object_schemas(), arguments=ARGUMENTS)
def test_a_mutated_schema_is_refused_or_answers(
    data: st.DataObject, schema: dict[str, Any], arguments: Any
) -> None:
    hostile = data.draw(mutated(schema))
    try:
        check = compile_schema(hostile)
    except SchemaRefused:
        return
    try:
        check_against_meta_schema(hostile)
    except SchemaError as error:
        pytest.fail(f"admitted against its meta-schema: {error.message}")
    budget = Budget()
    check.check(arguments, budget)
    assert budget.spent <= STEPS


@anything
@given(
    schema=st.recursive(
        SCALARS | st.floats(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner)
        ),
        max_leaves=20,
    )
)
def test_any_value_for_a_schema_is_refused_or_admitted(schema: Any) -> None:
    for whole in (schema, {"type": "object", "properties": {"a": schema}}):
        try:
            compile_schema(whole).check({"a": 1})
        except SchemaRefused:
            continue


@anything
@given(schema=object_schemas(), text=st.text() | st.binary() | ARGUMENTS.map(json.dumps))
def test_any_text_for_arguments_is_refused_or_answered(schema: Any, text: str | bytes) -> None:
    try:
        arguments = parse_arguments(text)
    except ArgumentsRefused:
        return
    try:
        check = compile_schema(schema)
    except SchemaRefused:
        return
    check.check(arguments)


@anything
@given(data=st.data(), schema=object_schemas(), arguments=ARGUMENTS)
def test_a_verdict_repeats_nothing_that_the_schema_does_not_declare(
    data: st.DataObject, schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    secret = data.draw(st.sampled_from(["hunter2", "s3cr3t-value"]))
    arguments = json.loads(json.dumps(arguments).replace('"abc"', f'"{secret}"'))
    arguments[secret] = secret
    try:
        bad = compile_schema(schema).check(arguments)
    except SchemaRefused:
        return
    assert bad is None or secret not in bad.place + bad.keyword

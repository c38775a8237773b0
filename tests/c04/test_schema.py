"""What the gate admits and what it refuses, row by row and bound by bound."""

import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from chapters.c04.gate.arguments import BadArguments
from chapters.c04.gate.bounds import READING_STEPS, STEPS, Budget, SchemaRefused
from chapters.c04.gate.checking import FUNCTIONS
from chapters.c04.gate.keywords import DRAFT_07, DRAFT_2020_12, Dialect
from chapters.c04.gate.reading import SUBSCHEMAS, compile_schema

ROWS = tomllib.loads(Path(__file__).with_name("schemas.toml").read_text(encoding="utf-8"))["row"]
EXPLODING = {"type": "object", "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}}


def admitted(schema: object) -> bool:
    try:
        compile_schema(schema)
    except SchemaRefused:
        return False
    return True


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_every_row_gets_its_verdict(row: dict[str, str]) -> None:
    verdict = "admit" if admitted(json.loads(row["schema"])) else "refuse"
    assert row["verdict"].startswith(("either", verdict)), f"the gate says {verdict}"


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "reason" in row], ids=lambda row: row["name"]
)
def test_a_refusal_is_for_the_reason_that_the_row_says(row: dict[str, str]) -> None:
    with pytest.raises(SchemaRefused) as refused:
        compile_schema(json.loads(row["schema"]))
    assert refused.value.reason == row["reason"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["verdict"] == "admit"])
def test_what_is_admitted_is_valid_against_its_meta_schema(row: dict[str, str]) -> None:
    schema = json.loads(row["schema"])
    validator: Any = validator_for(schema, Draft202012Validator)
    # No format checker: it would ask Python's matcher about patterns that are RE2's.
    validator.check_schema(schema, format_checker=None)


@pytest.mark.parametrize("dialect", [DRAFT_07, DRAFT_2020_12])
def test_every_rule_is_carried_out(dialect: Dialect) -> None:
    """A rule without a function would be admitted and then fail; `if` carries out two more."""
    rules = {name for name, keyword in dialect.keywords.items() if keyword.role == "rule"}
    assert rules - FUNCTIONS[dialect].keys() == set()


def test_an_exploding_pattern_is_matched_in_a_few_steps() -> None:
    check = compile_schema(EXPLODING)
    budget = Budget(STEPS // 100)
    bad = check.check({"s": "a" * 40 + "!"}, budget)
    assert bad is not None
    assert bad.keyword == "pattern"


def test_a_refused_pattern_is_written_to_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert not admitted({"type": "object", "properties": {"a": {"pattern": "(?=secret)"}}})
    assert capfd.readouterr() == ("", "")


def test_a_refusal_names_the_place_as_a_json_pointer() -> None:
    with pytest.raises(SchemaRefused) as refused:
        compile_schema({"type": "object", "properties": {"a/b": {"requried": []}}})
    assert refused.value.code == "mcp_schema_refused"
    assert refused.value.place == "/properties/a~1b/requried"


def test_an_output_schema_may_be_of_any_type_when_the_revision_says_so() -> None:
    check = compile_schema({"type": "array", "items": {"type": "integer"}}, top="any")
    assert check.check([1, 2]) is None
    assert check.check([1, "x"]) is not None


def test_an_output_is_checked_against_its_definitions() -> None:
    [row] = [row for row in ROWS if row["name"].startswith("an output of a list of models")]
    check = compile_schema(json.loads(row["schema"]), top="any")
    assert check.check({"result": [{"name": "a"}]}) is None
    assert check.check({"result": [{}]}) == BadArguments("result[].name", "required")


def test_a_boolean_is_no_tool_schema_even_for_an_output() -> None:
    with pytest.raises(SchemaRefused):
        compile_schema(True, top="any")


def test_a_schema_that_changes_after_it_was_admitted_changes_nothing() -> None:
    schema: dict[str, Any] = {"type": "object", "required": ["a"]}
    check = compile_schema(schema)
    schema["required"].clear()
    assert check.check({}) is not None
    assert schema == {"type": "object", "required": []}


def properties(count: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{index}": True for index in range(count)}}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(depth):
        schema = {"type": "object", "not": schema}
    return schema


@pytest.mark.parametrize(
    ("last_admitted", "first_refused"),
    [
        pytest.param(properties(SUBSCHEMAS - 1), properties(SUBSCHEMAS), id="subschemas"),
        pytest.param(nested(63), nested(64), id="depth"),
        pytest.param(
            {"type": "object", "title": "é" * (128 * 1024 - 10)},
            {"type": "object", "title": "é" * (128 * 1024)},
            id="bytes",
        ),
        pytest.param(
            {"type": "object", "enum": [1 << 1023] * 2_000},
            {"type": "object", "enum": [1 << 1023] * 2_100},
            id="bytes of integers",
        ),
        pytest.param(
            {"type": "object", "default": [0] * 19_900},
            {"type": "object", "default": [0] * 20_000},
            id="values",
        ),
    ],
)
def test_a_schema_is_refused_from_its_cap_on(last_admitted: object, first_refused: object) -> None:
    assert admitted(last_admitted)
    assert not admitted(first_refused)


def test_a_place_that_is_too_long_to_name_is_refused_and_cut() -> None:
    with pytest.raises(SchemaRefused) as refused:
        compile_schema({"type": "object", "properties": {"a" * 200_000: True}})
    assert refused.value.reason == "the place is too long to name"
    assert len(refused.value.place) == 2_000
    with pytest.raises(SchemaRefused) as refused:
        compile_schema({"type": "object", "a" * 200_000: True})
    assert len(refused.value.place) == 2_000


@pytest.mark.parametrize("depth", [100, 100_000])
def test_no_depth_overflows_the_stack(depth: int) -> None:
    schema: Any = {}
    for _ in range(depth):
        schema = {"properties": {"a": schema}}
    assert not admitted({"type": "object", **schema})


def test_a_schema_that_contains_itself_as_an_object_is_refused() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    assert not admitted(schema)


@pytest.mark.parametrize("value", [object(), (1,), {1: 2}, {None: 1}, {1, 2}, b"x", 1j, 2**1025])
def test_a_value_that_is_no_json_is_refused(value: object) -> None:
    assert not admitted({"type": "object", "default": value})


def test_patterns_are_paid_from_the_budget_that_schemas_share() -> None:
    patterned = {"type": "object", "patternProperties": {f"^p{i}$": True for i in range(1000)}}
    budget = Budget(READING_STEPS)
    compile_schema(patterned, budget=budget)
    compile_schema(patterned, budget=budget)
    with pytest.raises(SchemaRefused, match="too much work"):
        compile_schema(patterned, budget=budget)


@contextmanager
def counting_server() -> Iterator[tuple[str, list[str]]]:
    """Serve `{}` on loopback for whatever is asked, and yield its address and what was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Keep the terminal clean."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef", "$recursiveRef", "$schema"])
def test_nothing_that_a_schema_names_is_ever_fetched(keyword: str) -> None:
    with counting_server() as (address, asked):
        named = {keyword: f"{address}/s.json"}
        for schema in (
            {"type": "object", **named},
            {"type": "object", "properties": {"a": named}},
            {"type": "object", "$defs": {"unused": named}},
            {"type": "object", "properties": {"a": {"$ref": "#/default"}}, "default": named},
        ):
            assert not admitted(schema)
        data = {"type": "object", "properties": {"a": {"const": named}}, "default": named}
        assert compile_schema(data).check({"a": named}) is None
    assert asked == []


def test_an_id_names_the_whole_schema_and_leads_nowhere() -> None:
    with counting_server() as (address, asked):
        named = {"$id": f"{address}/s.json", "type": "object", "$defs": {"u": {"enum": [1]}}}
        check = compile_schema({**named, "properties": {"a": {"$ref": "#/$defs/u"}}})
        assert check.check({"a": 1}) is None
        assert check.check({"a": 2}) == BadArguments("a", "enum")
        for reference in ("", f"{address}/s.json", "s.json#/$defs/u", "other.json", "/other"):
            assert not admitted({**named, "properties": {"a": {"$ref": reference}}})
    assert asked == []

"""What real servers write gets in: the shapes of the schemas that 44 servers publish.

Every name, word and value in them is made up. The numbers are those that docs/c04.md tells.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chapters.c04.gate import SchemaRefused, compile_schema, with_words
from chapters.c04.gate.keywords import DRAFT_07, DRAFT_2020_12, dialect_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = Path(__file__).with_name("real_shapes.jsonl").read_text(encoding="utf-8").splitlines()
SHAPES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
PAGE = Path(__file__).parents[2].joinpath("docs", "c04.md").read_text(encoding="utf-8")


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that stand in it, by position."""
    found: list[Any] = []
    dialect = dialect_of(schema) or DRAFT_2020_12

    def note(each: Any, _step: str = "") -> Any:
        if isinstance(each, dict):
            found.append(each)
            for name, value in each.items():
                if keyword := dialect.keyword(name):
                    keyword.mapped(value, note)
        return each

    note(schema)
    yield from found


EVERY = [each for shape in SHAPES for each in schemas_in(shape["schema"])]


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_every_shape_is_admitted(shape: dict[str, Any]) -> None:
    compile_schema(shape["schema"], top="object")


@pytest.mark.parametrize("shape", SHAPES, ids=range(len(SHAPES)))
def test_a_shape_whose_words_are_left_as_they_are_is_shown_as_it_is(shape: dict[str, Any]) -> None:
    assert with_words(shape["schema"], str) == shape["schema"]


def test_the_numbers_on_the_page_are_those_of_the_shapes() -> None:
    of = Counter(shape["of"] for shape in SHAPES)
    named = Counter(dialect_of(s["schema"]) for s in SHAPES if "$schema" in s["schema"])
    patterns = [each["pattern"] for each in EVERY if "pattern" in each]
    page = " ".join(PAGE.split())
    for told in (
        f"Of the {len(SHAPES)} shapes that 44 servers publish",
        f"({of['input']} of input schemas and {of['output']} of output schemas), none is refused",
        f"{named[DRAFT_07]} name draft-07, {named[DRAFT_2020_12]} name 2020-12, and "
        f"{len(SHAPES) - named.total()} name no dialect",
        f"{len(patterns)} patterns stand in them, {len(set(patterns))} different ones",
        f"None of the {len(patterns)} patterns is one",
    ):
        assert told in page


def test_a_misspelt_rule_is_refused_in_every_shape() -> None:
    for shape in SHAPES:
        text = json.dumps(shape["schema"])
        with pytest.raises(SchemaRefused) as refused:
            compile_schema(json.loads(text.replace('"type": ', '"typo": ')))
        assert refused.value.place.endswith("/typo")

"""The keywords that compare values, written again: `enum`, `const`, `uniqueItems`, `multipleOf`.

jsonschema compares all with all, item by item, and divides doubles, which can overflow. Here values
are compared by the text they have in common, and numbers are divided digit by digit.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from chapters.c04.gate.budget import Budget, KeywordFunction, current_budget

_CHARACTERS_A_STEP: Final = 512  # of JSON text written
_WRITTEN: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False)  # made once: it is costly


def canonical(value: object) -> str:
    """Return one text for all spellings of a JSON value, so that equal values are equal texts.

    Property order does not matter, `true` is not 1, and 1.0 was made 1 when the value was copied
    (2020-12 core section 4.2.2). Text, because Python's hash of a number is no secret: a list of
    integers that all hash alike would make a set of them quadratic. A text's hash is keyed.
    """
    return _WRITTEN.encode(value)


def paid_canonical(value: object, budget: Budget) -> str:
    """Return the canonical text of `value`, paid from `budget`."""
    # Paid afterwards: one value is at most as long as the arguments, or a schema, may be.
    text = canonical(value)
    budget.spend(len(text) // _CHARACTERS_A_STEP)
    return text


def _one_of_texts(
    _: Any, value: frozenset[str], instance: Any, __: Any
) -> Iterator[ValidationError]:
    if paid_canonical(instance, current_budget()) not in value:
        yield ValidationError("")


def _multiple_of(_: Any, value: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, int | float) and not isinstance(instance, bool):
        current_budget().spend(4)
        # Decimal digits as they were written: 19.99 is a multiple of 0.01, which the quotient of
        # two doubles would deny, and nothing here can overflow.
        if (Fraction(repr(instance)) / Fraction(repr(value))).denominator != 1:
            yield ValidationError("")


def _unique_items(_: Any, value: bool, instance: Any, __: Any) -> Iterator[ValidationError]:
    if value and isinstance(instance, list):
        budget = current_budget()
        budget.spend(len(instance) // 2)  # one JSON text is written for each
        if len({paid_canonical(item, budget) for item in instance}) < len(instance):
            yield ValidationError("")


COMPARING: Final[dict[str, KeywordFunction]] = {
    "enum": _one_of_texts,
    "const": _one_of_texts,
    "multipleOf": _multiple_of,
    "uniqueItems": _unique_items,
}

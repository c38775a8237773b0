"""The rules at work: jsonschema's keyword functions say what a rule means, and each step is paid.

Some functions are written again. jsonschema's own match patterns with backtracking, compare all
items with all, divide doubles, keep every error of every branch, or leave out the place. These find
their keyword's value made ready (see `reading.py`): a reference is its target, a pattern is
compiled, an enum is a set of texts, and what admits everything is an empty schema.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from jsonschema import Draft7Validator, Draft202012Validator

from chapters.c04.gate.arguments import ARGUMENT_BOUNDS, BadArguments
from chapters.c04.gate.bounds import BoundsError, Budget, copied
from chapters.c04.gate.keywords import DRAFT_07, DRAFT_2020_12, Dialect
from chapters.c04.gate.pattern import found
from chapters.stage.sight import is_seen

_LOOP_TURNS_A_STEP: Final = 16  # turns of a keyword's own loop, each a fraction of a microsecond
_CHARACTERS_A_STEP: Final = 512  # of JSON text written
_NAME_CHARACTERS: Final = 64  # a longer property name is not repeated to the model
_UNDECLARED: Final = ""  # in a path: a property whose name the schema does not declare
_WRITTEN: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False)  # made once: it is costly

# A keyword function takes the check, the keyword's value, the instance and the schema around it.
# It yields what is bad below it, and anything else (jsonschema's own errors) if it is itself.
KeywordFunction = Callable[[Any, Any, Any, Any], Iterable[object] | None]


@dataclass(frozen=True, slots=True)
class Check:
    """One check under way. To jsonschema's keyword functions it is their validator."""

    functions: Mapping[str, KeywordFunction]
    budget: Budget
    schema: Any = None
    is_type = staticmethod(Draft202012Validator.TYPE_CHECKER.is_type)

    def descend(
        self, instance: Any, schema: Any, path: object = None, **_: object
    ) -> Iterable[BadArguments]:
        """Yield what in `instance` breaks `schema`; `path` leads there from the instance around."""
        return self._broken(instance, schema, path) if schema else ()

    def _broken(self, instance: Any, schema: Any, path: object) -> Iterator[BadArguments]:
        for name, value in schema.items():
            turns = _length(value) + _length(instance)
            self.budget.spend(1 + turns // _LOOP_TURNS_A_STEP)
            for error in self.functions[name](self, value, instance, schema) or ():
                bad = error if isinstance(error, BadArguments) else BadArguments("", name)
                yield bad if path is None else BadArguments(_outside(path, bad.place), bad.keyword)

    def evolve(self, schema: Any) -> "Check":
        """Return this check for another schema, which `is_valid` asks."""
        self.budget.spend(1)
        return Check(self.functions, self.budget, schema)

    def is_valid(self, instance: Any) -> bool:
        """Tell whether the schema admits `instance`, stopping at the first rule that is broken."""
        return not any(self.descend(instance, self.schema))


def _outside(step: Any, place: str) -> str:
    """Return `place` as seen one step further out. A name that may not be told hides it."""
    if isinstance(step, int):
        return "[]" + place
    told = step != _UNDECLARED and len(step) <= _NAME_CHARACTERS and all(map(is_seen, step))
    return f".{step}{place}" if told else ""


def _length(value: object) -> int:
    return len(value) if isinstance(value, dict | list) else 0


def canonical(value: object, budget: Budget) -> str:
    """Return one text for all spellings of a JSON value (2020-12 Core section 4.2.2).

    Property order does not matter, `true` is not 1, and 1.0 was made 1 by copying. It is text,
    because numbers can be chosen so that all hash alike and a set of them is quadratic.
    """
    text = _WRITTEN.encode(value)
    # Paid afterwards: one value is at most as long as the arguments, or a schema, may be.
    budget.spend(len(text) // _CHARACTERS_A_STEP)
    return text


def _pattern_properties(check: Check, value: Any, instance: Any, _: Any) -> Iterator[object]:
    for pattern, schema in value if isinstance(instance, dict) else ():
        for name in instance:
            if found(pattern, name, check.budget):
                yield from check.descend(instance[name], schema, _UNDECLARED)


def _additional(check: Check, value: Any, instance: Any, schema: Any) -> Iterator[object]:
    declared, patterns = schema.get("properties", ()), schema.get("patternProperties", ())
    for name in instance if isinstance(instance, dict) else ():
        if name not in declared and not any(found(p, name, check.budget) for p, _ in patterns):
            if "false" in value:
                yield "not allowed"
            yield from check.descend(instance[name], value, _UNDECLARED)


def _required(_: Check, value: list[str], instance: Any, __: Any) -> Iterator[object]:
    for name in value if isinstance(instance, dict) else ():
        if name not in instance:
            # The schema says the name, so it may be told: the place is the missing property.
            yield BadArguments(_outside(name, ""), "required")


def _is_multiple(check: Check, value: Any, instance: Any) -> bool:
    if not check.is_type(instance, "number"):
        return True
    check.budget.spend(4)
    # Decimal digits as they were written: 19.99 is a multiple of 0.01, which the quotient of two
    # doubles would deny, and nothing here can overflow.
    return (Fraction(repr(instance)) / Fraction(repr(value))).denominator == 1


def _is_unique(check: Check, value: bool, instance: Any) -> bool:
    if not value or not isinstance(instance, list):
        return True
    check.budget.spend(len(instance) // 2)  # one JSON text is written for each
    return len({canonical(item, check.budget) for item in instance}) == len(instance)


def _asking(passes: Callable[[Check, Any, Any], bool]) -> KeywordFunction:
    """Make a keyword function of a question that is answered with yes or no."""
    return lambda check, value, instance, _: () if passes(check, value, instance) else ("no",)


_is_among: Final = _asking(lambda c, texts, it: canonical(it, c.budget) in texts)
_OWN: Final[dict[str, KeywordFunction]] = {
    "false": _asking(lambda _check, _value, _it: False),
    **dict.fromkeys(("then", "else"), _asking(lambda _check, _value, _it: True)),  # `if` asks them
    "$ref": lambda check, target, it, _: check.descend(it, target),
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "required": _required,
    "anyOf": _asking(lambda c, value, it: any(c.evolve(each).is_valid(it) for each in value)),
    "oneOf": _asking(lambda c, value, it: sum(c.evolve(each).is_valid(it) for each in value) == 1),
    "pattern": _asking(lambda c, value, it: not isinstance(it, str) or found(value, it, c.budget)),
    **dict.fromkeys(("enum", "const"), _is_among),
    "multipleOf": _asking(_is_multiple),
    "uniqueItems": _asking(_is_unique),
}
FUNCTIONS: Final[dict[Dialect, Mapping[str, KeywordFunction]]] = {
    DRAFT_07: Draft7Validator.VALIDATORS | _OWN,
    DRAFT_2020_12: Draft202012Validator.VALIDATORS | _OWN,
}


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """One admitted schema, ready to check arguments or a structured result against."""

    _dialect: Dialect = field(repr=False)
    _schema: Any = field(repr=False)

    def check(self, arguments: object, budget: Budget | None = None) -> BadArguments | None:
        """Return None for arguments that the schema admits, or why they are bad. Never raises."""
        check = Check(FUNCTIONS[self._dialect], budget or Budget())
        try:
            value = copied(arguments, ARGUMENT_BOUNDS)
            bad = next(iter(check.descend(value, self._schema)), None)
        except BoundsError as bound:
            return BadArguments("", bound.keyword)
        except RecursionError:  # references nested within references, deeper than Python's stack
            return BadArguments("", "depth")
        return bad and BadArguments(bad.place.removeprefix("."), bad.keyword)

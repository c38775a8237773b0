"""JSON Schema as the execution boundary: a schema is admitted once, arguments at every call.

MCP 2026-07-28 (server features, tools) lets an input schema use all of JSON Schema, asks clients
not to fetch references, and leaves the bounds to them. Here nothing is fetched, a schema that is
not fully understood is refused before its tool is published, and no schema or arguments hold the
event loop for more than 250 ms.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from jsonschema.exceptions import ValidationError
from referencing import Registry

from chapters.c04.gate.applying import APPLYING, UNDECLARED
from chapters.c04.gate.arguments import ARGUMENT_BOUNDS, BadArguments
from chapters.c04.gate.budget import READING_STEPS, Budget, BudgetError, first_error, paying
from chapters.c04.gate.dialects import (
    DRAFT_07,
    DRAFT_2019_09,
    DRAFT_2020_12,
    Dialect,
    dialect_named,
)
from chapters.c04.gate.equality import COMPARING
from chapters.c04.gate.json_value import Bounds, BoundsError, copied
from chapters.c04.gate.preparing import prepare
from chapters.c04.gate.refusal import SchemaRefused
from chapters.c04.gate.survey import surveyed
from chapters.c04.gate.unevaluated import UNEVALUATED_2019_09, UNEVALUATED_2020_12
from chapters.stage.sight import is_seen

SCHEMA_BOUNDS: Final = Bounds(size=256 * 1024, values=20_000, depth=64)
_STEPS_A_SCHEMA: Final = 5  # of making it a validator of its own
_NAME_CHARACTERS: Final = 64  # a longer property name is not repeated to the model

_OUT_OF_BOUNDS: Final = {
    "size": "the schema is too large",
    "depth": "the schema is nested too deep",
    "number": "a number is not finite or too large",
    "json": "a value is no JSON",
}
_REPLACED: Final = APPLYING | COMPARING
_VALIDATORS: Final = {
    DRAFT_07.validator: paying(DRAFT_07.validator, _REPLACED),
    DRAFT_2019_09.validator: paying(DRAFT_2019_09.validator, _REPLACED | UNEVALUATED_2019_09),
    DRAFT_2020_12.validator: paying(DRAFT_2020_12.validator, _REPLACED | UNEVALUATED_2020_12),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found, and the steps it took (a count of work; the limit is `budget.STEPS`)."""

    bad: BadArguments | None
    steps: int


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """One admitted schema, ready to check arguments or a structured result against."""

    _validator: Any = field(repr=False)  # a class that jsonschema makes at run time

    def check(self, arguments: object) -> BadArguments | None:
        """Return None for arguments that the schema admits, or why they are bad. Never raises."""
        return self.examine(arguments).bad

    def examine(self, arguments: object) -> Verdict:
        """Return what `check` returns, with the steps it took."""
        budget = Budget()
        try:
            value = copied(arguments, ARGUMENT_BOUNDS)
            error = first_error(self._validator, value, budget)
        except BoundsError as bound:
            return Verdict(BadArguments("", bound.keyword), budget.spent)
        except BudgetError:
            return Verdict(BadArguments("", "budget"), budget.spent)
        except RecursionError:  # references nested within references, deeper than Python's stack
            return Verdict(BadArguments("", "depth"), budget.spent)
        return Verdict(None if error is None else _described(error), budget.spent)


# --8<-- [start:compile]
def compile_schema(
    schema: object, *, top: Literal["object", "any"] = "object", budget: Budget | None = None
) -> ArgumentCheck:
    """Admit a tool's schema, or raise `SchemaRefused`.

    `top` is "object" for an input schema, which must say exactly `"type": "object"`, and for an
    output schema up to revision 2025-11-25; from 2026-07-28 an output schema may be of any type.
    Schemas that are read in one go share a `budget`; one that is read alone has its own.
    """
    try:
        return _compiled(schema, top, budget or Budget(READING_STEPS))
    except BoundsError as bound:
        raise SchemaRefused(_OUT_OF_BOUNDS[bound.keyword], bound.pointer) from None
    except BudgetError:
        raise SchemaRefused("there is too much work in reading it", "") from None


def _compiled(schema: object, top: Literal["object", "any"], budget: Budget) -> ArgumentCheck:
    budget.spend(_STEPS_A_SCHEMA)
    root = [copied(schema, SCHEMA_BOUNDS, budget)]
    dialect = _take_dialect(root[0])
    survey = surveyed(root, dialect, budget)
    if top == "object" and root[0].get("type") != "object":
        raise SchemaRefused('the top level must say "type": "object"', "")
    prepare(survey, dialect, budget)
    # The registry is empty, so that even a reference that slipped through could fetch nothing.
    return ArgumentCheck(_VALIDATORS[dialect.validator](root[0], registry=Registry()))
    # --8<-- [end:compile]


def _take_dialect(schema: object) -> Dialect:
    if not isinstance(schema, dict):
        raise SchemaRefused("a tool's schema must be an object", "")
    # Taken out: it may stand at the root and nowhere else (2020-12 Core section 8.1.1), and left in
    # it would make jsonschema change over to its own class for that dialect.
    dialect = dialect_named(schema.pop("$schema")) if "$schema" in schema else DRAFT_2020_12
    if dialect is None:
        raise SchemaRefused("the dialect is unknown", "/$schema")
    return dialect


def _described(error: ValidationError) -> BadArguments:
    return BadArguments(_place(error.path), str(error.validator or "false"))


def _place(path: Any) -> str:
    place = ""
    for step in path:
        if isinstance(step, int):
            place += "[]"
        elif step is UNDECLARED or len(step) > _NAME_CHARACTERS or not all(map(is_seen, step)):
            break
        else:
            place += f".{step}" if place else step
    return place

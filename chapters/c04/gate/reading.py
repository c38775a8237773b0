"""JSON Schema as the execution boundary: a schema is admitted once, arguments at every call.

MCP 2026-07-28 (tools) lets an input schema use all of JSON Schema and leaves the bounds to clients.
Here a schema is read as a whole, also what no arguments reach, and refused where it is not
understood. A reference is compared with what was read and never looked up: nothing can be fetched.
"""

import re
from dataclasses import dataclass, field
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, Literal
from urllib.parse import unquote

from chapters.c04.gate.bounds import (
    PLACE_CHARACTERS,
    READING_STEPS,
    Bounds,
    BoundsError,
    Budget,
    QuietDict,
    SchemaRefused,
    copied,
)
from chapters.c04.gate.checking import ArgumentCheck, canonical
from chapters.c04.gate.keywords import Dialect, Keyword, dialect_of, escaped
from chapters.c04.gate.pattern import compiled

SCHEMA_BOUNDS: Final = Bounds(size=256 * 1024, values=20_000, depth=64)
SUBSCHEMAS: Final = 2000
_STEPS_A_SUBSCHEMA: Final = 3  # of reading it, joining it and making it ready
_UNFIT: Final = "the keyword's value does not fit the meta-schema"
_OUT_OF_BOUNDS: Final = {
    "size": "the schema is too large",
    "depth": "the schema is nested too deep",
    "number": "a number is not finite or too large",
    "json": "a value is no JSON",
    "budget": "there is too much work in reading it",
}
# Keywords whose subschemas apply to the very value that the schema itself applies to.
_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, by JSON pointer (RFC 6901), and made ready for checking."""

    dialect: Dialect
    budget: Budget
    ready: dict[str, dict[str, Any]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    in_place: dict[str, list[str]] = field(default_factory=dict)


# --8<-- [start:compile]
def compile_schema(
    schema: object, *, top: Literal["object", "any"] = "object", budget: Budget | None = None
) -> ArgumentCheck:
    """Admit a tool's schema, or raise `SchemaRefused`.

    `top` is "object" for an input schema, which must say exactly `"type": "object"`, and for an
    output schema up to revision 2025-11-25; from 2026-07-28 an output schema may be of any type.
    Schemas that are read in one go share a `budget`; one that is read alone has its own.
    """
    budget = budget or Budget(READING_STEPS)
    try:
        root = copied(schema, SCHEMA_BOUNDS, budget)
        reading = Reading(_taken_dialect(root), budget)
        ready = _made_ready(root, "", reading)
        follow_references(reading)
        TopologicalSorter(reading.in_place).prepare()
    except BoundsError as bound:
        raise SchemaRefused(_OUT_OF_BOUNDS[bound.keyword], "") from None
    except CycleError as loop:  # 2020-12 Core section 9.4.1
        raise SchemaRefused("the schema refers to itself without end", loop.args[1][0]) from None
    if top == "object" and ready.get("type") != "object":
        raise SchemaRefused('the top level must say "type": "object"', "")
    return ArgumentCheck(reading.dialect, ready)
    # --8<-- [end:compile]


def _taken_dialect(root: Any) -> Dialect:
    """Take `$schema` and `$id` out, which may stand at the root and nowhere else."""
    if not isinstance(root, dict):
        raise SchemaRefused("a tool's schema must be an object", "")
    dialect = dialect_of(root)
    if dialect is None:
        raise SchemaRefused("the dialect is neither draft-07 nor 2020-12", "/$schema")
    root.pop("$schema", None)
    name = root.pop("$id", "")
    if not isinstance(name, str) or not re.fullmatch("[^#]*#?", name):
        raise SchemaRefused(_UNFIT, "/$id")
    return dialect


def _made_ready(schema: Any, pointer: str, reading: Reading) -> dict[str, Any]:
    """Read one schema and all that stand in it, and return its rules as checking needs them."""
    if len(reading.ready) == SUBSCHEMAS:
        raise SchemaRefused("the schema has too many subschemas", pointer)
    if len(pointer) > PLACE_CHARACTERS:  # one is kept for every subschema; this bounds their sum
        raise SchemaRefused("the place is too long to name", pointer)
    reading.budget.spend(_STEPS_A_SUBSCHEMA)
    ready = reading.ready[pointer] = QuietDict({"false": True} if schema is False else {})
    for name, keyword in _keywords(schema, pointer, reading.dialect).items():
        value = keyword.mapped(schema[name], partial(_below, pointer, name, reading))
        if keyword.role == "rule":
            place = f"{pointer}/{escaped(name)}"
            ready[name] = _value_made_ready(name, value, place, reading.budget)
    if "$ref" in ready:
        reading.references[pointer] = ready["$ref"]
        # Ignoring a rule beside it (draft-07 Core section 8.3) would admit what the server's author
        # wrote it against; obeying it would not be draft-07.
        if reading.dialect.ref_hides_siblings and len(ready) > 1:
            raise SchemaRefused("draft-07 ignores what stands beside $ref", f"{pointer}/$ref")
    if not isinstance(ready.get("items"), list):
        ready.pop("additionalItems", None)  # says nothing (draft-07 Validation section 6.4.2)
    return ready


def _below(pointer: str, name: str, reading: Reading, schema: Any, step: str) -> dict[str, Any]:
    place = f"{pointer}/{escaped(name)}{step}"
    if name in _IN_PLACE:
        reading.in_place.setdefault(pointer, []).append(place)
    return _made_ready(schema, place, reading)


def _value_made_ready(name: str, value: Any, place: str, budget: Budget) -> Any:
    if name in {"enum", "const"}:
        values = value if name == "enum" else [value]
        budget.spend(len(values) // 2)
        return frozenset(canonical(each, budget) for each in values)
    if name == "pattern":
        return compiled(value, place, budget)
    if name == "patternProperties":
        return [(compiled(p, f"{place}/{escaped(p)}", budget), each) for p, each in value.items()]
    return value


def _keywords(schema: Any, pointer: str, dialect: Dialect) -> dict[str, Keyword]:
    """Return the keywords of one schema, if they and their values are all understood."""
    if isinstance(schema, bool):
        return {}
    if not isinstance(schema, dict):
        raise SchemaRefused("a schema must be an object or a boolean", pointer)
    keywords = {}
    for name, value in schema.items():
        keyword = dialect.keyword(name)
        if keyword is None or not keyword.fits(value):
            reason = _UNFIT if keyword else "not a keyword that is taken in this dialect"
            raise SchemaRefused(reason, f"{pointer}/{escaped(name)}")
        keywords[name] = keyword
    return keywords


def follow_references(reading: Reading) -> None:
    """Put in the place of each reference what it points at, or raise `SchemaRefused`."""
    for pointer, reference in reading.references.items():
        place = f"{pointer}/$ref"
        if not reference:
            raise SchemaRefused('an empty reference is not taken: the whole schema is "#"', place)
        if not reference.startswith("#"):
            raise SchemaRefused("the reference leaves the document", place)
        # Bytes that are no text become half surrogate pairs, which no name that was read has.
        target = unquote(reference[1:], errors="surrogateescape")
        if target not in reading.ready:
            raise SchemaRefused("the reference does not point at a schema", place)
        reading.ready[pointer]["$ref"] = reading.ready[target]
        reading.in_place.setdefault(pointer, []).append(target)

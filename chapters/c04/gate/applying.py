"""The keywords that look at properties, patterns and branches, written again.

Each function finds its keyword's value prepared (see `preparing.py`): a reference is its target and
a pattern is compiled. What is wrong with jsonschema's own: its patterns backtrack, it looks
references up by address, its `anyOf` keeps every error of every branch, and a property's undeclared
name ends up in the error's path.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from chapters.c04.gate.budget import KeywordFunction, current_budget, loop_steps
from chapters.c04.gate.pattern import LinearPattern

# Stands in an error's path for a property whose name the schema does not declare.
UNDECLARED: Final = object()

_INSTRUCTIONS_A_STEP: Final = 1000  # of a compiled pattern, at five nanoseconds each

PatternSchemas = Sequence[tuple[LinearPattern, Any]]


def holds(validator: Any, instance: Any, schema: Any) -> bool:
    """Tell whether `schema` admits `instance`, stopping at its first error."""
    current_budget().spend(1)
    return bool(validator.evolve(schema=schema).is_valid(instance))


def found(pattern: LinearPattern, text: str) -> bool:
    """Tell whether `pattern` is found in `text`, paying for the longest the search could take."""
    current_budget().spend(1 + pattern.most_instructions(text) // _INSTRUCTIONS_A_STEP)
    return pattern.found_in(text)


def unmatched(names: Any, schema: Any) -> list[str]:
    """Return those of `names` that the schema's own properties and patterns say nothing about."""
    declared = schema.get("properties", {})
    patterns: PatternSchemas = schema.get("patternProperties", ())
    return [
        name
        for name in names
        if name not in declared and not any(found(pattern, name) for pattern, _ in patterns)
    ]


def _ref(validator: Any, target: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    yield from validator.descend(instance, target)


def _properties(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in [name for name in value if name in instance]:
            if value[name] is False:  # jsonschema would leave the name out of the error's path
                yield ValidationError("", validator="false", path=[name])
            else:
                yield from validator.descend(instance[name], value[name], path=name)


def _pattern(_: Any, value: LinearPattern, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not found(value, instance):
        yield ValidationError("")


def _pattern_properties(
    validator: Any, value: PatternSchemas, instance: Any, _: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, schema in value:
            for name in instance:
                if found(pattern, name):
                    yield from validator.descend(instance[name], schema, path=UNDECLARED)


def _additional_properties(
    validator: Any, value: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        extra = unmatched(instance, schema)
        if value is False and extra:
            yield ValidationError("")
        elif value is not False:
            for name in extra:
                yield from validator.descend(instance[name], value, path=UNDECLARED)


def _required(_: Any, value: list[str], instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in value:
            if name not in instance:
                # The schema says the name, so it may be told: the place is the missing property.
                yield ValidationError("", path=[name])


def _dependent_required(
    _: Any, value: dict[str, Any], instance: Any, __: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in [name for name in value if name in instance]:
            current_budget().spend(loop_steps(len(value[name])))
            if not instance.keys() >= set(value[name]):
                yield ValidationError("")


def _any_of(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    if not any(holds(validator, instance, branch) for branch in value):
        yield ValidationError("")


def _one_of(validator: Any, value: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    held = (branch for branch in value if holds(validator, instance, branch))
    if next(held, None) is None or next(held, None) is not None:
        yield ValidationError("")


APPLYING: Final[dict[str, KeywordFunction]] = {
    "$ref": _ref,
    "properties": _properties,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "required": _required,
    "dependentRequired": _dependent_required,
    "anyOf": _any_of,
    "oneOf": _one_of,
}

"""`unevaluatedProperties` and `unevaluatedItems`: what no keyword of the whole schema looked at.

(2020-12 core section 11, 2019-09 core section 9.3.) jsonschema's versions visit subschemas again
without its keyword functions being called, so that no budget is paid, and match patterns with
backtracking. These pay a step for each subschema they visit.
"""

from collections.abc import Iterator
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from chapters.c04.gate.applying import UNDECLARED, found, holds
from chapters.c04.gate.budget import KeywordFunction, current_budget, loop_steps


def _applied(validator: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """Yield the subschemas that apply to the instance itself and whose findings count.

    A branch that does not hold counts for nothing. One that must hold (`allOf`, `$ref`) need not be
    asked: where it does not, the schema around it fails as well.
    """
    if "$ref" in schema:
        yield schema["$ref"]
    yield from schema.get("allOf", ())
    for keyword in ("anyOf", "oneOf"):
        yield from (each for each in schema.get(keyword, ()) if holds(validator, instance, each))
    for name, each in schema.get("dependentSchemas", {}).items():
        if isinstance(instance, dict) and name in instance:
            yield each
    if "if" in schema:
        if holds(validator, instance, schema["if"]):
            yield schema["if"]
            yield schema.get("then", True)
        else:
            yield schema.get("else", True)


def _in_place(validator: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """Yield every subschema below `schema` that applied to the same instance."""
    for applied in _applied(validator, instance, schema):
        current_budget().spend(1)
        if isinstance(applied, dict):
            yield applied
            yield from _in_place(validator, instance, applied)


def _seen_names(instance: Any, schema: Any) -> set[str]:
    """Return the names that the keywords of this one schema look at."""
    current_budget().spend(1 + loop_steps(len(instance)))
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(instance)
    seen: set[str] = instance.keys() & schema.get("properties", {}).keys()
    for pattern, _ in schema.get("patternProperties", ()):
        seen.update(name for name in instance if found(pattern, name))
    return seen


def _unevaluated_properties(
    validator: Any, value: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    own = {keyword: each for keyword, each in schema.items() if keyword != "unevaluatedProperties"}
    seen = _seen_names(instance, own)
    for applied in _in_place(validator, instance, schema):
        seen |= _seen_names(instance, applied)
    for name in instance:
        if name not in seen:
            if value is False:
                yield ValidationError("")
                return
            yield from validator.descend(instance[name], value, path=UNDECLARED)


def _seen_items(validator: Any, instance: Any, schema: Any, *, contains_counts: bool) -> set[int]:
    """Return the indexes that the keywords of this one schema look at."""
    current_budget().spend(1 + loop_steps(len(instance)))
    every = set(range(len(instance)))
    items = schema.get("items")
    if "unevaluatedItems" in schema or "additionalItems" in schema:
        return every  # `additionalItems` is only left standing beside a list of items
    if items is not None and not isinstance(items, list):
        return every
    seen = set(range(min(len(items or schema.get("prefixItems", ())), len(instance))))
    if contains_counts and "contains" in schema:
        seen |= {i for i in every - seen if holds(validator, instance[i], schema["contains"])}
    return seen


def _unevaluated_items(*, contains_counts: bool) -> KeywordFunction:
    def unevaluated_items(
        validator: Any, value: Any, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if not isinstance(instance, list):
            return
        own = {keyword: each for keyword, each in schema.items() if keyword != "unevaluatedItems"}
        seen = _seen_items(validator, instance, own, contains_counts=contains_counts)
        for applied in _in_place(validator, instance, schema):
            seen |= _seen_items(validator, instance, applied, contains_counts=contains_counts)
        for index, item in enumerate(instance):
            if index not in seen:
                yield from validator.descend(item, value, path=index)

    return unevaluated_items


UNEVALUATED_2019_09: Final[dict[str, KeywordFunction]] = {
    "unevaluatedProperties": _unevaluated_properties,
    "unevaluatedItems": _unevaluated_items(contains_counts=False),
}
UNEVALUATED_2020_12: Final[dict[str, KeywordFunction]] = {
    "unevaluatedProperties": _unevaluated_properties,
    # 2020-12 core section 10.3.1.3: what `contains` found counts as evaluated from here on.
    "unevaluatedItems": _unevaluated_items(contains_counts=True),
}

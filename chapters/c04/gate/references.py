"""Where a schema's references lead: to a place in the same document, and never in a circle.

A reference is compared with the places that were read. It is never looked up, so nothing that it
names can be fetched.
"""

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any
from urllib.parse import unquote

from chapters.c04.gate.refusal import SchemaRefused


@dataclass(frozen=True, slots=True)
class Subschema:
    """Where one subschema stands: its container and its key there."""

    container: Any
    key: str | int

    @property
    def schema(self) -> Any:
        """The subschema as it is now."""
        return self.container[self.key]


@dataclass(frozen=True, slots=True)
class Survey:
    """Every subschema by its pointer, what each reference points at, and what applies in place."""

    subschemas: dict[str, Subschema] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    in_place: dict[str, list[str]] = field(default_factory=dict)


def follow_references(survey: Survey) -> None:
    """Find what every reference points at, or raise `SchemaRefused`."""
    for pointer, subschema in survey.subschemas.items():
        if isinstance(subschema.schema, dict) and "$ref" in subschema.schema:
            target = _target(subschema.schema["$ref"], f"{pointer}/$ref", survey)
            survey.references[pointer] = target
            survey.in_place.setdefault(pointer, []).append(target)


def _target(reference: str, place: str, survey: Survey) -> str:
    if not reference:
        raise SchemaRefused('an empty reference is not taken: the whole schema is "#"', place)
    if not reference.startswith("#"):
        raise SchemaRefused("the reference leaves the document", place)
    try:
        fragment = unquote(reference[1:], errors="strict")
    except UnicodeDecodeError:
        raise SchemaRefused("the reference is no URI", place) from None
    target = survey.anchors.get(fragment, fragment)
    if target not in survey.subschemas:
        raise SchemaRefused("the reference does not point at a schema", place)
    return target


def refuse_loops(survey: Survey) -> None:
    """Refuse a schema that applies to a value only if it applies to that value (core 9.4.1)."""
    try:
        TopologicalSorter(survey.in_place).prepare()
    except CycleError as loop:
        raise SchemaRefused("the schema refers to itself without end", loop.args[1][0]) from None

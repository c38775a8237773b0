"""What a JSON Schema keyword's value may be, and where in it subschemas stand.

Everything here reads a schema by position. `properties` may declare a property that is called
"$ref", and `enum` may hold an object with a "$ref" in it: neither is a reference, because neither
stands where a keyword stands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from chapters.c04.gate.json_value import escaped

_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

# Where a subschema stands: its container, its key there, and the rest of its JSON pointer.
Slot = tuple[Any, str | int, str]


def _no_slots(_schema: Any, _keyword: str) -> Iterator[Slot]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword: does its value fit the meta-schema, and which subschemas does it hold."""

    fits: Callable[[Any], bool]
    slots: Callable[[Any, str], Iterator[Slot]] = _no_slots


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_names(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value)


def _is_types(value: Any) -> bool:
    names = [value] if isinstance(value, str) else value
    return _is_names(names) and len(names) > 0 and _TYPES.issuperset(names)


def _is_names_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_names(names) for names in value.values())


def _is_dependencies(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _is_names(names) for names in value.values() if isinstance(names, list)
    )


def _one(schema: Any, keyword: str) -> Iterator[Slot]:
    yield schema, keyword, ""


def _each(schema: Any, keyword: str) -> Iterator[Slot]:
    for index in range(len(schema[keyword])):
        yield schema[keyword], index, f"/{index}"


def _one_or_each(schema: Any, keyword: str) -> Iterator[Slot]:
    return (_each if isinstance(schema[keyword], list) else _one)(schema, keyword)


def _named(schema: Any, keyword: str) -> Iterator[Slot]:
    for name in schema[keyword]:
        yield schema[keyword], name, "/" + escaped(name)


def _named_unless_lists(schema: Any, keyword: str) -> Iterator[Slot]:
    for slot in _named(schema, keyword):
        container, name, _ = slot
        if not isinstance(container[name], list):
            yield slot


ANYTHING: Final = Keyword(lambda _value: True)
TEXT: Final = Keyword(lambda value: isinstance(value, str))
FLAG: Final = Keyword(lambda value: isinstance(value, bool))
LIST: Final = Keyword(lambda value: isinstance(value, list))
NUMBER: Final = Keyword(_is_number)
POSITIVE: Final = Keyword(lambda value: _is_number(value) and value > 0)
COUNT: Final = Keyword(_is_count)
NAMES: Final = Keyword(_is_names)
NAMES_BY_NAME: Final = Keyword(_is_names_by_name)
TYPES: Final = Keyword(_is_types)
SCHEMA: Final = Keyword(lambda _value: True, _one)
SCHEMAS: Final = Keyword(lambda value: isinstance(value, list) and len(value) > 0, _each)
SCHEMA_OR_SCHEMAS: Final = Keyword(lambda value: value != [], _one_or_each)
SCHEMAS_BY_NAME: Final = Keyword(lambda value: isinstance(value, dict), _named)
DEPENDENCIES: Final = Keyword(_is_dependencies, _named_unless_lists)

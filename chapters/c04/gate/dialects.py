"""The three dialects of JSON Schema that are taken, each with the keywords it knows.

The official meta-schemas say the same as these tables, but a general validator needs about a
millisecond a subschema to say it (2020-12 asks seven vocabularies about each one), and a hostile
schema has thousands. Here a keyword is one look-up, and one that is not in the table is refused.

Sources: JSON Schema draft-07, 2019-09 and 2020-12, Core and Validation, and their meta-schemas.
Some words that the meta-schemas know are left out on purpose:

- `$id`: it would change what every reference below it means;
- `$dynamicRef`, `$dynamicAnchor`, `$recursiveRef`, `$recursiveAnchor`: their target is known only
  while arguments are checked, so no reading of the schema can say where they lead;
- `$vocabulary`: it belongs in meta-schemas;
- `dependencies` after draft-07: nothing evaluates it any more, and what reads as a rule and does
  nothing is worse than no rule.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft7Validator, Draft201909Validator, Draft202012Validator

from chapters.c04.gate import keywords as kw
from chapters.c04.gate.keywords import Keyword


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect: the names servers write for it, its keywords, and jsonschema's validator."""

    names: frozenset[str]
    keywords: Mapping[str, Keyword]
    validator: Any  # a class that jsonschema makes at run time
    ref_hides_siblings: bool = False


def _anchor(shape: str) -> Keyword:
    return Keyword(lambda value: isinstance(value, str) and re.fullmatch(shape, value) is not None)


def _names(path: str) -> frozenset[str]:
    # The official name and the ways real servers spell it. It is compared and never fetched, so
    # neither the scheme nor an empty fragment can change what it means.
    return frozenset(
        f"{scheme}://json-schema.org/{path}{end}"
        for scheme in ("http", "https")
        for end in ("", "#")
    )


_COMMON: Final[dict[str, Keyword]] = {
    **dict.fromkeys(("$comment", "title", "description", "format"), kw.TEXT),
    **dict.fromkeys(("contentMediaType", "contentEncoding", "pattern", "$ref"), kw.TEXT),
    **dict.fromkeys(("readOnly", "writeOnly", "uniqueItems"), kw.FLAG),
    **dict.fromkeys(("default", "const"), kw.ANYTHING),
    **dict.fromkeys(("examples", "enum"), kw.LIST),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), kw.NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), kw.COUNT),
    **dict.fromkeys(("minProperties", "maxProperties"), kw.COUNT),
    **dict.fromkeys(("properties", "patternProperties", "definitions"), kw.SCHEMAS_BY_NAME),
    **dict.fromkeys(("additionalProperties", "propertyNames", "contains", "not"), kw.SCHEMA),
    **dict.fromkeys(("if", "then", "else"), kw.SCHEMA),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), kw.SCHEMAS),
    "multipleOf": kw.POSITIVE,
    "required": kw.NAMES,
    "type": kw.TYPES,
    # MCP 2026-07-28, transports, custom headers: the one extension keyword of the spec. Whether
    # it stands in a place that can have a header is the HTTP client's question.
    "x-mcp-header": kw.TEXT,
}
_SINCE_2019: Final[dict[str, Keyword]] = {
    **_COMMON,
    **dict.fromkeys(("minContains", "maxContains"), kw.COUNT),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "contentSchema"), kw.SCHEMA),
    **dict.fromkeys(("$defs", "dependentSchemas"), kw.SCHEMAS_BY_NAME),
    "dependentRequired": kw.NAMES_BY_NAME,
    "deprecated": kw.FLAG,
}

DRAFT_07: Final = Dialect(
    names=_names("draft-07/schema"),
    keywords={
        **_COMMON,
        "items": kw.SCHEMA_OR_SCHEMAS,
        "additionalItems": kw.SCHEMA,
        "dependencies": kw.DEPENDENCIES,
    },
    validator=Draft7Validator,
    ref_hides_siblings=True,
)
DRAFT_2019_09: Final = Dialect(
    names=_names("draft/2019-09/schema"),
    keywords={
        **_SINCE_2019,
        "items": kw.SCHEMA_OR_SCHEMAS,
        "additionalItems": kw.SCHEMA,
        "$anchor": _anchor(r"[A-Za-z][-A-Za-z0-9.:_]*"),
    },
    validator=Draft201909Validator,
)
DRAFT_2020_12: Final = Dialect(
    names=_names("draft/2020-12/schema"),
    keywords={
        **_SINCE_2019,
        "items": kw.SCHEMA,
        "prefixItems": kw.SCHEMAS,
        "$anchor": _anchor(r"[A-Za-z_][-A-Za-z0-9._]*"),
    },
    validator=Draft202012Validator,
)


def dialect_named(name: object) -> Dialect | None:
    """Return the dialect that a `$schema` names, or None for one that is not taken."""
    if not isinstance(name, str):
        return None
    dialects = (DRAFT_07, DRAFT_2019_09, DRAFT_2020_12)
    return next((dialect for dialect in dialects if name in dialect.names), None)

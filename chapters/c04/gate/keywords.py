"""The vocabulary: every keyword that the gate takes, which values fit it, and what it is for.

Real servers use a small part of JSON Schema, draft-07 or 2020-12 (Core and Validation). That part
is taken; any other word is refused, as a typing mistake or a rule that would have to be guessed at.

A schema is read by position. `properties` may declare a property that is called "$ref", and `enum`
may hold an object with a "$ref" in it: neither stands where a keyword stands, so neither is one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword: which values fit it, where in them subschemas stand, and what it is for.

    A rule decides which arguments pass, words are there to be read, and the rest does neither.
    """

    fits: Callable[[Any], bool] = lambda _value: True
    holds: Literal["no schema", "a schema", "schemas", "either"] = "no schema"
    role: Literal["rule", "words", "rest"] = "rule"

    def mapped(self, value: Any, change: Callable[[Any, str], Any]) -> Any:
        """Return `value` with its subschemas changed; `change` gets each, and its step there."""
        if self.holds == "a schema" or (self.holds == "either" and not isinstance(value, list)):
            return change(value, "")
        if self.holds == "no schema":
            return value
        if isinstance(value, dict):
            return {name: change(each, f"/{escaped(name)}") for name, each in value.items()}
        return [change(each, f"/{index}") for index, each in enumerate(value)]


def escaped(name: str) -> str:
    """Return `name` as one step of a JSON pointer (RFC 6901 section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_names(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value)


def _is_types(value: Any) -> bool:
    names = [value] if isinstance(value, str) else value
    return _is_names(names) and len(names) > 0 and _TYPES.issuperset(names)


_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_TEXT: Final = Keyword(lambda value: isinstance(value, str))
_FLAG: Final = Keyword(lambda value: isinstance(value, bool))
_LIST: Final = Keyword(lambda value: isinstance(value, list))
_COUNT: Final = Keyword(lambda value: _is_number(value) and value >= 0 and value == int(value))
_SCHEMA: Final = Keyword(holds="a schema")
_SCHEMAS: Final = Keyword(lambda value: isinstance(value, list) and len(value) > 0, "schemas")
_NAMED: Final = Keyword(lambda value: isinstance(value, dict), "schemas")
_NAMED_APART: Final = replace(_NAMED, role="rest")
_ANY_WORDS: Final = Keyword(role="words")


def _each(names: str, keyword: Keyword) -> dict[str, Keyword]:
    return dict.fromkeys(names.split(), keyword)


_COMMON: Final = {
    **_each("minimum maximum exclusiveMinimum exclusiveMaximum", Keyword(_is_number)),
    **_each("minLength maxLength minItems maxItems minProperties maxProperties", _COUNT),
    **_each("properties patternProperties", _NAMED),
    **_each("additionalProperties propertyNames not if then else", _SCHEMA),
    **_each("allOf anyOf oneOf", _SCHEMAS),
    **_each("$ref pattern", _TEXT),
    "type": Keyword(_is_types),
    "required": Keyword(_is_names),
    "enum": _LIST,
    "const": Keyword(),
    "multipleOf": Keyword(lambda value: _is_number(value) and value > 0),
    "uniqueItems": _FLAG,
    # What constrains nothing: the dialects' own words, OpenAPI's, and those for editors. `nullable`
    # is one of them, so it does not make null valid.
    **_each("title description $comment format", replace(_TEXT, role="words")),
    **_each("contentMediaType contentEncoding", replace(_TEXT, role="words")),
    **_each("readOnly writeOnly deprecated", replace(_FLAG, role="words")),
    **_each("nullable example discriminator xml externalDocs", _ANY_WORDS),
    **_each("markdownDescription enumDescriptions markdownEnumDescriptions", _ANY_WORDS),
    **_each("enumItemLabels suggestSortText doNotSuggest defaultSnippets", _ANY_WORDS),
    **_each("errorMessage patternErrorMessage deprecationMessage", _ANY_WORDS),
    "examples": replace(_LIST, role="words"),
    "default": Keyword(role="rest"),  # no words: a caller may send it as it stands
    "contentSchema": replace(_SCHEMA, role="rest"),
    "definitions": _NAMED_APART,
    "x-mcp-header": replace(_TEXT, role="words"),  # MCP 2026-07-28, transports, custom headers
}


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One dialect of JSON Schema."""

    keywords: Mapping[str, Keyword]
    ref_hides_siblings: bool = False

    def keyword(self, name: str) -> Keyword | None:
        """Return the keyword of that name, or None for a word that is not taken."""
        return self.keywords.get(name) or (_ANY_WORDS if name.startswith("x-") else None)


DRAFT_07: Final = Dialect(
    _COMMON | {"items": Keyword(lambda value: value != [], "either"), "additionalItems": _SCHEMA},
    ref_hides_siblings=True,
)
DRAFT_2020_12: Final = Dialect(
    _COMMON | {"items": _SCHEMA, "prefixItems": _SCHEMAS, "$defs": _NAMED_APART}
)
# The official names and the ways real servers spell them. A name is compared and never fetched, so
# neither the scheme nor an empty fragment can change what it means.
_DIALECTS: Final = {
    f"{scheme}://json-schema.org/{path}/schema{end}": dialect
    for path, dialect in (("draft-07", DRAFT_07), ("draft/2020-12", DRAFT_2020_12))
    for scheme in ("http", "https")
    for end in ("", "#")
}


def dialect_of(schema: Mapping[str, Any]) -> Dialect | None:
    """Return the dialect that a root schema names, or None for one that is not taken."""
    # MCP 2025-11-25, basic, JSON Schema usage: one that names none is of 2020-12.
    name = schema.get("$schema", "https://json-schema.org/draft/2020-12/schema")
    return _DIALECTS.get(name) if isinstance(name, str) else None


def with_words(schema: Mapping[str, Any], rewritten: Callable[[str], str]) -> dict[str, Any]:
    """Return a copy of an admitted `schema` in which every word is what `rewritten` makes of it.

    Words are a server's free text. What decides which arguments pass (names, `enum`, `const`,
    `pattern`) and what a caller may send as it stands (`default`) is left alone.
    """
    dialect = dialect_of(schema) or DRAFT_2020_12

    def changed(each: Any, _step: str = "") -> Any:
        for name, value in each.items() if isinstance(each, dict) else ():
            keyword = dialect.keyword(name) or _ANY_WORDS  # the root's `$schema` and `$id`
            words = keyword.role == "words"
            each[name] = _rewritten(value, rewritten) if words else keyword.mapped(value, changed)
        return each

    return {**changed(json.loads(json.dumps(schema)))}


def _rewritten(value: Any, rewritten: Callable[[str], str]) -> Any:
    """Rewrite all texts in a value; admitted schemas are at most 64 levels deep."""
    if isinstance(value, list):
        return [_rewritten(item, rewritten) for item in value]
    if isinstance(value, dict):
        return {rewritten(name): _rewritten(item, rewritten) for name, item in value.items()}
    return rewritten(value) if isinstance(value, str) else value

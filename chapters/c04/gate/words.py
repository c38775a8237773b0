"""The words of a schema: what a model reads and what constrains nothing.

They are a server's free text, in the middle of what a harness hands on as it is.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from chapters.c04.gate.dialects import DRAFT_2020_12, dialect_named

_WORDS: Final = frozenset(
    {"title", "description", "$comment", "examples"}
    | {
        "format",
        "contentMediaType",
        "contentEncoding",
    }  # no more than words here: nobody acts on them
)


def with_words(schema: Mapping[str, Any], rewritten: Callable[[str], str]) -> dict[str, Any]:
    """Return a copy of an admitted `schema` in which every word is what `rewritten` makes of it.

    Words are found by position: a property that is called "description" is none. What decides which
    arguments pass (names, `enum`, `const`, `pattern`) and what a caller may send as it stands
    (`default`) is left alone.
    """
    copy: dict[str, Any] = json.loads(json.dumps(schema))
    dialect = dialect_named(copy.get("$schema")) or DRAFT_2020_12
    waiting: list[Any] = [copy]
    while waiting:
        each = waiting.pop()
        for name, value in each.items() if isinstance(each, dict) else ():
            if name in _WORDS:
                each[name] = _rewritten(value, rewritten)
            elif name in dialect.keywords:
                slots = dialect.keywords[name].slots(each, name)
                waiting += [container[key] for container, key, _ in slots]
    return copy


def _rewritten(value: Any, rewritten: Callable[[str], str]) -> Any:
    """Rewrite all texts in a value; admitted schemas are at most 64 levels deep."""
    if isinstance(value, str):
        return rewritten(value)
    if isinstance(value, list):
        return [_rewritten(item, rewritten) for item in value]
    if isinstance(value, dict):
        return {rewritten(name): _rewritten(item, rewritten) for name, item in value.items()}
    return value

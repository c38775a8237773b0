"""JSON values that print as nothing much.

jsonschema writes the instance, and often the schema, into the message of every error, also of the
errors that a `not` or an `anyOf` throws away: a megabyte of text against a thousand branches is a
gigabyte printed for nobody. A value that is read here is never shown, so it need not print.
"""

from typing import Any, Final

_SHORT: Final = 64  # characters; printing this much costs nothing worth avoiding


class _QuietStr(str):
    """Text that prints as nothing much."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "(text)"


class QuietDict(dict[str, Any]):
    """An object that prints as nothing much."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "(object)"


class QuietList(list[Any]):
    """An array that prints as nothing much."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "(array)"


def quiet_text(value: str) -> str:
    """Return `value` as it is when it is short, or as equal text that prints as nothing much."""
    return value if len(value) <= _SHORT else _QuietStr(value)

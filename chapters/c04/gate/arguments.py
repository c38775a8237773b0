"""Arguments as a model writes them: JSON text, read strictly, and what is said when it is bad."""

import json
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from chapters.c04.gate.bounds import INTEGER_BITS, Bounds, BoundsError, copied

# A file's content is an honest argument; more values than this in one call is not.
ARGUMENT_BOUNDS: Final = Bounds(size=1 << 20, values=20_000, depth=64)
_INTEGER_DIGITS: Final = len(str(1 << INTEGER_BITS)) + 1  # one for the sign


@dataclass(frozen=True, slots=True)
class BadArguments:
    """Why arguments were refused, in words that may go back to the model.

    `place` is a path of property names which the schema itself declares, such as `filter.tags[]`,
    and empty for the arguments as a whole; `keyword` is the schema keyword that was broken ("false"
    where the schema admits nothing) or the local limit: "budget", "size", "depth", "number",
    "json". Neither ever holds a character of the arguments.
    """

    place: str
    keyword: str


class ArgumentsRefused(Exception):  # noqa: N818  # a verdict, as SchemaRefused is
    """JSON text that holds no arguments; `bad` says why. Its text is fixed and quotes nothing."""

    def __init__(self, keyword: str) -> None:
        super().__init__("the arguments were refused before they were checked")
        self.bad = BadArguments(place="", keyword=keyword)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    # RFC 8259 section 4 leaves the meaning of a repeated name open: this side would check one of
    # the values and the server might use the other.
    if len(names) != len(pairs):
        raise BoundsError("json")
    return names


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= _INTEGER_DIGITS else _constant(digits)


def _constant(_: str) -> NoReturn:
    raise BoundsError("number")


def parse_arguments(text: str | bytes) -> dict[str, Any]:
    """Return the arguments that `text` (at most 1 MiB of UTF-8) spells as one JSON object.

    Raises `ArgumentsRefused`: "json" for text that is no JSON (RFC 8259) or repeats a name,
    "number" for NaN, Infinity and numbers that no double can hold, "type" for JSON that is no
    object, "size" and "depth" for too much of it. Checks nothing that a schema says.
    """
    if len(text) > ARGUMENT_BOUNDS.size:
        raise ArgumentsRefused("size")
    try:
        arguments = json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_constant=_constant,
        )
        copied(arguments, ARGUMENT_BOUNDS)
    except BoundsError as bound:
        raise ArgumentsRefused(bound.keyword) from None
    except RecursionError:  # the parser's own guard, far beyond the depth that is admitted
        raise ArgumentsRefused("depth") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise ArgumentsRefused("json") from None
    if not isinstance(arguments, dict):
        raise ArgumentsRefused("type")
    return arguments

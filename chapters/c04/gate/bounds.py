"""How much is taken from outside: JSON of bounded size, and work that is counted in steps.

A step is about five microseconds of work on an ordinary machine. It is a count and not a clock: the
same schema and the same arguments always get the same answer, on a busy machine too.
"""

import math
from typing import Any, Final, Literal, NamedTuple

STEPS: Final = 10_000
# For reading all the schemas of one connection: a few hundred honest tools take half of it.
READING_STEPS: Final = 30_000
# No double holds an integer of more bits, and Python's arithmetic on huge ones is quadratic.
INTEGER_BITS: Final = 1024
_VALUES_A_STEP: Final = 2
_SHORT: Final = 64  # characters; printing this much costs nothing worth avoiding
PLACE_CHARACTERS: Final = 2000


class BoundsError(Exception):
    """A value that is too much, or is no JSON."""

    def __init__(self, keyword: Literal["size", "depth", "number", "json", "budget"]) -> None:
        super().__init__(keyword)
        self.keyword = keyword


class BudgetError(BoundsError):
    """The steps are spent; what was being checked or read is refused."""


class SchemaRefused(Exception):  # noqa: N818  # the verdict of the gate, named as the book does
    """A schema that is not taken.

    `reason` is a local sentence, `place` a JSON pointer (RFC 6901) into the schema, made of the
    server's own names and cut after 2,000 characters. Both are for the operator's log.
    """

    code: Final = "mcp_schema_refused"

    def __init__(self, reason: str, place: str) -> None:
        self.reason, self.place = reason, place[:PLACE_CHARACTERS]
        super().__init__(f"{reason} (at {self.place!r})")


class Budget:
    """The steps of one check, or of whatever else shares them."""

    def __init__(self, steps: int = STEPS) -> None:
        self.spent = 0
        self._steps = steps

    def spend(self, steps: int) -> None:
        """Pay for work about to be done, or raise `BudgetError`."""
        if self.spent + steps > self._steps:
            raise BudgetError("budget")
        self.spent += steps


class QuietDict(dict[str, Any]):
    """An object that prints as nothing much, as the text and the lists copied here do.

    jsonschema prints value and schema into the message of every error, also of those that a `not`
    throws away: a megabyte against a thousand branches is a gigabyte printed for nobody.
    """

    def __repr__(self) -> str:
        return "(an object)"


class _QuietList(list[Any]):
    __repr__ = QuietDict.__repr__


class _QuietText(str):
    __repr__ = QuietDict.__repr__


class Bounds(NamedTuple):
    """How much JSON is taken: bytes of text (UTF-8) and of integers, values, levels."""

    size: int
    values: int
    depth: int


class _Copying:
    def __init__(self, bounds: Bounds, budget: Budget | None) -> None:
        self._size, self._values, self._depth = bounds
        self._budget = budget

    def copy(self, value: Any, depth: int) -> Any:
        kind = type(value)  # exactly: a subclass could say one thing here and another later
        if kind is str:
            return self._text(value)
        if kind is dict:
            self._enter(len(value), depth)
            pairs = value.items()
            return QuietDict({self._text(name): self.copy(each, depth + 1) for name, each in pairs})
        if kind is list:
            self._enter(len(value), depth)
            return _QuietList([self.copy(each, depth + 1) for each in value])
        if kind is int or kind is float:
            number = _number(value)
            self._take(0 if isinstance(number, float) else number.bit_length() // 8)
            return number
        if value is None or kind is bool:
            return value
        raise BoundsError("json")

    def _enter(self, values: int, depth: int) -> None:
        if depth > self._depth:
            raise BoundsError("depth")
        self._values -= values
        if self._values < 0:
            raise BoundsError("size")
        if self._budget:
            self._budget.spend((1 + values) // _VALUES_A_STEP)

    def _take(self, size: int) -> None:
        self._size -= size
        if self._size < 0:
            raise BoundsError("size")

    def _text(self, value: Any) -> str:
        try:
            if type(value) is not str:  # a name of another type
                raise BoundsError("json")
            self._take(len(value) if value.isascii() else len(value.encode()))
        except UnicodeEncodeError:  # half a surrogate pair: legal for Python, no Unicode text
            raise BoundsError("json") from None
        return value if len(value) <= _SHORT else _QuietText(value)


def _number(value: Any) -> Any:
    if not math.isfinite(value) if isinstance(value, float) else value.bit_length() > INTEGER_BITS:
        raise BoundsError("number")
    # 1.0 and 1 are one number in JSON Schema, and here from now on.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def copied(value: object, bounds: Bounds, budget: Budget | None = None) -> Any:
    """Return a plain copy of `value`, paid from `budget` where one is given.

    Raises `BoundsError`: "size" for too much text or too many values, "depth" for too many levels,
    "number" for one that is not finite or has more than 1,024 bits, "json" for what JSON cannot say
    (another Python type, a key that is no string, half a surrogate pair), or "budget".
    """
    return _Copying(bounds, budget).copy(value, 1)

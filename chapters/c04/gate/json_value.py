"""Take a JSON value from outside: bounded, plain, and safe with code that prints what it sees.

Whatever arrives here, a schema or arguments, is copied once by a loop (no recursion, so no depth of
nesting can overflow the stack), and only the copy is worked on. The copy is a tree of our own: what
appears twice, or contains itself, is counted each time it is met, until a bound stops it.
"""

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

from chapters.c04.gate.budget import Budget
from chapters.c04.gate.quiet import QuietDict, QuietList, quiet_text

LimitKeyword = Literal["size", "depth", "number", "json"]

# No double holds an integer of more bits, and Python's arithmetic on huge ones is quadratic.
INTEGER_BITS: Final = 1024
_VALUES_A_STEP: Final = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much JSON is taken.

    `size` is in bytes of text (UTF-8) and of integers, `values` are counted, `depth` is in levels.
    """

    size: int
    values: int
    depth: int


class BoundsError(Exception):
    """A value that is too much, or is no JSON; `pointer` (RFC 6901) says where."""

    def __init__(self, keyword: LimitKeyword, pointer: str) -> None:
        super().__init__(keyword)
        self.keyword: LimitKeyword = keyword
        self.pointer = pointer


# Where a value stands: the trail of its container and its own key, or None at the root.
_Trail = tuple[Any, str | int] | None


def escaped(name: str) -> str:
    """Return `name` as one step of a JSON pointer (RFC 6901 section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def _pointer(trail: _Trail) -> str:
    steps: list[str] = []
    while trail is not None:
        trail, key = trail
        steps.append("/" + escaped(str(key)))
    return "".join(reversed(steps))


class _Copying:
    """One copy under way: what it may still take, and the values that wait for their turn."""

    def __init__(self, bounds: Bounds, budget: Budget | None) -> None:
        self._size, self._values, self._depth = bounds.size, bounds.values, bounds.depth
        self._budget = budget
        self._waiting: list[tuple[object, Any, Any, int, _Trail]] = []

    def run(self, value: object) -> Any:
        root: list[Any] = [None]
        self._waiting.append((value, root, 0, 0, None))
        while self._waiting:
            item, container, key, depth, trail = self._waiting.pop()
            # Exact types: a subclass could say one thing here and another later.
            if type(item) is str:
                container[key] = self._text(item, trail)
            elif type(item) is dict:
                container[key] = self._object(item, depth + 1, trail)
            elif type(item) is list:
                container[key] = self._array(item, depth + 1, trail)
            else:
                container[key] = self._scalar(item, trail)
        return root[0]

    def _scalar(self, value: object, trail: _Trail) -> Any:
        if value is None or type(value) is bool:
            return value
        if type(value) is int or type(value) is float:
            return self._number(value, trail)
        raise BoundsError("json", _pointer(trail))

    def _number(self, value: float, trail: _Trail) -> float:
        if isinstance(value, float):
            if not math.isfinite(value):
                raise BoundsError("number", _pointer(trail))
            if not value.is_integer():
                return value
            value = int(value)  # 1.0 and 1 are one number in JSON Schema, and here from now on
        if value.bit_length() > INTEGER_BITS:
            raise BoundsError("number", _pointer(trail))
        self._spend(value.bit_length() // 8, trail)
        return value

    def _text(self, value: str, trail: _Trail) -> str:
        try:
            self._spend(len(value) if value.isascii() else len(value.encode()), trail)
        except UnicodeEncodeError:  # half a surrogate pair: legal for Python, no Unicode text
            raise BoundsError("json", _pointer(trail)) from None
        return quiet_text(value)

    def _spend(self, size: int, trail: _Trail) -> None:
        self._size -= size
        if self._size < 0:
            raise BoundsError("size", _pointer(trail))

    def _take(self, values: int, depth: int, trail: _Trail) -> None:
        self._values -= values
        if depth > self._depth:
            raise BoundsError("depth", _pointer(trail))
        if self._values < 0:
            raise BoundsError("size", _pointer(trail))
        if self._budget:
            self._budget.spend((1 + values) // _VALUES_A_STEP)

    def _object(self, item: dict[Any, object], depth: int, trail: _Trail) -> QuietDict:
        self._take(len(item), depth, trail)
        copy = QuietDict()
        for name, value in item.items():
            if type(name) is not str:
                raise BoundsError("json", _pointer(trail))
            key = self._text(name, trail)
            copy[key] = None  # keeps the order of the properties
            self._waiting.append((value, copy, key, depth, (trail, key)))
        return copy

    def _array(self, item: list[object], depth: int, trail: _Trail) -> QuietList:
        self._take(len(item), depth, trail)
        copy = QuietList([None] * len(item))
        self._waiting.extend(
            (value, copy, index, depth, (trail, index)) for index, value in enumerate(item)
        )
        return copy


def copied(value: object, bounds: Bounds, budget: Budget | None = None) -> Any:
    """Return a plain copy of `value` whose containers and long texts print as nothing much.

    Raises `BoundsError`: "size" for too much text or too many values, "depth" for too many levels,
    "number" for one that is not finite or has more than 1,024 bits, "json" for what JSON cannot
    say (another Python type, a key that is no string, half a surrogate pair). Where a `budget` is
    given, the copy is paid from it, and `BudgetError` is raised too.
    """
    return _Copying(bounds, budget).run(value)

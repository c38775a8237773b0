"""A budget of steps, so that checking one value holds the event loop for a bounded time.

Reading the schemas of one connection is paid in the same way.

jsonschema decides what a schema means; here each of its keyword functions is wrapped to pay before
it works. A step is about five microseconds of work on an ordinary machine. It is a count and not a
clock: the same arguments always get the same answer, on a busy machine too.
"""

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Final

from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

# jsonschema calls a keyword function with the validator, the keyword's value, the instance and the
# schema, and takes errors from it. All four are JSON of any shape.
KeywordFunction = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]

STEPS: Final = 10_000
# For reading all the schemas of one connection: a few hundred honest tools take half of it.
READING_STEPS: Final = 30_000
_LOOP_TURNS_A_STEP: Final = 16  # turns of a keyword's own loop, each a fraction of a microsecond


class BudgetError(Exception):
    """The steps are spent; what was being checked or read is refused."""


class Budget:
    """The steps of one check, or of whatever else shares them."""

    def __init__(self, steps: int = STEPS) -> None:
        self.spent = 0
        self._steps = steps

    def spend(self, steps: int) -> None:
        """Pay for work about to be done, or raise `BudgetError`."""
        if self.spent + steps > self._steps:
            raise BudgetError
        self.spent += steps


_CURRENT: Final[ContextVar[Budget]] = ContextVar("c04_budget")
current_budget = _CURRENT.get


def loop_steps(turns: int) -> int:
    """Return what `turns` of a short loop cost in steps."""
    return turns // _LOOP_TURNS_A_STEP


def _length(value: object) -> int:
    return len(value) if isinstance(value, dict | list) else 0


def _paying(function: KeywordFunction) -> KeywordFunction:
    """Wrap one keyword function: it pays for its call, its loops and every error it reports."""

    def evaluate(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        budget = current_budget()
        budget.spend(1 + loop_steps(_length(value) + _length(instance)))
        for error in function(validator, value, instance, schema) or ():
            budget.spend(1)
            yield error

    return evaluate


def paying(validator: Any, replaced: Mapping[str, KeywordFunction]) -> Any:
    """Return jsonschema's `validator` class with every keyword paying, and some `replaced`."""
    functions = {**validator.VALIDATORS, **replaced}
    wrapped = {name: _paying(function) for name, function in functions.items()}
    return extend(validator, wrapped)  # type: ignore[no-untyped-call]  # its stub says no types


def first_error(validator: Any, value: object, budget: Budget) -> ValidationError | None:
    """Return the first error that `validator` finds in `value`, paid from `budget`.

    Raises `BudgetError`, or `RecursionError` where references nest deeper than Python's stack.
    """
    token = _CURRENT.set(budget)
    try:
        error: ValidationError | None = next(validator.iter_errors(value), None)
    finally:
        _CURRENT.reset(token)
    return error

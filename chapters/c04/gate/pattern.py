r"""Patterns matched in time linear in the text, whatever the pattern (google-re2).

JSON Schema asks for ECMA-262 patterns, searched for anywhere in the text (2020-12 Core section 6.4,
Validation section 6.3.3). RE2 reads the common core of that language the same way: `^` and `$` are
the ends of the text (Python's `$` also matches before a last line break), `\d` and `\w` are ASCII.
It differs at the edges: `\s` knows ASCII spaces only, so that `\S` admits a no-break space; `.`
stops at a line feed but not at the three other line ends of ECMA. What it cannot express is
refused: lookaround, backreferences, `\uXXXX`, `\cX`, long names such as `\p{Letter}`, repeats above
1,000, and repeats so large that the program does not fit its memory.
"""

from dataclasses import dataclass
from typing import Any, Final

import re2

from chapters.c04.gate.budget import Budget

# Bytes for one compiled program and its matching states. Large enough for an ordinary pattern's
# whole automaton, small enough that a pattern grown by repetition fails within 20 ms.
_PATTERN_MEMORY: Final = 1 << 20
# What all the patterns of one schema may cost together: characters read plus instructions made.
_ALLOWANCE: Final = 20_000
_COST_A_STEP: Final = 16
_LEAST_COST: Final = 100  # so that no schema holds the matching states of thousands of patterns
_UNICODE_CLASS: Final = re2.compile(r"\\[pP]")
_UNICODE_CLASS_COST: Final = 100  # measured: `\p{L}` takes as long to read as 100 letters and more


class PatternError(Exception):
    """A pattern that RE2 cannot match in linear time and bounded memory."""


@dataclass(frozen=True, slots=True)
class LinearPattern:
    """One compiled pattern; `size` is the number of its instructions."""

    size: int
    program: Any  # re2 is untyped

    def found_in(self, text: str) -> bool:
        """Tell whether the pattern matches anywhere in `text`."""
        return self.program.search(text) is not None

    def most_instructions(self, text: str) -> int:
        """Return how many instructions a search of `text` can take: bytes times program."""
        return len(text) * (1 if text.isascii() else 4) * self.size


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False  # RE2 would write the server's pattern to our stderr
    options.never_capture = True
    options.max_mem = _PATTERN_MEMORY
    return options


class Patterns:
    """The patterns of one schema: each compiled once, all within one allowance."""

    def __init__(self, budget: Budget) -> None:
        self._left = _ALLOWANCE
        self._budget = budget
        self._compiled: dict[str, LinearPattern] = {}

    def compiled(self, source: str) -> LinearPattern:
        """Return `source` compiled. Raises `PatternError` or `BudgetError`."""
        if source not in self._compiled:
            classes = len(_UNICODE_CLASS.findall(source))
            self._spend(max(len(source) + classes * _UNICODE_CLASS_COST, _LEAST_COST))
            try:
                program = re2.compile(str(source), _options())
            except re2.error:
                raise PatternError from None
            self._spend(program.programsize)
            self._compiled[source] = LinearPattern(max(program.programsize, 1), program)
        return self._compiled[source]

    def _spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise PatternError
        self._budget.spend(cost // _COST_A_STEP)

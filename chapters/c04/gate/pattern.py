r"""Patterns matched in time linear in the text, whatever the pattern (google-re2).

JSON Schema asks for ECMA-262 patterns, searched for anywhere in the text (2020-12 Core section 6.4,
Validation section 6.3.3). RE2 reads the common core of that language the same way: `^` and `$` are
the ends of the text, `\d` and `\w` are ASCII. It differs at the edges: `\s` knows ASCII spaces
only, so that `\S` admits a no-break space; `.` stops at a line feed but not at the three other line
ends of ECMA. What it cannot express is refused: lookaround, backreferences, `\uXXXX`, `\cX`, long
names such as `\p{Letter}`, repeats above 1,000, and programs that do not fit its memory.
"""

from typing import Any, Final

import re2

from chapters.c04.gate.bounds import Budget, SchemaRefused

# Bytes for one compiled program and its matching states. Large enough for an ordinary pattern's
# whole automaton, small enough that a pattern grown by repetition fails within 20 ms.
_PATTERN_MEMORY: Final = 1 << 20
_UNICODE_CLASS: Final = re2.compile(r"\\[pP]")
_UNICODE_CLASS_COST: Final = 100  # measured: `\p{L}` takes as long to read as 100 letters and more
_LEAST_COST: Final = 160  # of the shortest pattern
_COST_A_STEP: Final = 16  # of characters read and instructions made
_INSTRUCTIONS_A_STEP: Final = 1000  # carried out in a search, at five nanoseconds each


def compiled(source: str, place: str, budget: Budget) -> Any:
    """Return RE2's program, which is untyped. Raises `SchemaRefused` or `BudgetError`."""
    cost = len(source) + len(_UNICODE_CLASS.findall(source)) * _UNICODE_CLASS_COST
    budget.spend(max(cost, _LEAST_COST) // _COST_A_STEP)
    options = re2.Options()
    options.log_errors = False  # RE2 would write the server's pattern to our stderr
    options.never_capture = True
    options.max_mem = _PATTERN_MEMORY
    try:
        program = re2.compile(str(source), options)
    except re2.error:
        reason = "the pattern is not one that RE2 matches in bounded memory"
        raise SchemaRefused(reason, place) from None
    budget.spend(program.programsize // _COST_A_STEP)
    return program


def found(program: Any, text: str, budget: Budget) -> bool:
    """Tell whether the pattern matches anywhere in `text`, paid for the longest search."""
    length = len(text) * (1 if text.isascii() else 4)
    budget.spend(1 + length * program.programsize // _INSTRUCTIONS_A_STEP)
    return program.search(text) is not None

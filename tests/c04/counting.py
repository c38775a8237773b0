"""Work, counted by the interpreter itself: function calls, which no clock and no load change."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


CALLS_A_STEP = 40
"""How many calls a step of a budget may stand for."""


class Calls:
    """How many functions were called, of Python's and of C's."""

    count = 0


@contextmanager
def counted_calls() -> Iterator[Calls]:
    """Count the function calls of this thread for as long as the context lasts."""
    calls = Calls()

    def note(_frame: object, event: str, _argument: object) -> None:
        calls.count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)

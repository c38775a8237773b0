"""The form for a page of 80 columns: plain text."""

from __future__ import annotations

import sys
import textwrap
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING

from chapters.stage.answers import ways_to_answer
from chapters.stage.renderers import spaced, summary, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter, Goal
    from chapters.stage.renderers import FrameLike

WIDTH = 80


class PlainRenderer:
    """Text without colour, boxes, spinner or emoji, in 80 columns."""

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""
        self._write(f"{chapter.id}  {chapter.title}\n{'=' * (len(chapter.title) + 5)}")
        self._write(textwrap.fill(chapter.promise, WIDTH))

    def question(self, goal: Goal) -> None:
        """Ask what a chapter asks, without the answer."""
        self._write("")
        self._fill(f"[{goal.id}] {goal.question}", "  ")
        for way in ways_to_answer(goal):
            self._fill(f"    {way}", "       ")

    def wrong(self, wrong: WrongAnswer) -> None:
        """Name a wrong answer, and say what somebody believes who builds it."""
        self._fill(f"{wrong.name} ({', '.join(wrong.goals)})", "  ")
        self._fill(f"  It believes: {wrong.belief}", "  ")

    def step(self, number: int, title: str) -> None:
        """Announce a step."""
        line = f"{number}. {title}"
        self._write(f"\n{line}\n{'-' * len(line)}")

    def say(self, text: str) -> None:
        """Tell a paragraph."""
        self._fill(visible(text))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Show rows in columns as wide as their contents, or as the page allows."""
        cells = [[visible(cell) for cell in row] for row in [columns, *rows]]
        widths = column_widths(cells, WIDTH)
        for row in cells:
            wrapped = [
                textwrap.wrap(cell, width, break_on_hyphens=False)
                for cell, width in zip(row, widths, strict=True)
            ]
            for line in zip_longest(*wrapped, fillvalue=""):
                parts = (part.ljust(width) for part, width in zip(line, widths, strict=True))
                self._write("".join(f"  {part}" for part in parts).rstrip())

    def frame(self, alias: str, frame: FrameLike, seconds: float) -> None:
        """Show a frame on lines of its own."""
        arrow = "-->" if frame.direction == "sent" else "<--"
        self._fill(f"  {seconds:7.3f} s  {arrow} {alias}  {spaced(frame)}", " " * 17)

    def claim(self, goal: Goal, observed: Answer) -> None:
        """Show what was observed for a goal, and whether it is what the book says."""
        self._fill(f"[{goal.id}] {goal.question}", "  ")
        if goal.matches(observed):
            verdict = f"observed: {visible(observed)}  (holds)"
        else:
            verdict = f"observed: {visible(observed)}  (DOES NOT HOLD: expected {goal.answer})"
        self._fill(f"  {verdict}", "  ")

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say once that something slow runs."""
        self._write(f"... {visible(text)}")
        yield

    def end(self, *, claims: int, failed: int, trouble: str | None) -> None:
        """Close the lesson."""
        self._write("")
        if trouble:
            self._fill(visible(trouble))
        self._write(summary(claims, failed))

    def _fill(self, text: str, indent: str = "") -> None:
        self._write(textwrap.fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False))

    def _write(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def column_widths(cells: Sequence[Sequence[str]], page: int) -> list[int]:
    """Return how wide each column of a table is, so that with its gaps it fits ``page``.

    The widest give way first, and words are broken only where nothing else is left.
    """
    columns = list(zip(*cells, strict=True))
    widths = [max(1, *map(len, column)) for column in columns]
    words = [max(map(len, " ".join(column).split()), default=1) for column in columns]
    for least in (words, [1] * len(columns)):
        while sum(widths) + 2 * len(widths) > page:
            wide = [i for i, width in enumerate(widths) if width > least[i]]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths

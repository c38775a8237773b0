"""The forms a lesson is told in: as plain text and as JSON Lines.

Whatever reaches a reader goes through here, and some of it comes from servers. So a character
that cannot be seen never reaches a terminal as it is: it is shown as an escape.
"""

from __future__ import annotations

import json
import sys
import textwrap
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from chapters.stage.answers import ways_to_answer
from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter, Goal

WIDTH = 80


class FrameLike(Protocol):
    """What the stage needs to know of a frame that crossed the wire."""

    @property
    def direction(self) -> str:
        """``"sent"`` by the harness or ``"received"`` from the server."""
        ...

    @property
    def text(self) -> str:
        """The frame as one line of JSON."""
        ...


class Renderer(Protocol):
    """One form of telling a lesson."""

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""

    def question(self, goal: Goal) -> None:
        """Ask what a chapter asks, without the answer."""

    def wrong(self, wrong: WrongAnswer) -> None:
        """Name a wrong answer, and say what somebody believes who builds it."""

    def step(self, number: int, title: str) -> None:
        """Announce a step."""

    def say(self, text: str) -> None:
        """Tell a paragraph."""

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Show what was seen, in columns."""

    def frame(self, alias: str, frame: FrameLike, seconds: float) -> None:
        """Show a frame that crossed the wire ``seconds`` after the lesson began."""

    def claim(self, goal: Goal, observed: Answer) -> None:
        """Show what was observed for a goal, and whether it is what the book says."""

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Show that something slow runs, for as long as the context lasts."""
        ...

    def end(self, *, claims: int, failed: int, trouble: str | None) -> None:
        """Close the lesson."""


def visible(text: object) -> str:
    """Return ``text`` with everything but line ends and what can be seen as escapes."""
    return "".join(
        c if is_seen(c) or c == "\n" else c.encode("unicode_escape").decode()
        for c in str(text).encode("utf-8", "backslashreplace").decode()
    )


def spaced(frame: FrameLike) -> str:
    """Return a frame's JSON with blanks where a line may end, to be seen on a terminal."""
    return visible(json.dumps(json.loads(frame.text), ensure_ascii=False))


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
        self._write(f"\n{number}. {title}\n{'-' * (len(title) + 3)}")

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


class JsonRenderer:
    """One JSON object a line, its ``event`` named like the method here. Narration is left out."""

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""
        self._event("chapter", id=chapter.id, title=chapter.title, promise=chapter.promise)

    def question(self, goal: Goal) -> None:
        """Ask what a chapter asks, without the answer."""
        self._event("question", goal=goal.id, question=goal.question, choices=goal.choices)

    def wrong(self, wrong: WrongAnswer) -> None:
        """Give a wrong answer whole."""
        self._event(
            "wrong", name=wrong.name, goals=wrong.goals, belief=wrong.belief, cost=wrong.cost
        )

    def step(self, number: int, title: str) -> None:
        """Announce a step."""
        self._event("step", number=number, title=title)

    def say(self, text: str) -> None:
        """Leave narration out."""

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Give what was seen, in columns."""
        cells = [[cell if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
        self._event("table", columns=columns, rows=cells)

    def frame(self, alias: str, frame: FrameLike, seconds: float) -> None:
        """Give the frame as it was, parsed."""
        self._event(
            "frame",
            alias=alias,
            direction=frame.direction,
            seconds=round(seconds, 6),
            message=json.loads(frame.text),
        )

    def claim(self, goal: Goal, observed: Answer) -> None:
        """Give what was observed beside what the book says."""
        self._event(
            "claim",
            goal=goal.id,
            question=goal.question,
            observed=observed,
            expected=goal.answer,
            ok=goal.matches(observed),
        )

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:  # noqa: ARG002 - part of the form
        """Wait without a word."""
        yield

    def end(self, *, claims: int, failed: int, trouble: str | None) -> None:
        """Close the lesson."""
        self._event("end", claims=claims, failed=failed, ok=not failed and not trouble,
                    trouble=trouble)  # fmt: skip

    def _event(self, event: str, **fields: object) -> None:
        sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
        sys.stdout.flush()


def column_widths(cells: Sequence[Sequence[str]], page: int) -> list[int]:
    """Return how wide each column of a table is, so that with its gaps it fits ``page``.

    The widest give way first, and words are broken only where nothing else is left.
    """
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [max(len(w) for cell in column for w in ["", *cell.split()]) for column in columns]
    for least in (words, [1] * len(columns)):
        while sum(widths) + 2 * len(widths) > page:
            wide = [i for i, width in enumerate(widths) if width > least[i]]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def summary(claims: int, failed: int) -> str:
    """Say in one sentence how the lesson's claims came out."""
    if failed:
        return f"{failed} of {claims} claims did not hold."
    return f"All {claims} claims hold." if claims else "No claim was made."

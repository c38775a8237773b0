"""The forms a lesson is told in: as plain text and as JSON Lines.

Whatever reaches a reader goes through here, and some of it comes from servers. So a character
that cannot be seen never reaches a terminal as it is: it is shown as an escape.
"""

from __future__ import annotations

import json
import sys
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

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


class PlainRenderer:
    """Text without colour, boxes, spinner or emoji, at most 80 columns where prose allows."""

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""
        self._write(f"{chapter.id}  {chapter.title}\n{'=' * (len(chapter.title) + 5)}")
        self._write(textwrap.fill(chapter.promise, WIDTH))

    def step(self, number: int, title: str) -> None:
        """Announce a step."""
        self._write(f"\n{number}. {title}\n{'-' * (len(title) + 3)}")

    def say(self, text: str) -> None:
        """Tell a paragraph."""
        self._write(textwrap.fill(visible(text), WIDTH))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Show rows in columns as wide as their contents; the last one wraps."""
        cells = [[visible(cell) for cell in row] for row in [columns, *rows]]
        widths = [max(len(row[i]) for row in cells) for i in range(len(columns) - 1)]
        margin = sum(widths) + 2 * len(widths) + 2
        for row in cells:
            head = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))
            tail = textwrap.fill(
                row[-1], max(WIDTH, margin + 24), initial_indent=" " * margin,
                subsequent_indent=" " * margin,
            )  # fmt: skip
            self._write(f"  {head}  {tail[margin:]}".rstrip())

    def frame(self, alias: str, frame: FrameLike, seconds: float) -> None:
        """Show a frame on lines of its own."""
        arrow = "-->" if frame.direction == "sent" else "<--"
        self._write(f"  {seconds:7.3f} s  {arrow} {alias}  {visible(frame.text)}")

    def claim(self, goal: Goal, observed: Answer) -> None:
        """Show what was observed for a goal, and whether it is what the book says."""
        self._write(textwrap.fill(f"[{goal.id}] {goal.question}", WIDTH, subsequent_indent="  "))
        if goal.matches(observed):
            verdict = f"observed: {visible(observed)}  (holds)"
        else:
            verdict = f"observed: {visible(observed)}  (DOES NOT HOLD: expected {goal.answer})"
        self._write(textwrap.indent(verdict, "  "))

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say once that something slow runs."""
        self._write(f"... {visible(text)}")
        yield

    def end(self, *, claims: int, failed: int, trouble: str | None) -> None:
        """Close the lesson."""
        self._write("")
        if trouble:
            self._write(textwrap.fill(visible(trouble), WIDTH))
        self._write(summary(claims, failed))

    def _write(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


class JsonRenderer:
    """One JSON object a line: chapter, step, frame, claim, end. Narration is left out."""

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""
        self._event("chapter", id=chapter.id, title=chapter.title, promise=chapter.promise)

    def step(self, number: int, title: str) -> None:
        """Announce a step."""
        self._event("step", number=number, title=title)

    def say(self, text: str) -> None:
        """Leave narration out."""

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Leave tables out: the claims hold what was observed."""

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


def summary(claims: int, failed: int) -> str:
    """Say in one sentence how the lesson's claims came out."""
    if failed:
        return f"{failed} of {claims} claims did not hold."
    return f"All {claims} claims hold." if claims else "No claim was made."

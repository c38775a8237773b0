"""What every form of telling a lesson has in common.

Whatever reaches a reader goes through here, and some of it comes from servers. So a character
that cannot be seen never reaches a terminal as it is: it is shown as an escape.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter, Goal


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


def summary(claims: int, failed: int) -> str:
    """Say in one sentence how the lesson's claims came out."""
    if failed:
        return f"{failed} of {claims} claims did not hold."
    return f"All {claims} claims hold." if claims else "The lesson made no claim."

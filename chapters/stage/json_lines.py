"""The form for a program: JSON Lines."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter, Goal
    from chapters.stage.renderers import FrameLike


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

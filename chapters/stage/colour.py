"""The form for a terminal: colour, tables and a live spinner while something slow runs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from chapters.stage.answers import ways_to_answer
from chapters.stage.renderers import spaced, summary, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter, Goal
    from chapters.stage.renderers import FrameLike


class ColourRenderer:
    """Told with rich. Only :class:`~rich.text.Text` is printed, so no markup is ever read."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)

    def chapter(self, chapter: Chapter) -> None:
        """Open the chapter."""
        self._console.print(Rule(Text(f"{chapter.id}  {chapter.title}", style="bold cyan")))
        self._console.print(Text(chapter.promise, style="italic"))

    def question(self, goal: Goal) -> None:
        """Ask what a chapter asks, without the answer."""
        self._console.print()
        self._console.print(Text(goal.question, style="bold"))
        for way in ways_to_answer(goal):
            self._console.print(Padding(Text(way), (0, 0, 0, 2)))

    def wrong(self, wrong: WrongAnswer) -> None:
        """Name a wrong answer, and say what somebody believes who builds it."""
        self._console.print(Text(wrong.name, style="bold red") + f"  ({', '.join(wrong.goals)})")
        self._console.print(Padding(Text(f"It believes: {wrong.belief}"), (0, 0, 0, 2)))

    def step(self, number: int, title: str) -> None:
        """Announce a step."""
        self._console.print()
        self._console.print(Text(f"{number}. {title}", style="bold"))

    def say(self, text: str) -> None:
        """Tell a paragraph."""
        self._console.print(Text(visible(text)))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Show what was seen, in columns."""
        table = Table(header_style="bold", box=None, padding=(0, 2, 0, 2))
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row))
        self._console.print(table)

    def frame(self, alias: str, frame: FrameLike, seconds: float) -> None:
        """Show a frame: outgoing ones in one colour, incoming ones in another."""
        sent = frame.direction == "sent"
        head = Text(f"  {seconds:7.3f} s  {'→' if sent else '←'} {alias}  ", style="dim")
        body = Text(spaced(frame), style="magenta" if sent else "blue")
        self._console.print(head + body, soft_wrap=False)

    def claim(self, goal: Goal, observed: Answer) -> None:
        """Show what was observed for a goal, and whether it is what the book says."""
        holds = goal.matches(observed)
        line = Text("✓ " if holds else "✗ ", style="bold green" if holds else "bold red")
        line.append(goal.question, style="default")
        self._console.print(line)
        answer = Text(f"observed: {visible(observed)}", style="green" if holds else "red")
        if not holds:
            answer.append(f"   the book says: {goal.answer}")
        self._console.print(Padding(answer, (0, 0, 0, 2)))

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Turn a spinner for as long as the context lasts."""
        with self._console.status(Text(visible(text))):
            yield

    def end(self, *, claims: int, failed: int, trouble: str | None) -> None:
        """Close the lesson."""
        self._console.print()
        if trouble:
            self._console.print(Text(visible(trouble), style="red"))
        style = "bold red" if failed or trouble else "bold green"
        self._console.print(Text(summary(claims, failed), style=style))

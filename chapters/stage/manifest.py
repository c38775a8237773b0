"""The manifest: what the book holds, read once from ``chapters.toml``.

The lessons, the tests, the quiz and the site all read it, and none of them repeats it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MANIFEST = Path(__file__).parent.parent / "chapters.toml"

Answer = str | int


class ManifestError(Exception):
    """The manifest, or a name looked up in it, makes no sense; the text says what to do."""


@dataclass(frozen=True)
class Goal:
    """One thing a chapter teaches, as a question whose answer can be observed."""

    id: str
    question: str
    choices: tuple[str, ...]
    answer: Answer
    hint: str
    why: str

    @property
    def name(self) -> str:
        """The part after the chapter: ``pages`` of ``c02.pages``."""
        return self.id.partition(".")[2]

    def matches(self, answer: Answer) -> bool:
        """Whether ``answer``, an observation or a prediction, says the same as the manifest."""
        return same(answer, self.answer)


@dataclass(frozen=True)
class Chapter:
    """A chapter as the manifest describes it."""

    id: str
    title: str
    promise: str
    goals: tuple[Goal, ...]

    def goal(self, goal_id: str) -> Goal:
        """Look a goal up by its full id. Raises :class:`ManifestError` for an unknown one."""
        for goal in self.goals:
            if goal.id == goal_id:
                return goal
        known = ", ".join(goal.id for goal in self.goals)
        raise ManifestError(f"{self.id} has no goal {goal_id!r}. Its goals are: {known}.")


def same(one: Answer, other: Answer) -> bool:
    """Whether two answers say the same; case, outer blanks and quotes around 3 do not count."""
    return str(one).strip().casefold() == str(other).strip().casefold()


@cache
def read_manifest(path: Path = MANIFEST) -> dict[str, Chapter]:
    """Return the chapters by id, in the order of the book.

    Raises :class:`ManifestError` for a file that is no TOML or lacks a key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        chapters = [_chapter(table) for table in document["chapter"]]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ManifestError(f"{path.name} cannot be read: {error}. Restore it from git.") from error
    return {chapter.id: chapter for chapter in chapters}


def find_chapter(chapter_id: str) -> Chapter:
    """Look a chapter up by id. Raises :class:`ManifestError` that lists the ids there are."""
    chapters = read_manifest()
    if chapter_id not in chapters:
        raise ManifestError(
            f"There is no chapter {chapter_id!r}. The chapters are: {', '.join(chapters)}."
        )
    return chapters[chapter_id]


def _chapter(table: dict[str, Any]) -> Chapter:
    return Chapter(
        id=table["id"],
        title=table["title"],
        promise=table["promise"],
        goals=tuple(
            Goal(
                id=goal["id"],
                question=goal["question"],
                choices=tuple(goal.get("choices", ())),
                answer=goal["answer"],
                hint=goal["hint"],
                why=goal["why"],
            )
            for goal in table["goal"]
        ),
    )

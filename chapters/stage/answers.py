"""A reader's predictions: the form to fill in, the file that holds them, what is wrong with it."""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING

from chapters.stage.manifest import Answer, Goal, read_manifest, same

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from chapters.stage.manifest import Chapter

LETTERS = "abcdefgh"


def ways_to_answer(goal: Goal) -> list[str]:
    """Say in lines how a question may be answered: by a letter or its choice, or by a number."""
    return [
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, goal.choices, strict=False)
    ] or ["a whole number"]


class AnswersError(Exception):
    """The answers file makes no sense; the text says where and what to do."""


def form(chapter: Chapter, answers: Mapping[str, Answer] | None = None) -> str:
    """Return the chapter's questions as TOML, blank or with ``answers`` by goal id filled in."""
    lines = [
        f"# {chapter.id}: {chapter.title}",
        "# Write what you expect, then check it against what really happens:",
        f"#   python -m pytest tests/{chapter.id} --answers THIS_FILE",
        "# You may give a choice by its letter. pytest skips what you leave empty.",
        "",
        f"[{chapter.id}]",
    ]
    for goal in chapter.goals:
        lines += ["", f"# {goal.question}"]
        lines += [f"#   {way}" for way in ways_to_answer(goal)]
        given = (answers or {}).get(goal.id, "")
        lines += [f"{goal.name} = {json.dumps(given, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


def read_answers(path: Path) -> dict[str, Answer]:
    """Return the predictions in a file, by goal id; blank ones are left out.

    Raises :class:`AnswersError` for a file that is missing, is no TOML, holds nothing, or answers
    a goal that does not exist or with something that is none of its choices.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AnswersError(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AnswersError(f"{path} is no TOML: {error}.") from error
    answers: dict[str, Answer] = {}
    for chapter_id, table in document.items():
        for name, given in _table(path, chapter_id, table).items():
            goal = _goal(path, chapter_id, name)
            if given not in ("", []):
                answers[goal.id] = _prediction(path, goal, given)
    if not answers:
        raise AnswersError(
            f"{path} holds no answers yet. Make a form with 'python -m chapters answers c01' "
            "and fill it in, or let 'python -m chapters quiz c01' ask you."
        )
    return answers


def choose(goal: Goal, given: str) -> Answer | None:
    """Return what a reader means who types ``given``, or None where it cannot be an answer."""
    if not goal.choices:
        with suppress(ValueError):
            return int(given)
        return None
    by_letter = dict(zip(LETTERS, goal.choices, strict=False))
    for choice in goal.choices:
        if same(choice, given):
            return choice
    return by_letter.get(given.strip().lower().rstrip(")"))


def _table(path: Path, chapter_id: str, table: object) -> dict[str, object]:
    if chapter_id not in read_manifest():
        raise AnswersError(f"{path}: there is no chapter {chapter_id!r} to answer.")
    if not isinstance(table, dict):
        raise AnswersError(f"{path}: {chapter_id!r} should be a table, such as [{chapter_id}].")
    return table


def _goal(path: Path, chapter_id: str, name: str) -> Goal:
    goals = {goal.name: goal for goal in read_manifest()[chapter_id].goals}
    if name not in goals:
        raise AnswersError(
            f"{path}: {chapter_id} has no goal {name!r}. Its goals are: {', '.join(goals)}."
        )
    return goals[name]


def _prediction(path: Path, goal: Goal, given: object) -> Answer:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise AnswersError(f"{path}: the answer to {goal.id} should be a text or a whole number.")
    chosen = choose(goal, str(given))
    if chosen is None and not goal.choices:
        raise AnswersError(f"{path}: the answer to {goal.id} should be a whole number.")
    if chosen is None:
        choices = "; ".join(goal.choices)
        raise AnswersError(f"{path}: {given!r} is none of the choices of {goal.id}: {choices}.")
    return chosen

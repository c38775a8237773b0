"""The manifest, the packages and the tests agree, in both directions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from chapters.stage.manifest import ManifestError, find_chapter, read_manifest

ROOT = Path(__file__).parent.parent.parent
CHAPTERS = read_manifest()
GOALS = [goal for chapter in CHAPTERS.values() for goal in chapter.goals]


def first_arguments(path: Path, method: str) -> list[str]:
    """Return the literal first arguments of all calls of ``….method("…")`` in a file."""
    return [
        node.args[0].value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]


def test_every_chapter_has_a_package_and_every_package_a_chapter() -> None:
    packages = sorted(path.parent.name for path in ROOT.glob("chapters/c[0-9][0-9]/__init__.py"))
    assert packages == list(CHAPTERS)


def test_every_chapter_has_tests_and_all_tests_have_a_chapter() -> None:
    assert sorted(path.name for path in ROOT.glob("tests/c[0-9][0-9]")) == list(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_goal_has_one_test_and_every_test_a_goal(chapter: str) -> None:
    tested = first_arguments(ROOT / "tests" / chapter / "test_goals.py", "goal")
    assert sorted(tested) == sorted(goal.id for goal in CHAPTERS[chapter].goals)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_goal_is_claimed_once_in_the_lesson(chapter: str) -> None:
    files = (ROOT / "chapters" / chapter / "lesson").glob("*.py")
    claimed = [goal for path in files for goal in first_arguments(path, "claim")]
    assert sorted(claimed) == sorted(goal.id for goal in CHAPTERS[chapter].goals)


def test_goal_ids_are_unique_and_belong_to_their_chapter() -> None:
    assert len({goal.id for goal in GOALS}) == len(GOALS)
    for chapter in CHAPTERS.values():
        assert all(goal.id == f"{chapter.id}.{goal.name}" for goal in chapter.goals)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.id)
def test_a_goal_is_whole(goal) -> None:  # type: ignore[no-untyped-def]
    assert goal.question.endswith("?")
    assert goal.hint
    assert goal.why
    assert str(goal.answer).casefold() not in goal.hint.casefold() or isinstance(goal.answer, int)
    assert (goal.answer in goal.choices) if goal.choices else isinstance(goal.answer, int)


@pytest.mark.parametrize("text", ["", "chapter = 3", "not toml at all", "[[chapter]]\nid = 'c01'"])
def test_a_broken_manifest_is_one_sentence(tmp_path: Path, text: str) -> None:
    broken = tmp_path / "chapters.toml"
    broken.write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match="cannot be read"):
        read_manifest(broken)


def test_an_unknown_chapter_is_answered_with_the_ones_there_are() -> None:
    with pytest.raises(ManifestError, match=r"no chapter 'c99'.*c01, c02"):
        find_chapter("c99")

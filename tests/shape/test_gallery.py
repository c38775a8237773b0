"""The gallery covers every question, and nothing of it reaches a normal run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chapters.stage import ManifestError
from chapters.stage.gallery import WrongAnswer, find_wrong_answer, wrong_answers
from chapters.stage.manifest import read_manifest
from tests import warm
from tests.shape.test_imports import MODULES, imported

ROOT = Path(__file__).parent.parent.parent
GOALS = [goal.id for chapter in read_manifest().values() for goal in chapter.goals]
GREEN = find_wrong_answer("green-is-true")

pytestmark = pytest.mark.usefixtures("warm_python")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_every_question_has_a_wrong_answer_and_every_wrong_answer_a_question() -> None:
    answered = {goal for wrong in wrong_answers() for goal in wrong.goals}
    assert answered == set(GOALS)


def test_names_are_unique() -> None:
    names = [wrong.name for wrong in wrong_answers()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("wrong", wrong_answers(), ids=lambda wrong: wrong.name)
def test_a_wrong_answer_says_what_it_believes_and_costs(wrong: WrongAnswer) -> None:
    assert wrong.belief.endswith(".")
    assert wrong.cost.endswith(".")
    assert wrong.instead
    assert all(original is not replacement for original, replacement in wrong.instead)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_imports_a_wrong_answer(path: Path) -> None:
    assert not [name for name in imported(path) if name.endswith(".wrong")]
    if path.name != "wrong.py":
        assert not [name for name in imported(path) if name.endswith(".instead")]


def test_a_lesson_tells_what_is_put_in_which_claim_breaks_and_what_it_costs() -> None:
    done = warm.run("chapters.c01", "--plain", "--wrong", "green-is-true")
    printed = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert f"green-is-true (c01.wrong-conclusion) It believes: {GREEN.belief}" in printed
    assert "DOES NOT HOLD: expected a tool that takes too long is given up" in printed
    assert " ".join(GREEN.cost.split()) in printed
    assert "1 of 4 claims did not hold." in printed


def test_pytest_runs_the_tests_of_a_wrong_answers_questions_with_it_put_in() -> None:
    done = run("pytest", "-p", "no:cacheprovider", "--wrong", "green-is-true", "tests/c01")
    assert f"wrong answer: green-is-true. It believes: {GREEN.belief}" in done.stdout
    assert "1 failed" in done.stdout.splitlines()[-1]
    assert "passed" not in done.stdout.splitlines()[-1]
    assert "what happened:  none of them" in done.stdout


@pytest.mark.parametrize("command", [["chapters.c01", "--plain"], ["pytest", "tests/c01"]])
def test_an_unknown_name_is_a_sentence_that_lists_the_names(command: list[str]) -> None:
    done = run(*command, "--wrong", "no-such-thing")
    assert done.returncode in (2, pytest.ExitCode.USAGE_ERROR)
    assert "There is no wrong answer 'no-such-thing'" in done.stderr
    assert "worker-process" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_answer_of_another_chapter_says_where_it_belongs() -> None:
    with pytest.raises(
        ManifestError, match=r"belongs to c03\. Run: python -m chapters\.c03 --wrong"
    ):
        find_wrong_answer("revoke-by-name", "c01")


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one() -> None:
    with pytest.raises(ManifestError, match=r"Did you mean revoke-by-name\?"):
        find_wrong_answer("revoke-by-names", "c03")


@pytest.mark.parametrize("chapter", read_manifest())
def test_a_chapter_lists_its_wrong_answers(chapter: str) -> None:
    done = warm.run(f"chapters.{chapter}", "--wrong", "list", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    listed = [event["name"] for event in events if event["event"] == "wrong"]
    assert listed == [wrong.name for wrong in wrong_answers(chapter)]


def test_a_wrong_answer_that_replaces_nothing_is_an_error() -> None:
    wrong = WrongAnswer("none", ("c01.process",), "x.", "y.", ((object(), object()),))
    with pytest.raises(ManifestError, match="none: the book has no"):
        wrong.put_in()

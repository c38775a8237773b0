"""Predictions: the form, the quiz, pytest --answers, and what is said about bad input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chapters.stage.answers import AnswersError, form, read_answers
from chapters.stage.manifest import read_manifest
from tests.warm import run

ROOT = Path(__file__).parent.parent.parent
C01 = read_manifest()["c01"]


pytestmark = pytest.mark.usefixtures("warm_python")


def run_pytest(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/c01", *options],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("chapter", read_manifest().values(), ids=lambda chapter: chapter.id)
def test_a_filled_form_reads_back_as_it_was_filled(chapter, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    answers = {goal.id: goal.answer for goal in chapter.goals}
    path = tmp_path / "mine.toml"
    path.write_text(form(chapter, answers), encoding="utf-8")
    read = read_answers(path)
    assert {goal.id: goal.matches(read[goal.id]) for goal in chapter.goals} == dict.fromkeys(
        answers, True
    )


def test_a_choice_may_be_given_by_its_letter(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[c01]\nis-it-mcp = "b"\n', encoding="utf-8")
    assert read_answers(path) == {"c01.is-it-mcp": "no"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no answers yet"),
        (form(C01), "holds no answers yet"),
        ("is-it-mcp = ", "is no TOML"),
        ("\0", "is no TOML"),
        ("[c99]\n", "no chapter 'c99'"),
        ("c01 = 3\n", "should be a table"),
        ('[c01]\nno-such-goal = "a"\n', "no goal 'no-such-goal'.*is-it-mcp"),
        ('[c01]\nis-it-mcp = "perhaps"\n', "none of the choices of c01.is-it-mcp: yes; no"),
        ('[c01]\nbehaviours = "seven"\n', "c01.behaviours should be a whole number"),
        ("[c01]\nis-it-mcp = true\n", "a text or a whole number"),
        ('[c01]\nis-it-mcp = ["no"]\n', "a text or a whole number"),
    ],
)
def test_a_file_that_makes_no_sense_is_one_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AnswersError, match=sentence):
        read_answers(path)


def test_bytes_that_are_no_text_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(AnswersError, match="is no TOML"):
        read_answers(path)


def test_a_wrong_prediction_says_what_happened_and_spoils_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[c01]\nbehaviours = 4\nprocess = "b"\n', encoding="utf-8")
    done = run_pytest("--answers", str(path), "--goals")
    assert done.returncode == 1
    assert "1 failed, 1 passed, 2 deselected" in done.stdout
    assert "you predicted:  4" in done.stdout
    assert "what happened:  0" in done.stdout
    assert "hint:           Look for evidence" in done.stdout
    for goal in C01.goals:
        if goal.name not in ("behaviours", "process"):
            assert str(goal.answer) not in done.stdout.replace("no:cacheprovider", "").split()
            assert goal.id not in done.stdout


@pytest.mark.parametrize("text", ["", "no TOML at all"])
def test_pytest_refuses_a_bad_file_as_a_usage_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    done = run_pytest("--answers", str(path))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Traceback" not in done.stdout + done.stderr
    assert f"ERROR: {path}" in done.stderr


def test_goals_are_printed_with_what_was_observed() -> None:
    done = run_pytest("--goals", "-k", "process")
    assert "c01.process: In which process" in done.stdout
    assert "observed: in the client's own process" in done.stdout


def test_the_quiz_asks_until_it_understands_and_writes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    typed = "zebra\nb\nmany\n 7 \n\n\n"
    done = run("chapters", "quiz", "c01", "--output", str(path), given=typed)
    assert done.returncode == 0
    assert "Type the letter of one of the choices" in done.stdout
    assert "Type a whole number" in done.stdout
    assert read_answers(path) == {"c01.is-it-mcp": "no", "c01.behaviours": 7}
    again = run("chapters", "quiz", "c01", "--output", str(path))
    assert (again.returncode, again.stdout) == (2, "")
    assert "is there already" in again.stderr


def test_an_unfinished_quiz_keeps_what_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    done = run("chapters", "quiz", "c01", "--output", str(path), given="b\n")
    assert (done.returncode, done.stderr) == (130, "")
    assert "You have answered 1 of 4 questions." in done.stdout
    assert read_answers(path) == {"c01.is-it-mcp": "no"}


def test_answers_that_cannot_be_written_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "no-such-folder" / "mine.toml"
    done = run("chapters", "quiz", "c01", "--output", str(path), given="b\n\n\n\n")
    assert done.returncode == 2
    assert done.stderr == f"{path} cannot be written: No such file or directory.\n"
    assert form(C01, {"c01.is-it-mcp": "no"}) in done.stdout


@pytest.mark.parametrize("command", ["quiz", "answers"])
def test_an_unknown_chapter_is_status_2_and_a_sentence(command: str) -> None:
    done = run("chapters", command, "c99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no chapter 'c99'.")


def test_a_chapter_given_as_a_command_is_told_how_it_is_run() -> None:
    done = run("chapters", "c01")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Run a chapter with: python -m chapters.c01\n"


def test_the_table_of_contents_lists_every_chapter() -> None:
    done = run("chapters")
    assert done.returncode == 0
    for chapter in read_manifest().values():
        assert f"{chapter.id}  {chapter.title}" in done.stdout

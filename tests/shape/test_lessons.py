"""Every lesson, run as a learner runs it, in plain text and in JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chapters.stage.answers import ways_to_answer
from chapters.stage.manifest import read_manifest
from tests import warm
from tests.docs.record import GENERATED, diagrams, stable

ROOT = Path(__file__).parent.parent.parent
CHAPTERS = list(read_manifest())
NOT_PLAIN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2500-\u259f\u2600-\u27bf\U0001f000-\U0001faff]"
)
EVENTS = {"chapter", "step", "table", "frame", "claim", "end"}

pytestmark = [
    pytest.mark.usefixtures("warm_python"),
    pytest.mark.timeout(600),  # which covers all lessons, in both forms
]

Done = subprocess.CompletedProcess[str]


def run_lesson(chapter: str, *options: str) -> Done:
    return subprocess.run(
        [sys.executable, "-m", f"chapters.{chapter}", *options],
        cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture(scope="module")
def lessons() -> dict[tuple[str, str], Done]:
    """Run all lessons in both forms, two at a time."""
    runs = [(chapter, form) for chapter in CHAPTERS for form in ("--plain", "--json")]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(runs, pool.map(lambda run: run_lesson(*run), runs), strict=True))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lesson_holds_all_its_claims(chapter: str, lessons: dict[tuple[str, str], Done]) -> None:
    done = lessons[chapter, "--plain"]
    assert done.returncode == 0, done.stdout
    assert f"All {len(read_manifest()[chapter].goals)} claims hold." in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_sites_transcript_is_what_a_lesson_prints(
    chapter: str, lessons: dict[tuple[str, str], Done]
) -> None:
    recorded = (GENERATED / f"{chapter}.txt").read_text(encoding="utf-8")
    printed = stable(lessons[chapter, "--plain"].stdout)
    assert printed.split() == recorded.split(), "run `make record`"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_sites_diagrams_are_drawn_from_what_crossed_the_wire(
    chapter: str, lessons: dict[tuple[str, str], Done]
) -> None:
    events = [json.loads(line) for line in lessons[chapter, "--json"].stdout.splitlines()]
    for key, drawing in diagrams(chapter, events).items():
        assert (GENERATED / f"{key}.svg").read_text(encoding="utf-8") == drawing, (
            "run `make record`"
        )


def test_the_readmes_excerpt_is_what_c06_prints(lessons: dict[tuple[str, str], Done]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    excerpt = readme.partition("```text\n")[2].partition("```")[0]
    assert stable(excerpt) in stable(lessons["c06", "--plain"].stdout)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_plain_is_plain(chapter: str, lessons: dict[tuple[str, str], Done]) -> None:
    assert not NOT_PLAIN.findall(lessons[chapter, "--plain"].stdout)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_json_is_only_json_lines(chapter: str, lessons: dict[tuple[str, str], Done]) -> None:
    done = lessons[chapter, "--json"]
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["event"] for event in events} <= EVENTS
    assert events[0]["event"] == "chapter"
    assert events[-1] | {"trouble": None} == events[-1]
    assert events[-1]["event"] == "end"
    assert events[-1]["ok"] is True
    assert done.stderr == ""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_json_has_a_claim_for_each_goal(chapter: str, lessons: dict[tuple[str, str], Done]) -> None:
    events = [json.loads(line) for line in lessons[chapter, "--json"].stdout.splitlines()]
    claims = {event["goal"]: event for event in events if event["event"] == "claim"}
    goals = {goal.id: goal for goal in read_manifest()[chapter].goals}
    assert claims.keys() == goals.keys()
    for goal_id, claim in claims.items():
        assert claim["ok"] is True
        assert claim["expected"] == goals[goal_id].answer
        assert claim["question"] == goals[goal_id].question


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_questions_are_printed_without_their_answers(chapter: str) -> None:
    done = warm.run(f"chapters.{chapter}", "--questions")
    assert done.returncode == 0
    printed = " ".join(done.stdout.split())
    for goal in read_manifest()[chapter].goals:
        assert goal.question in printed
        assert goal.why not in printed
        assert all(way in printed for way in ways_to_answer(goal))


def test_questions_are_events_too() -> None:
    done = warm.run("chapters.c01", "--questions", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events[1:]] == ["question"] * 4
    assert events[1]["goal"] == "c01.is-it-mcp"
    assert events[1]["choices"][:2] == ["yes", "no"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_plain_fits_80_columns(chapter: str, lessons: dict[tuple[str, str], Done]) -> None:
    lines = lessons[chapter, "--plain"].stdout.splitlines()
    lines += warm.run(f"chapters.{chapter}", "--questions").stdout.splitlines()
    lines += warm.run(f"chapters.{chapter}", "--plain", "--wrong", "list").stdout.splitlines()
    assert [line for line in lines if len(line) > 80] == []


def test_a_wrong_option_is_status_2_and_a_sentence() -> None:
    done = warm.run("chapters.c01", "--colour")
    assert done.returncode == 2
    assert "unrecognized arguments: --colour" in done.stderr

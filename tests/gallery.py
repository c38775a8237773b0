"""``make gallery``: every wrong answer, put in, is caught by the test of its own question.

Each is run under its goals' tests and in their lessons. Caught means that the goal's test fails by
what it observed and not by a crash, and that the lesson is told to its end with that claim broken.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from chapters.stage.gallery import WrongAnswer, wrong_answers
from chapters.stage.manifest import read_manifest

ROOT = Path(__file__).parent.parent
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Verdict:
    """How one wrong answer to one question came out."""

    name: str
    goal: str
    test: str
    """The test that caught it, or empty."""
    seen: str
    """The sentence that the reader sees."""
    trouble: str
    """Why it does not count as caught, or empty."""


def main(names: list[str]) -> int:
    """Run the gallery, or the wrong answers of these names, and return the exit status."""
    chosen = [wrong for wrong in wrong_answers() if not names or wrong.name in names]
    with ThreadPoolExecutor(4) as pool:
        verdicts = []
        for each in pool.map(judged, chosen):
            verdicts += each
            for verdict in each:
                show(verdict)
    goals = {goal.id for chapter in read_manifest().values() for goal in chapter.goals}
    unanswered = goals - {goal for wrong in wrong_answers() for goal in wrong.goals}
    missed = sum(bool(verdict.trouble) for verdict in verdicts)
    print(
        f"\n{len(chosen)} wrong answers, {len(verdicts) - missed} times caught, {missed} times not."
        f" Questions without one: {len(unanswered)} {' '.join(sorted(unanswered))}".rstrip()
    )
    return 1 if missed or unanswered or not chosen else 0


def show(verdict: Verdict) -> None:
    """Print a row of the table, on lines of its own."""
    print(f"{verdict.name}  ({verdict.goal})")
    print(f"    caught by  {verdict.test or 'NO TEST'}")
    print(f"    seen       {verdict.seen}")
    if verdict.trouble:
        print(f"    TROUBLE    {verdict.trouble}")
    sys.stdout.flush()


def judged(wrong: WrongAnswer) -> list[Verdict]:
    """Run the tests and the lessons of one wrong answer."""
    failures = failed_tests(wrong)
    verdicts = []
    for chapter in sorted({goal.partition(".")[0] for goal in wrong.goals}):
        broken, trouble = told(wrong, chapter)
        for goal in wrong.goals:
            if goal.startswith(f"{chapter}."):
                unbroken = "" if goal in broken else "the lesson's claim was not seen to break"
                verdicts.append(verdict(wrong.name, goal, failures, trouble or unbroken))
    return verdicts


def verdict(name: str, goal: str, failures: dict[str, str], trouble: str) -> Verdict:
    """Find the test that failed by what it observed for a goal."""
    for test, message in failures.items():
        if message.startswith(f"Failed: {goal}: ") and "what happened:" in message:
            seen = " ".join(message.partition("\n")[2].split())
            return Verdict(name, goal, test, seen, trouble)
    return Verdict(name, goal, "", "", f"no goal's test failed by what it observed: {failures}")


def failed_tests(wrong: WrongAnswer) -> dict[str, str]:
    """Return the failed tests of a wrong answer's goals, each with its message."""
    folders = sorted({f"tests/{goal.partition('.')[0]}/test_goals.py" for goal in wrong.goals})
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = run(
            "pytest", *folders, f"--wrong={wrong.name}", f"--junitxml={report}",
            "-p", "no:cacheprovider",
        )  # fmt: skip
        if not report.exists():
            return {"pytest": done.stdout + done.stderr}
        return {
            str(case.get("name")): str(failure.get("message"))
            for case in ET.parse(report).iter("testcase")  # noqa: S314 - our own report
            for failure in case.iter("failure")
        }


def told(wrong: WrongAnswer, chapter: str) -> tuple[set[str], str]:
    """Tell a lesson; return the goals whose claims broke, and why it was not told to its end."""
    done = run(f"chapters.{chapter}", "--wrong", wrong.name, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    broken = {event["goal"] for event in events if event["event"] == "claim" and not event["ok"]}
    end = events[-1] if events else {}
    if end.get("event") != "end" or end["trouble"] or done.stderr:
        return broken, f"the lesson broke off: {end.get('trouble')} {done.stderr[-300:]}"
    return broken, ""


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module in a process of its own, for as long as a wrong answer may take."""
    command = [sys.executable, "-m", module, *arguments]
    try:
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        words = f"not over after {PATIENCE_SECONDS} seconds"
        return subprocess.CompletedProcess(command, 1, "", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

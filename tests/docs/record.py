"""``make record``: what the chapters print and ask, for the pages to include.

Everything that changes from run to run (process ids, ports, times, correlation ids, this machine's
variables and addresses) is made stable, so that a page shows the code's doing and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from chapters.stage.answers import ways_to_answer
from chapters.stage.gallery import wrong_answers
from chapters.stage.manifest import Chapter, read_manifest
from tests.docs.pictures import pictures
from tests.docs.wire_svg import arrows, sequence

ROOT = Path(__file__).parent.parent.parent
GENERATED = ROOT / "docs" / "generated"
LIFTING = ROOT / "tests" / "lifting" / "harness.py"

Observed = dict[tuple[str, str], str]

STABLE = [
    (r"\b[0-9a-f]{16}\b", "0123456789abcdef"),
    (r"(attacker\.example|localhost|127\.0\.0\.1):\d{4,5}\b(?<!:8931)(?<!:9999)", r"\1:PORT"),
    (r"back after \d\.\d s", "back after 0.5 s"),
    (r"(the client|its 'server')( +)\d+", r"\1\2PID"),
    (r"(while both are connected) +\d+, \d+", r"\1  PID, PID"),
    (r"process \d+ ", "process PID   "),
    (r'\{"pid": \S+ .*?\.\.\.', '{"pid": ...'),
    (r"(that demo_alpha was given:)[^.]+\.", r"\1 HOME, PATH and a few more."),
    (r"(0\.0\.0\.0 +)127\.0\.0\.2.*", r"\g<1>127.0.0.2 and all others"),
]


def stable(text: str) -> str:
    """Return a transcript with what changes from run to run made stable."""
    for pattern, replacement in STABLE:
        text = re.sub(pattern, replacement, text)
    return text


DIAGRAMS = {
    "c02-modern": (
        "c02",
        "demo_alpha (2026-07-28)",
        "Connecting to demo_alpha, from 2026-07-28",
        10,
    ),
    "c02-legacy": (
        "c02",
        "demo_alpha (2025-11-25)",
        "Connecting to demo_alpha, up to 2025-11-25",
        10,
    ),
    "c03-wire": ("c03", "demo_alpha", "Connecting, and a business error", 10),
    "c04-wire": ("c04", "demo_beta", "What demo_beta sees: no frame for bad arguments", 14),
    "c05-wire": ("c05", "demo_alpha", "What demo_alpha sees of the lead's first replies", 12),
    "c06-wire": ("c06", "demo_alpha", "The same over HTTP, until the server is killed", 12),
    "c07-wire": ("c07", "runbook", "Connecting to the runbook: three kinds of list", 16),
}
"""Each diagram: its chapter, whose frames, its title, and how many frames at most."""


def diagrams(chapter: str, events: list[dict[str, Any]]) -> dict[str, str]:
    """Return a chapter's diagrams and pictures by key, drawn from the events of a run."""
    return pictures(chapter, events) | {
        key: sequence(key, title, alias.partition(" ")[0], arrows(events, alias, most))
        for key, (where, alias, title, most) in DIAGRAMS.items()
        if where == chapter
    }


def told(chapter: str, *options: str) -> str:
    """Run a chapter as a learner does and return what it prints.

    Raises ValueError where it does not end as it should: with 1 where a wrong answer is in.
    """
    done = subprocess.run(
        [sys.executable, "-m", f"chapters.{chapter}", *options],
        cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode != ("--wrong" in options):
        raise ValueError(f"{chapter} {options} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def lifted() -> str:
    """Run the program that lifts the book's modules, say yes, and return what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(LIFTING)],
            cwd=folder, capture_output=True, text=True, check=True, input="yes\n",
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    return done.stdout


def questions(chapter: Chapter) -> str:
    """Return a chapter's questions as Markdown, each hint folded away."""
    lines: list[str] = []
    for number, goal in enumerate(chapter.goals, 1):
        lines += [f"**{number}. {goal.question}**", ""]
        lines += [f"- {way}" for way in ways_to_answer(goal)]
        lines += ["", f'??? tip "Hint to {number}"', "", f"    {goal.hint}", ""]
    return "\n".join(lines)


def answers(chapter: Chapter) -> str:
    """Return what was observed and why as Markdown, folded away under each question."""
    lines: list[str] = []
    for number, goal in enumerate(chapter.goals, 1):
        lines += [f'??? success "{number}. {goal.question}"', ""]
        lines += [f"    Observed: **{goal.answer}**", "", f"    {goal.why}", ""]
    return "\n".join(lines)


def wrong(chapter: Chapter, observed: Observed) -> str:
    """Return a chapter's wrong answers as Markdown: what each believes and costs, and what is seen.

    ``observed`` is what was observed for a goal, by the wrong answer's name and the goal's.
    """
    lines = []
    for each in wrong_answers(chapter.id):
        asked = [goal for goal in chapter.goals if goal.id in each.goals]
        lines += [
            f"- **`{each.name}`** ({', '.join(goal.name for goal in asked)}): {each.belief}",
            f"  *It costs:* {' '.join(each.cost.split())}",
        ]
        lines += [
            f"  *Observed with it in* ({goal.name}): **{observed[each.name, goal.name]}**"
            f" instead of **{goal.answer}**."
            for goal in asked
        ]
    return "\n".join([*lines, ""])


def recorded(text: str) -> Observed:
    """Return the observations that a page of wrong answers holds."""
    found: Observed = {}
    for part in text.split("\n- "):
        name = part.partition("`")[2].partition("`")[0]
        for goal, seen in re.findall(
            r"\*Observed with it in\* \((.+)\): \*\*(.*)\*\* instead of ", part
        ):
            found[name, goal] = seen
    return found


def with_wrong_answers(chapter: Chapter) -> Observed:
    """Tell a chapter's lesson with each wrong answer in; return what it then claims wrongly."""
    names = [each.name for each in wrong_answers(chapter.id)]
    with ThreadPoolExecutor(4) as pool:
        lessons = pool.map(lambda name: told(chapter.id, "--json", "--wrong", name), names)
    return {
        (name, chapter.goal(event["goal"]).name): stable(str(event["observed"]))
        for name, lesson in zip(names, lessons, strict=True)
        for event in map(json.loads, lesson.splitlines())
        if event["event"] == "claim" and not event["ok"]
    }


def main() -> None:
    """Write everything."""
    GENERATED.mkdir(exist_ok=True)
    for chapter in read_manifest().values():
        print(f"recording {chapter.id}", flush=True)
        write(f"{chapter.id}.txt", stable(told(chapter.id, "--plain")))
        events = [json.loads(line) for line in told(chapter.id, "--json").splitlines()]
        for key, drawing in diagrams(chapter.id, events).items():
            write(f"{key}.svg", drawing)
        write(f"{chapter.id}-questions.md", questions(chapter))
        write(f"{chapter.id}-answers.md", answers(chapter))
        write(f"{chapter.id}-wrong.md", wrong(chapter, with_wrong_answers(chapter)))
    write("lifting.txt", lifted())


def write(name: str, text: str) -> None:
    """Write one generated file."""
    (GENERATED / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

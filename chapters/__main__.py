"""The book's table of contents and its few commands."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.stage.answers import LETTERS, choose, form
from chapters.stage.manifest import ManifestError, find_chapter, read_manifest
from chapters.stage.streams import with_streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.stage.manifest import Answer, Chapter, Goal


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the book's commands and return the exit status; 2 is a wrong command line."""
    return with_streams(lambda: command(argv))


def command(argv: Sequence[str] | None) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m chapters", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in {
        "quiz": "ask the chapter's questions and write your predictions to a file",
        "answers": "write a blank form for your predictions, to fill in by hand",
    }.items():
        form_command = commands.add_parser(name, help=text, description=text)
        form_command.add_argument("chapter", help="such as c02")
        form_command.add_argument("--output", type=Path, help="default: answers-CHAPTER.toml")
    commands.add_parser("next", help="say how to go on after a first tour")
    arguments = parser.parse_args(argv)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the imports are over
    try:
        if arguments.command in ("quiz", "answers"):
            chapter = find_chapter(arguments.chapter)
            output = arguments.output or Path(f"answers-{chapter.id}.toml")
            return write_form(chapter, output, asked=arguments.command == "quiz")
        print(HOW_TO_GO_ON if arguments.command == "next" else contents())
    except ManifestError as error:
        parser.exit(2, f"{error}\n")
    return 0


def contents() -> str:
    """Return the table of contents."""
    lines = ["The chapters (run one with: python -m chapters.c01)", ""]
    for chapter in read_manifest().values():
        lines += [f"  {chapter.id}  {chapter.title}", f"       {chapter.promise}"]
    return "\n".join([*lines, "", HOW_TO_GO_ON])


HOW_TO_GO_ON = """\
How to go on (after: . .venv/bin/activate):
  python -m chapters quiz c01                             predict a chapter's answers
  python -m pytest tests/c01 --answers answers-c01.toml   check them against what happens
  python -m chapters.c02 --wire                           see the frames cross the pipe
  python -m chapters.c03 --wrong revoke-by-name           put a wrong answer in"""


def write_form(chapter: Chapter, output: Path, *, asked: bool) -> int:
    """Write the chapter's form to a file that is not there yet, asking first for a quiz."""
    if output.exists():
        print(f"{output} is there already: move it away, or give --output.", file=sys.stderr)
        return 2
    try:
        goals = chapter.goals if asked else ()
        answers = {goal.id: answer for goal in goals if (answer := ask(goal))}
        output.write_text(form(chapter, answers), encoding="utf-8")
    except (KeyboardInterrupt, EOFError):
        print("\nNothing was written.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"{output} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    print(f"Your {'predictions are' if asked else 'form is'} in {output}. Check with:")
    print(f"  python -m pytest tests/{chapter.id} --answers {output}")
    return 0


def ask(goal: Goal) -> Answer | None:
    """Ask one question until the answer is one of its choices; nothing typed means: not yet."""
    print(f"\n{goal.question}")
    for letter, choice in zip(LETTERS, goal.choices, strict=False):
        print(f"  {letter}) {choice}")
    while given := input("> ").strip():
        if (chosen := choose(goal, given)) is not None:
            return chosen
        print("Type the letter of one of the choices, or nothing to leave it open.")
    return None


if __name__ == "__main__":
    sys.exit(main())

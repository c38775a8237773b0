"""The book's table of contents and its few commands."""

from __future__ import annotations

import argparse
import signal
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.stage.answers import choose, form, ways_to_answer
from chapters.stage.manifest import ManifestError, find_chapter, read_manifest
from chapters.stage.streams import with_streams

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        form_command.add_argument("chapter", help="for example c02")
        form_command.add_argument("--output", type=Path, help="default: answers-CHAPTER.toml")
    commands.add_parser("next", help="show how to go on after a first tour")
    given = sys.argv[1:] if argv is None else argv
    if given and given[0] in read_manifest():
        parser.exit(2, f"Run a chapter with: python -m chapters.{given[0]}\n")
    arguments = parser.parse_args(given)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the imports are over
    try:
        if arguments.command in ("quiz", "answers"):
            chapter = find_chapter(arguments.chapter)
            output = arguments.output or Path(f"answers-{chapter.id}.toml")
            if output.exists():
                print(
                    f"{output} is there already. Move it away, or name another file with --output.",
                    file=sys.stderr,
                )
                return 2
            return (quiz if arguments.command == "quiz" else write_form)(chapter, output)
        print(HOW_TO_GO_ON if arguments.command == "next" else contents())
    except ManifestError as error:
        parser.exit(2, f"{error}\n")
    return 0


def contents() -> str:
    """Return the table of contents."""
    lines = ["The chapters (run one with: python -m chapters.c01)", ""]
    for chapter in read_manifest().values():
        promise = textwrap.indent(textwrap.fill(chapter.promise, 73), " " * 7)
        lines += [f"  {chapter.id}  {chapter.title}", promise]
    return "\n".join([*lines, "", HOW_TO_GO_ON])


HOW_TO_GO_ON = """\
How to go on (after: . .venv/bin/activate):
  python -m chapters quiz c01                             predict a chapter's answers
  python -m pytest tests/c01 --answers answers-c01.toml   check them against what happens
  python -m chapters.c02 --wire                           see the frames cross the pipe
  python -m chapters.c03 --wrong revoke-by-name           put a wrong answer in"""


def quiz(chapter: Chapter, output: Path) -> int:
    """Ask the chapter's questions, write what was answered to ``output``, and return the status.

    Whoever breaks off with Ctrl-C or Ctrl-D keeps what they have answered; the status is 130.
    """
    answers: dict[str, Answer] = {}
    try:
        for goal in chapter.goals:
            if (answer := ask(goal)) is not None:
                answers[goal.id] = answer
    except (KeyboardInterrupt, EOFError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was answered is written in any case
        if not answers:
            print("\nNothing was written.", file=sys.stderr)
            return 130
        print(f"\nYou have answered {len(answers)} of {len(chapter.goals)} questions.")
        return write_form(chapter, output, answers) or 130
    return write_form(chapter, output, answers)


def ask(goal: Goal) -> Answer | None:
    """Ask one question until the answer can be one; nothing typed means: not yet."""
    print(f"\n{goal.question}")
    for way in ways_to_answer(goal):
        print(f"  {way}")
    while given := input("> ").strip():
        if (chosen := choose(goal, given)) is not None:
            return chosen
        wanted = "the letter of one of the choices" if goal.choices else "a whole number"
        print(f"Type {wanted}, or press Enter to leave the question open.")
    return None


def write_form(chapter: Chapter, output: Path, answers: Mapping[str, Answer] | None = None) -> int:
    """Write the chapter's form, with ``answers`` filled in, and return the exit status.

    Answers that cannot be written are printed, so that they are not lost.
    """
    text = form(chapter, answers)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"{output} cannot be written: {error.strerror}.", file=sys.stderr)
        if answers:
            print(f"\nHere is what the file would hold:\n\n{text}", end="")
        return 2
    what = "form is" if answers is None else "predictions are"
    print(f"Your {what} in {output}. Check your answers with:")
    print(f"  python -m pytest tests/{chapter.id} --answers {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

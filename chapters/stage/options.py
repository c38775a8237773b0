"""The command line that every chapter shares."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from chapters.stage.manifest import Chapter

Form = Literal["rich", "plain", "json"]


@dataclass(frozen=True)
class Options:
    """How the reader wants the lesson told."""

    form: Form = "plain"
    wire: bool = False
    step: bool = False
    questions: bool = False
    wrong: str | None = None


def option_parser(chapter: Chapter) -> argparse.ArgumentParser:
    """Return the parser for a chapter's options; a chapter may add its own to it."""
    parser = argparse.ArgumentParser(
        prog=f"python -m chapters.{chapter.id}",
        description=f"{chapter.title}: {chapter.promise}",
        epilog="Exit status: 0 if every claim held, 1 if not, 2 wrong command line, 130 Ctrl-C.",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--plain", action="store_true", help="no colour, boxes, spinner or emoji (also: NO_COLOR)"
    )
    form.add_argument("--json", action="store_true", help="print JSON Lines and nothing else")
    parser.add_argument("--wire", action="store_true", help="show the JSON-RPC frames, both ways")
    parser.add_argument(
        "--step",
        action="store_true",
        help="wait for Enter between steps (the prompt goes to stderr)",
    )
    parser.add_argument(
        "--questions", action="store_true", help="print the chapter's questions and stop"
    )
    parser.add_argument(
        "--wrong",
        metavar="NAME",
        help="put a wrong answer in and see what breaks; 'list' shows their names",
    )
    return parser


def read_options(arguments: argparse.Namespace) -> Options:
    """Turn parsed arguments into :class:`Options`, looking at the environment where it counts."""
    return Options(
        form=_form(plain=arguments.plain, json=arguments.json),
        wire=arguments.wire,
        step=arguments.step,
        questions=arguments.questions,
        wrong=arguments.wrong,
    )


def refuse_lesson_options(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, other: str
) -> None:
    """End with status 2 where an option of the lesson goes with ``other``, which is no lesson."""
    for name in ("wire", "step", "questions", "wrong"):
        if getattr(arguments, name):
            parser.error(f"--{name} is for the lesson and does not go with {other}")


def _form(*, plain: bool, json: bool) -> Form:
    if json:
        return "json"
    on_terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it was closed
    if plain or os.environ.get("NO_COLOR") or not on_terminal:
        return "plain"
    return "rich"

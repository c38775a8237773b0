"""The lesson of c05; or you as the model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chapters.c04 import allowlist
from chapters.c04.lesson.demo import ALPHA, BETA
from chapters.c05 import Cast, ScriptedModel, open_runner
from chapters.c05.lesson import tell
from chapters.c05.lesson.local import COUNT_WORDS
from chapters.c05.lesson.play import TypedModel, ask_permission
from chapters.stage import (
    find_chapter,
    option_parser,
    read_options,
    refuse_lesson_options,
    run,
    run_program,
)
from chapters.stage.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import Sequence


async def play() -> int:
    """Let the reader be the lead's model, over both demo servers."""
    keyboard = Keyboard()
    cast = Cast(TypedModel(keyboard), lambda: ScriptedModel([]), ScriptedModel([]))
    approve = partial(ask_permission, keyboard)
    servers = allowlist([ALPHA, BETA])
    async with open_runner(servers, [COUNT_WORDS], cast, approve=approve) as runner:
        await runner.run("Find out what a watchdog is, and what error code -32601 means.")
    print("\nThe play is over, and every server is stopped.")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or play; return the exit status."""
    parser = option_parser(find_chapter("c05"))
    parser.add_argument("--play", action="store_true", help="be the model: you type its calls")
    arguments = parser.parse_args(argv)
    if arguments.play:
        if arguments.json:
            parser.error("--play is in text only and does not go with --json")
        refuse_lesson_options(parser, arguments, "--play")
        return run_program(lambda _: play())
    return run("c05", tell, read_options(arguments))

"""The lesson of c06; or the guarded demo server, to try a client on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c06.lesson import tell
from chapters.c06.lesson.serve import serve
from chapters.stage import (
    find_chapter,
    option_parser,
    read_options,
    refuse_lesson_options,
    run,
    run_program,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or serve; return the exit status."""
    parser = option_parser(find_chapter("c06"))
    parser.add_argument("--browser", action="store_true", help="play the attack in Chromium too")
    parser.add_argument("--serve", action="store_true", help="run the guarded demo server")
    parser.add_argument("--port", type=int, default=0, help="with --serve; 0 picks one")
    arguments = parser.parse_args(argv)
    if arguments.port and not arguments.serve:
        parser.error("--port goes with --serve")
    if not 0 <= arguments.port <= 65535:
        parser.error("--port should be from 0 to 65535")
    if arguments.serve:
        refuse_lesson_options(parser, arguments, "--serve")
        if arguments.browser:
            parser.error("--browser is for the lesson and does not go with --serve")
        return run_program(lambda _: serve(arguments.port, as_json=arguments.json))
    return run("c06", lambda stage: tell(stage, browser=arguments.browser), read_options(arguments))

"""The lesson of c07, and a learner's own servers with all that they list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c04.lesson.own.command import own_servers
from chapters.c07.lesson import tell
from chapters.c07.lesson.own.command import ALL_LISTS, add_options
from chapters.stage import find_chapter, option_parser, read_options, run

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or try the learner's own servers; return the exit status."""
    parser = option_parser(find_chapter("c07"))
    add_options(parser)
    arguments = parser.parse_args(argv)
    status = own_servers(parser, arguments, ALL_LISTS)
    return run("c07", tell, read_options(arguments)) if status is None else status

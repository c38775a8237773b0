"""The lesson of c04, and a learner's own servers under the same policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c04.lesson import tell
from chapters.c04.lesson.own.command import TOOLS_ONLY, add_options, own_servers
from chapters.stage import find_chapter, option_parser, read_options, run

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or try the learner's own servers; return the exit status."""
    parser = option_parser(find_chapter("c04"))
    add_options(parser)
    arguments = parser.parse_args(argv)
    status = own_servers(parser, arguments, TOOLS_ONLY)
    return run("c04", tell, read_options(arguments)) if status is None else status

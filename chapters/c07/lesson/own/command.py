"""The options that c07 adds to those for one's own servers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from chapters.c04.lesson.own import command
from chapters.c04.lesson.own.drafting import draft
from chapters.c07.lesson.own.drafting import drafted
from chapters.c07.lesson.own.servers_file import read_servers
from chapters.c07.lesson.own.trying import try_servers
from chapters.c07.prompts import parse_command
from chapters.c07.walk import published_lists

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from chapters.c04 import AllowedServer
    from chapters.c07.lesson.own.servers_file import ServerWithLists


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add c04's options for one's own servers, and those for resources and prompts."""
    command.add_options(parser)
    own = parser.add_argument_group("their resources and prompts, after the calls")
    own.add_argument(
        "--read",
        nargs=2,
        action="append",
        default=[],
        metavar=("ALIAS", "URI"),
        help="read a resource; may be repeated",
    )
    own.add_argument(
        "--prompt",
        type=_typed,
        action="append",
        default=[],
        metavar="LINE",
        help="load a prompt, as typed: '/mcp__alias__name key=value'; may be repeated",
    )


def _typed(line: str) -> tuple[str, dict[str, str]]:
    try:
        return parse_command(line)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _draft(server: AllowedServer) -> Awaitable[int]:
    return draft(server, walk=published_lists, more=drafted)


def _try(servers: Mapping[str, ServerWithLists], arguments: argparse.Namespace) -> Awaitable[int]:
    wanted = command.wanted(arguments)
    return try_servers(servers, wanted, arguments.read, arguments.prompt, json=arguments.json)


ALL_LISTS = command.OwnServers(("call", "read", "prompt", "approve"), read_servers, _draft, _try)

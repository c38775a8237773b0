"""The options that go with a file of one's own servers, and what they start."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.c04.lesson.own.drafting import draft
from chapters.c04.lesson.own.servers_file import read_servers
from chapters.c04.lesson.own.telling import Telling, operators_view
from chapters.c04.lesson.own.toml_file import ServersFileError
from chapters.c04.lesson.own.trying import Wanted, try_servers
from chapters.stage import refuse_lesson_options, run_program

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Iterable, Mapping

    from chapters.c04.policy import AllowedServer
    from chapters.stage import Log


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for one's own servers to the chapter's."""
    own = parser.add_argument_group("your own servers")
    own.add_argument(
        "--servers", type=Path, metavar="FILE", help="connect the servers in a TOML file"
    )
    own.add_argument(
        "--call",
        nargs=2,
        action="append",
        default=[],
        metavar=("LOCAL_NAME", "JSON"),
        help="call a tool; may be repeated, in order",
    )
    own.add_argument("--approve", action="store_true", help="allow calls that write")
    own.add_argument("--detail", action="store_true", help="the operator's view, on stderr")
    own.add_argument("--draft", metavar="ALIAS", help="print a policy to start from")


def own_servers(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int | None:
    """Try the servers in a file and return the exit status, or None where no file is given.

    Raises SystemExit with status 2 for a wrong command line or a file that makes no sense.
    """
    more = bool(arguments.call or arguments.approve)
    if arguments.servers is None:
        if more or arguments.detail or arguments.draft is not None:
            parser.error("--call, --approve, --detail and --draft go with --servers FILE")
        return None
    refuse_lesson_options(parser, arguments, "--servers")
    if arguments.draft is not None and (more or arguments.json):
        parser.error("--draft prints TOML and calls nothing: no --json, --call or --approve")
    try:
        servers = read_servers(arguments.servers)
    except ServersFileError as error:
        parser.exit(2, f"{error}\n")
    with operators_view(wanted=arguments.detail):
        if arguments.draft is None:
            return _try(servers, arguments)
        if arguments.draft not in servers:
            parser.exit(2, f"{arguments.servers}: there is no [servers.{arguments.draft}].\n")
        server = servers[arguments.draft]
        return run_program(lambda log: _to_a_person(log, [arguments.draft], draft(server)))


def _try(servers: Mapping[str, AllowedServer], arguments: argparse.Namespace) -> int:
    calls = [(name, text) for name, text in arguments.call]
    wanted = Wanted(calls, approve=arguments.approve)
    telling = Telling(json=arguments.json)
    if arguments.json:
        return run_program(lambda _: try_servers(servers, wanted, telling))
    return run_program(
        lambda log: _to_a_person(log, servers, try_servers(servers, wanted, telling))
    )


async def _to_a_person(log: Log, aliases: Iterable[str], work: Awaitable[int]) -> int:
    """Say on stderr what is waited for, and where the full story is if it did not go well."""
    print(f"connecting {', '.join(aliases)} ...", file=sys.stderr, flush=True)
    status = await work
    if status and (where := log.whereabouts()):
        print(where, file=sys.stderr)
    return status

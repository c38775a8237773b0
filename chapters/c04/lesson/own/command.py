"""The options that go with a file of one's own servers, and what they start."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from chapters.c04.lesson.own.drafting import draft
from chapters.c04.lesson.own.servers_file import read_servers
from chapters.c04.lesson.own.telling import Telling, operators_view
from chapters.c04.lesson.own.toml_file import ServersFileError
from chapters.c04.lesson.own.trying import Wanted, try_servers
from chapters.c04.policy import AllowedServer
from chapters.stage import refuse_lesson_options, run_program

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from chapters.stage import Log

A = TypeVar("A", bound=AllowedServer)


@dataclass(frozen=True)
class OwnServers(Generic[A]):
    """What a chapter does with the servers in a file."""

    tries: tuple[str, ...]
    """The options that try something of a server's: ``("call", "approve")``."""
    read: Callable[[Path], Mapping[str, A]]
    draft: Callable[[A], Awaitable[int]]
    try_all: Callable[[Mapping[str, A], argparse.Namespace], Awaitable[int]]


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


def own_servers(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, own: OwnServers[A]
) -> int | None:
    """Try the servers in a file and return the exit status, or None where no file is given.

    Raises SystemExit with status 2 for a wrong command line or a file that makes no sense.
    """
    more = any(getattr(arguments, name) for name in own.tries)
    tries = [f"--{name}" for name in own.tries]
    if arguments.servers is None:
        if more or arguments.detail or arguments.draft is not None:
            parser.error(f"{', '.join(tries)}, --detail and --draft go with --servers FILE")
        return None
    refuse_lesson_options(parser, arguments, "--servers")
    if arguments.draft is not None and (more or arguments.json):
        listed = f"{', '.join(tries[:-1])} or {tries[-1]}"
        parser.error(f"--draft prints TOML and calls nothing: no --json, {listed}")
    try:
        servers = own.read(arguments.servers)
    except ServersFileError as error:
        parser.exit(2, f"{error}\n")
    with operators_view(wanted=arguments.detail):
        if arguments.draft is None:
            if arguments.json:
                return run_program(lambda _: own.try_all(servers, arguments))
            return run_program(
                lambda log: _to_a_person(log, servers, own.try_all(servers, arguments))
            )
        if arguments.draft not in servers:
            parser.exit(2, f"{arguments.servers}: there is no [servers.{arguments.draft}].\n")
        server = servers[arguments.draft]
        return run_program(lambda log: _to_a_person(log, [arguments.draft], own.draft(server)))


async def _to_a_person(log: Log, aliases: Iterable[str], work: Awaitable[int]) -> int:
    """Say on stderr what is waited for, and where the full story is if it did not go well."""
    print(f"connecting {', '.join(aliases)} ...", file=sys.stderr, flush=True)
    status = await work
    if status and (where := log.whereabouts()):
        print(where, file=sys.stderr)
    return status


def _try(servers: Mapping[str, AllowedServer], arguments: argparse.Namespace) -> Awaitable[int]:
    return try_servers(servers, wanted(arguments), Telling(json=arguments.json))


def wanted(arguments: argparse.Namespace) -> Wanted:
    """Return the calls that the command line asks for."""
    return Wanted([(name, text) for name, text in arguments.call], approve=arguments.approve)


TOOLS_ONLY = OwnServers(("call", "approve"), read_servers, draft, _try)

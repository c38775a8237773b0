"""Five wrong guards: what each lets in, what each turns away, and what the official suite sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chapters.c06.guard import HostGuard, allowed_on
from chapters.c06.guarded import unguarded_app
from chapters.c06.lesson.conformance import dns_rebinding_scenario
from chapters.c06.lesson.raw_http import request
from chapters.c06.lesson.rows import read_rows
from chapters.c06.lesson.victim import victim_server
from chapters.c06.lesson.wrong_guards import WRONG_GUARDS, CheckedApp
from chapters.c06.serving import bound_socket, serving
from tests.c06.running import door, running

if TYPE_CHECKING:
    from chapters.c06.serving import Parser

ROWS = read_rows(Path(__file__).with_name("headers.toml"))

# Of the rows, some that a guard lets in and must not: the reason why it is wrong.
LETS_IN = {
    "tutorial": {"no port means port 80"},
    "off": {"a rebound name", "an attacker's origin", "opaque origin"},
    "prefix": {
        "an allowed name as a prefix",
        "userinfo",
        "another port",
        "an allowed origin as a prefix",
        "another local app's origin",
    },
    "host only": {"another local app's origin", "opaque origin", "an attacker's origin"},
    "origin only": {"a rebound name", "an allowed name as a prefix"},
}
# And what only a parser that leaves the counting to the application shows.
LETS_IN_UNDER_HTTPTOOLS = {
    "tutorial": {"no Host at all"},
    "off": {"no Host at all", "two Hosts"},
    "prefix": {"no Host at all", "two Hosts"},
    "host only": {"two Hosts"},
    "origin only": {"no Host at all", "two Hosts"},
}


@pytest.mark.parametrize("name", WRONG_GUARDS)
def test_the_rows_catch_every_wrong_guard(name: str, parser: Parser) -> None:
    let_in, turned_away = set(), set()
    with running(lambda port: CheckedApp(door, WRONG_GUARDS[name], port), parser) as server:
        for row in ROWS:
            status, expected = server.ask(row.message(server.port)).status, row.expected(parser)
            if status == 200 != expected:
                let_in.add(row.name)
            if status != 200 == expected:
                turned_away.add(row.name)
    wrong = LETS_IN[name]
    if parser == "httptools":
        wrong = wrong | LETS_IN_UNDER_HTTPTOOLS[name]
    assert wrong <= let_in
    assert ("loopback name with the bound port" in turned_away) == (name == "tutorial")


def test_the_tutorial_guard_refuses_every_honest_client_on_a_port(parser: Parser) -> None:
    with running(lambda port: CheckedApp(door, WRONG_GUARDS["tutorial"], port), parser) as server:
        for host in ("localhost", "127.0.0.1", "[::1]"):
            assert server.ask(request([f"Host: {host}:{server.port}"])).status == 421


def test_the_tutorial_guard_lets_a_missing_host_through() -> None:
    """h11 answers 400 before any guard is asked; httptools leaves it to the application."""
    with running(
        lambda port: CheckedApp(door, WRONG_GUARDS["tutorial"], port), "httptools"
    ) as server:
        assert server.ask(request([])).status == 200


@pytest.mark.anyio
async def test_the_conformance_scenario_passes_three_of_the_five() -> None:
    passed = set()
    for name, check in WRONG_GUARDS.items():
        sock = bound_socket()
        app = CheckedApp(unguarded_app(victim_server("secret")), check, sock.getsockname()[1])
        async with serving(app, sock) as port:
            if (await dns_rebinding_scenario(port)).passed:
                passed.add(name)
    assert passed == {"prefix", "host only", "origin only"}


@pytest.mark.anyio
async def test_the_conformance_scenario_passes_the_guard_too() -> None:
    sock = bound_socket()
    app = HostGuard(unguarded_app(victim_server("secret")), allowed_on(sock.getsockname()[1]))
    async with serving(app, sock) as port:
        assert (await dns_rebinding_scenario(port)).passed

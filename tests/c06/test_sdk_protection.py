"""The SDK's own protection, asked the same rows: where it differs, and where it is not there.

Measured with mcp 2.3.0. A change here is news: look, then move the row.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp.server.transport_security import TransportSecuritySettings

from chapters.c06.lesson.raw_http import GET, request
from chapters.c06.lesson.rows import read_rows
from chapters.c06.lesson.victim import victim_server
from tests.c06.running import Running, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapters.c06.serving import Parser

ROWS = read_rows(Path(__file__).with_name("headers.toml"))

# It compares text: with a list, then with the start of an entry that ends in ":*". So whatever
# follows "localhost:" is a port to it.
LETS_IN = {
    "another port",
    "an allowed name and port as a prefix",
    "userinfo",
    "port out of range",
    "a port with a leading zero",
    "an empty port",
    "port 0",
    "a signed port",
    "two ports",
    "a port in other digits",
    "a path behind the authority",
    "two authorities in one line",
    "an authority and a blank",
    "another local app's origin",
    "an allowed origin as a prefix",
    "an origin with a path",
    "an origin with userinfo",
    "a list of origins",
    # An empty Origin is none to it, it reads the first of several, and knows no Sec-Fetch-Site.
    "an empty Origin",
    "two Origins, the good one first",
    "two good Origins",
    "a cross-site fetch without Origin",
    "a fetch by another port of this machine, without Origin",
    "a relation that does not exist yet",
    "two relations, the good one first",
}
LETS_IN_UNDER = {
    "h11": {"a folded line"},
    "httptools": {"two Hosts", "two good Hosts"},
}
# Spellings of an allowed host that are not on its list.
TURNS_AWAY = {"host names are case-insensitive", "IPv6 loopback spelled out"}
# Refused by both, with another status. The 406 is past the protection: it is for the Accept line.
OTHERWISE = {
    "h11": {
        "HTTP/1.0 without a Host": 421,
        "a request target that names another server": 404,
        "a request target that names this server, Host another": 404,
        "a path that does not exist, under a rebound name": 404,
        "an image on an attacker's page": 406,
    },
    "httptools": {
        "no Host at all": 421,
        "HTTP/1.0 without a Host": 421,
        "two Hosts, the good one last": 421,
        "a path that does not exist, under a rebound name": 404,
        "an image on an attacker's page": 406,
    },
}
_SDK_LOG = logging.getLogger("mcp")


@pytest.fixture(scope="module", autouse=True)
def _quiet() -> Iterator[None]:
    # It logs every refused Host as it came, an attacker's text, on the way to the terminal here.
    before = _SDK_LOG.level
    _SDK_LOG.setLevel(logging.CRITICAL)
    yield
    _SDK_LOG.setLevel(before)


@pytest.fixture(scope="module")
def protected(parser: Parser) -> Iterator[Running]:
    with running(lambda _port: victim_server("secret").streamable_http_app(), parser) as server:
        yield server


def test_the_same_rows_against_the_sdk(protected: Running, parser: Parser) -> None:
    let_in, turned_away, otherwise = set(), set(), {}
    for row in ROWS:
        status, expected = protected.ask(row.message(protected.port)).status, row.expected(parser)
        if status == 200 != expected:
            let_in.add(row.name)
        elif status != 200 == expected:
            turned_away.add(row.name)
        elif status != expected:
            otherwise[row.name] = status
    assert let_in == LETS_IN | LETS_IN_UNDER[parser]
    assert turned_away == TURNS_AWAY
    assert otherwise == OTHERWISE[parser]


def test_it_guards_one_path_and_not_the_application(protected: Running) -> None:
    evil = request([f"Host: attacker.example:{protected.port}"], start="GET /other HTTP/1.1")
    assert protected.ask(evil).status == 404


def test_it_looks_at_the_content_type_and_the_session_first(protected: Running) -> None:
    evil = f"Host: attacker.example:{protected.port}"
    plain = f"POST /mcp HTTP/1.1\r\n{evil}\r\nContent-Type: text/plain\r\nConnection: close\r\n"
    assert protected.ask(f"{plain}Content-Length: 2\r\n\r\n{{}}".encode()).status == 400
    session = request([evil, "Mcp-Session-Id: none"], start=GET)
    assert protected.ask(session).status == 404


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_it_turns_itself_on_for_three_spellings_of_its_host_argument(host: str) -> None:
    assert _evil_status(host=host) == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "LOCALHOST", "127.0.0.2", "[::1]"])  # noqa: S104
def test_for_any_other_host_argument_it_is_silently_off(host: str) -> None:
    assert _evil_status(host=host) == 200


def test_its_host_argument_says_nothing_about_what_is_bound() -> None:
    """The default turns it on; the socket decides what is reachable, and the two never meet."""
    assert _evil_status() == 421


def test_settings_with_empty_lists_let_nobody_in() -> None:
    settings = TransportSecuritySettings()
    app = victim_server("secret").streamable_http_app(transport_security=settings)
    with running(lambda _port: app, "h11") as server:
        assert server.ask(request([f"Host: localhost:{server.port}"])).status == 421


def _evil_status(**arguments: str) -> int:
    app = victim_server("secret").streamable_http_app(host=arguments.get("host", "127.0.0.1"))
    with running(lambda _port: app, "h11") as server:
        return server.ask(request([f"Host: attacker.example:{server.port}"])).status

"""Every connection authenticated, inside the guard."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import pytest

from chapters.c06.bearer import BearerAuth, BearerToken, new_token
from chapters.c06.guard import HostGuard, allowed_on
from chapters.c06.lesson.raw_http import request
from tests.c06.running import Running, door, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapters.c06.serving import Parser

TOKEN = BearerToken("fixed-so-that-every-worker-names-its-tests-alike")


@pytest.fixture(scope="module")
def server(parser: Parser) -> Iterator[Running]:
    def app(port: int) -> HostGuard:
        return HostGuard(BearerAuth(door, TOKEN), allowed_on(port))

    with running(app, parser) as server:
        yield server


def _ask(server: Running, *authorization: str, host: str = "localhost") -> tuple[int, str]:
    lines = [f"Host: {host}:{server.port}", *(f"Authorization: {a}" for a in authorization)]
    answer = server.ask(request(lines))
    return answer.status, answer.head.lower()


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
def test_the_token_lets_in(server: Running, scheme: str) -> None:
    assert _ask(server, f"{scheme} {TOKEN.value}")[0] == 200


def test_without_a_token_the_challenge_gives_no_error_code(server: Running) -> None:
    status, head = _ask(server)
    assert status == 401
    assert 'www-authenticate: bearer realm="mcp"\r\n' in head + "\r\n"


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN.value[:-1]}",
        f"Bearer {TOKEN.value}x",
        f"Bearer {TOKEN.value.swapcase()}",
        f"Bearer {TOKEN.value} {TOKEN.value}",
        f"Basic {TOKEN.value}",
        f"Token {TOKEN.value}",
        f"Bearer:{TOKEN.value}",
        TOKEN.value,
        "Bearer é",
        f'Bearer "{TOKEN.value}"',
    ],
)
def test_a_wrong_token_is_told_so(server: Running, wrong: str) -> None:
    status, head = _ask(server, wrong)
    assert status == 401
    assert 'error="invalid_token"' in head


def test_two_credentials_are_one_too_many(server: Running) -> None:
    assert _ask(server, f"Bearer {TOKEN.value}", "Bearer other")[0] == 401
    assert _ask(server, f"Bearer {TOKEN.value}", f"Bearer {TOKEN.value}")[0] == 401


def test_a_token_in_the_address_is_not_looked_at(server: Running) -> None:
    """It would be in logs, histories and Referer headers (RFC 6750 section 2.3)."""
    start = f"POST /mcp?access_token={TOKEN.value} HTTP/1.1"
    assert server.ask(request([f"Host: localhost:{server.port}"], start=start)).status == 401


@pytest.mark.parametrize("authorization", [(), ("Bearer wrong",), (f"Bearer {TOKEN.value}",)])
def test_an_evil_host_is_told_421_whatever_the_token(
    server: Running, authorization: tuple[str, ...]
) -> None:
    status, head = _ask(server, *authorization, host="attacker.example")
    assert status == 421
    assert "www-authenticate" not in head


def test_the_token_never_shows() -> None:
    token = new_token()
    error = ValueError(token)
    shown = [repr(token), str(token), f"{token}", repr(BearerAuth(door, token))]
    shown += traceback.format_exception(error)
    assert all(token.value not in text for text in shown)


def test_tokens_are_long_new_and_fit_for_a_header() -> None:
    tokens = {new_token().value for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 43 and token.isascii() for token in tokens)


def test_tokens_are_not_compared_with_equals() -> None:
    assert BearerToken("a") != BearerToken("a")
    assert BearerToken("a").matches(b"a")

"""The attack in real Chromium. Without one on this machine, these tests say so and are skipped."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from chapters.c06.bearer import new_token
from chapters.c06.guard import WRONG_HOST, HostGuard, allowed_on
from chapters.c06.guarded import guarded_app, unguarded_app
from chapters.c06.lesson.browser import browser_attack, missing
from chapters.c06.lesson.rebinding import ATTACKER, Loot, page_headers, rebound_requests
from chapters.c06.lesson.victim import TOOL, new_secret, victim_server
from chapters.c06.lesson.wrong_guards import WRONG_GUARDS, CheckedApp
from chapters.c06.serving import bound_socket, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from starlette.types import ASGIApp, Receive, Scope, Send

    Make = Callable[[int], ASGIApp]

pytestmark = pytest.mark.anyio

NO_BROWSER = missing()
no_browser = pytest.mark.skipif(NO_BROWSER is not None, reason=NO_BROWSER or "")


def on_port(make: Make) -> Callable[[int], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def victim(port: int) -> AsyncIterator[None]:
        async with serving(make(port), bound_socket(port=port), grace=0):
            yield

    return victim


async def without_a_browser(make: Make, name: str = ATTACKER) -> Loot:
    sock = bound_socket()
    async with serving(make(sock.getsockname()[1]), sock, grace=0) as port:
        return await rebound_requests(port, name=name)


@pytest.mark.browser
@no_browser
async def test_an_unguarded_server_gives_its_secret_to_the_page() -> None:
    secret = new_secret()
    loot = await browser_attack(on_port(lambda _port: unguarded_app(victim_server(secret))))
    assert loot == Loot(200, (TOOL,), secret)


@pytest.mark.browser
@no_browser
async def test_a_guarded_server_gives_the_page_a_421() -> None:
    loot = await browser_attack(on_port(_guarded))
    assert loot == Loot(421, (), WRONG_HOST.sentence)


@pytest.mark.browser
@no_browser
async def test_a_prefix_is_passed_by_a_name_that_starts_like_it() -> None:
    secret, name = new_secret(), f"localhost.{ATTACKER}"

    def make(port: int) -> ASGIApp:
        return CheckedApp(unguarded_app(victim_server(secret)), WRONG_GUARDS["prefix"], port)

    assert await browser_attack(on_port(make), name=name) == Loot(200, (TOOL,), secret)
    assert await without_a_browser(make, name) == Loot(200, (TOOL,), secret)


@pytest.mark.browser
@no_browser
async def test_the_plain_client_sends_what_the_browser_sends() -> None:
    """The lines that the browser adds by itself: same names, same values but its version."""
    seen: list[dict[str, str]] = []

    def make(_port: int) -> ASGIApp:
        app = unguarded_app(victim_server("secret"))

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["method"] == "POST":  # no favicon
                seen.append({k.decode(): v.decode() for k, v in scope["headers"]})
            await app(scope, receive, send)

        return watched

    await browser_attack(on_port(make))
    by_browser = seen[0]
    port = int(by_browser["host"].rpartition(":")[2])
    for name, value in page_headers(port).items():
        assert by_browser[name.lower()].startswith(value)
    assert "sec-fetch-site" not in by_browser

    seen.clear()
    await without_a_browser(make)
    assert set(seen[0]) >= set(by_browser) - {"pragma", "cache-control"}


async def test_without_a_browser_the_unguarded_server_leaks_as_well() -> None:
    secret = new_secret()
    loot = await without_a_browser(lambda _port: unguarded_app(victim_server(secret)))
    assert loot == Loot(200, (TOOL,), secret)


async def test_without_a_browser_the_guard_says_421_as_well() -> None:
    assert await without_a_browser(_guarded) == Loot(421, (), WRONG_HOST.sentence)


async def test_a_token_alone_keeps_the_page_out_too() -> None:
    """The page has no token. It still learns that a server is there, and may go on guessing."""

    def make(port: int) -> ASGIApp:
        app = guarded_app(victim_server("secret"), port=port, token=new_token())
        assert isinstance(app, HostGuard)
        return app.app

    assert (await without_a_browser(make)).status == 401


def _guarded(port: int) -> ASGIApp:
    return HostGuard(unguarded_app(victim_server(new_secret())), allowed_on(port))

"""The answers to c06's questions, observed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psutil
import pytest

from chapters.c02 import Fault, open_connection
from chapters.c02.lesson.demo import DEMO_BETA
from chapters.c03 import Registry, open_pool
from chapters.c04 import ExposedTool, allowlist, strict_admission
from chapters.c06 import (
    HostGuard,
    HttpServerSpec,
    allowed_on,
    bound_socket,
    guarded_app,
    new_token,
    open_any,
    serving,
)
from chapters.c06.guarded import unguarded_app
from chapters.c06.lesson.conformance import dns_rebinding_scenario
from chapters.c06.lesson.raw_http import GET, ask, request
from chapters.c06.lesson.reach import reachable_at
from chapters.c06.lesson.rebinding import ATTACKER, page_headers, script_request
from chapters.c06.lesson.victim import victim_server
from chapters.c06.lesson.wrong_guards import WRONG_GUARDS, CheckedApp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c06 import BearerToken
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

SERVER = "found"
LET_IN = (200, 406)  # 406 is what the application itself says to a bare GET


@asynccontextmanager
async def wrong(name: str) -> AsyncIterator[int]:
    """Serve a victim behind one of the wrong guards, and yield the port."""
    sock = bound_socket()
    port = sock.getsockname()[1]
    app = CheckedApp(unguarded_app(victim_server(SERVER)), WRONG_GUARDS[name], port)
    async with serving(app, sock):
        yield port


@asynccontextmanager
async def guarded(token: BearerToken) -> AsyncIterator[int]:
    """Serve a victim behind the guard and a token, and yield the port."""
    sock = bound_socket()
    port = sock.getsockname()[1]
    async with serving(guarded_app(victim_server(SERVER), port=port, token=token), sock):
        yield port


@pytest.mark.goal("c06.forge")
async def test_a_script_cannot_choose_the_host(observe: Observe) -> None:
    """That Chromium sends these headers is held by test_browser."""
    by_script = script_request(1, "tools/list", {})["headers"]
    by_browser = page_headers(8931)
    offered = ("Host", "Mcp-Method", "Content-Type", "Accept")
    observe(", ".join(name for name in offered if name not in by_script) or "none of them")
    assert not by_script.keys() & by_browser.keys()


@pytest.mark.goal("c06.guard")
async def test_the_guard_lets_in_the_client_and_nobody_else(observe: Observe) -> None:
    sock = bound_socket()
    port = sock.getsockname()[1]
    ours, evil = f"Host: localhost:{port}", f"Host: {ATTACKER}:{port}"
    asked = [
        request([ours]),
        request([evil, f"Origin: http://{ATTACKER}:{port}"]),
        request([evil], start=GET),
        request([ours, f"Origin: http://{ATTACKER}"]),
        request([f"Host: localhost.{ATTACKER}:{port}"]),
    ]
    app = HostGuard(unguarded_app(victim_server(SERVER)), allowed_on(port))
    async with serving(app, sock):
        statuses = [(await ask(port, message)).status for message in asked]
    observe(sum(status in LET_IN for status in statuses))
    assert statuses[0] == 200


@pytest.mark.goal("c06.tutorial-honest")
async def test_the_tutorials_guard_refuses_its_own_clients(observe: Observe) -> None:
    async with wrong("tutorial") as port:
        status = (await ask(port, request([f"Host: localhost:{port}"]))).status
    observe(status)


@pytest.mark.goal("c06.tutorial-no-host")
async def test_the_tutorials_guard_lets_no_host_in(observe: Observe) -> None:
    """HTTP/1.0 knows no Host, so the parser lets it through to the guard."""
    async with wrong("tutorial") as port:
        answer = await ask(port, request([], start="POST /mcp HTTP/1.0"))
    observe("it lets it in" if answer.status == 200 else "it refuses it")


@pytest.mark.goal("c06.origin-alone")
async def test_a_rebound_get_passes_a_check_of_origin_alone(observe: Observe) -> None:
    async with wrong("origin only") as port:
        post = await ask(
            port, request([f"Host: {ATTACKER}:{port}", f"Origin: http://{ATTACKER}:{port}"])
        )
        get = await ask(port, request([f"Host: {ATTACKER}:{port}"], start=GET))
    let_in = get.status not in (400, 403, 421)
    observe("a rebound page's GET carries no Origin" if let_in else "it is enough")
    assert post.status == 403


@pytest.mark.goal("c06.bind-all")
async def test_binding_all_addresses_is_reached_at_all_addresses(observe: Observe) -> None:
    wider = reachable_at("0.0.0.0")  # noqa: S104 - which is the question
    observe("it is reached at every address of this machine" if wider else "nothing")
    assert reachable_at("127.0.0.1") == []


@pytest.mark.goal("c06.evil-host-good-token")
async def test_the_guard_comes_before_the_token(observe: Observe) -> None:
    token = new_token()
    lines = [f"{name}: {value}" for name, value in token.header().items()]
    async with guarded(token) as port:
        ours = (await ask(port, request([f"Host: localhost:{port}", *lines]))).status
        evil = (await ask(port, request([f"Host: {ATTACKER}:{port}", *lines]))).status
    observe(evil)
    assert ours == 200


@pytest.mark.goal("c06.wrong-token")
async def test_a_rejected_token_has_a_code_of_its_own(observe: Observe) -> None:
    async with guarded(new_token()) as port:
        spec = HttpServerSpec("victim", f"http://127.0.0.1:{port}/mcp", new_token())
        registry: Registry[ExposedTool] = Registry()
        admit = strict_admission(allowlist([]))
        async with open_pool([spec], registry, admit, opener=open_any) as pool:
            with pytest.raises(Fault) as caught:
                await pool.connect("victim")
            connected = pool.connected
    observe(caught.value.code)
    assert connected == ()


@pytest.mark.goal("c06.stdio")
async def test_a_server_over_stdio_has_no_socket(observe: Observe) -> None:
    async with open_connection(DEMO_BETA):
        sockets = [
            socket
            for child in psutil.Process().children()
            for socket in child.net_connections(kind="inet")
        ]
    observe("yes" if sockets else "no")


@pytest.mark.goal("c06.conformance")
async def test_the_official_scenario_catches_two_of_five(observe: Observe) -> None:
    caught = []
    for name in WRONG_GUARDS:
        async with wrong(name) as port:
            if not (await dns_rebinding_scenario(port)).passed:
                caught.append(name)
    observe(" and ".join(caught))

"""c06's wrong answers."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c02 import DEMO_ALPHA, DEMO_BETA, ConnectFailed, Fault, ServerSpec
from chapters.c06 import wrong_guards
from chapters.c06.bearer import BearerAuth, BearerToken
from chapters.c06.conformance import Checks, dns_rebinding_scenario
from chapters.c06.guard import HostGuard
from chapters.c06.guarded import guarded_app, unguarded_app
from chapters.c06.http_client import http_transport
from chapters.c06.raw_http import ask, request
from chapters.c06.reach import reachable_at
from chapters.c06.rebinding import ATTACKER, page_headers, script_request
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp

    from chapters.c02 import Wire
    from chapters.c02.wire import Streams
    from chapters.c06.guard import Allowed
    from chapters.c06.wrong_guards import Check


def _script_request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    asked = script_request(number, method, params)
    return {**asked, "headers": {"Host": "localhost:8931", **asked["headers"]}}


def _page_headers(port: int, name: str = ATTACKER) -> dict[str, str]:
    return {key: value for key, value in page_headers(port, name).items() if key != "Host"}


def _instead_of_the_guard(check: Check) -> object:
    def guard(app: ASGIApp, allowed: Allowed) -> wrong_guards.CheckedApp:
        return wrong_guards.CheckedApp(app, check, next(iter(allowed.hosts)).port or 80)

    return guard


def _tutorial_without_port(headers: Headers, port: int) -> int | None:
    name = headers.get("host", "").removesuffix(f":{port}")
    return None if name in wrong_guards.ALLOWED_HOSTS else 421


def _tutorial_that_asks_for_a_host(headers: Headers, port: int) -> int | None:
    return wrong_guards.tutorial(headers, port) if headers.get("host") else 421


def _origin_in_any_case(headers: Headers, port: int) -> int | None:
    return wrong_guards.origin_only(headers, port) if headers.get("origin") else 403


def _reachable_at(_bound_to: str) -> list[str]:
    return reachable_at("127.0.0.1")


def _authenticated_app(server: Server[Any], *, token: BearerToken, **_: object) -> ASGIApp:
    return BearerAuth(unguarded_app(server), token)


def _transport_without_a_cause(
    url: str, token: BearerToken | None, wire: Wire, *, rejected: type[Fault]
) -> AbstractAsyncContextManager[Streams]:
    del rejected
    return http_transport(url, token, wire, rejected=ConnectFailed)


def _listening_too(spec: ServerSpec) -> ServerSpec:
    listen = "import runpy, socket; s = socket.create_server(('127.0.0.1', 0)); "
    serve = f"runpy.run_module('demo_servers.{spec.alias}', run_name='__main__')"
    return replace(spec, command=sys.executable, args=("-c", listen + serve))


async def _every_attack(port: int) -> Checks:
    checks = await dns_rebinding_scenario(port)
    attacks = [
        [f"Host: localhost.{ATTACKER}:{port}"],
        [f"Host: localhost:{port}", f"Origin: http://{ATTACKER}"],
        [f"Host: {ATTACKER}:{port}"],
    ]
    refused = [(await ask(port, request(lines))).status != 200 for lines in attacks]
    return replace(checks, rejected=checks.rejected and all(refused))


def _guards_but(**replaced: Check) -> object:
    return wrong_guards.WRONG_GUARDS | {
        name.replace("_", " "): each for name, each in replaced.items()
    }


WRONG_ANSWERS = [
    WrongAnswer(
        "script-sets-host",
        ("c06.forge",),
        belief="an attacker sends whatever headers they like.",
        cost="The one header that gives a rebound page away is thought to prove nothing.",
        instead=((script_request, _script_request), (page_headers, _page_headers)),
    ),
    WrongAnswer(
        "guard-tutorial",
        ("c06.guard",),
        belief="Host is the name of the host.",
        cost="It refuses its own clients, and is loosened or turned off within a week.",
        instead=((HostGuard, _instead_of_the_guard(wrong_guards.tutorial)),),
    ),
    WrongAnswer(
        "guard-off",
        ("c06.guard",),
        belief="what listens on 127.0.0.1 is private.",
        cost="Any page that somebody opens reads and calls every tool.",
        instead=((HostGuard, _instead_of_the_guard(wrong_guards.off)),),
    ),
    WrongAnswer(
        "guard-prefix",
        ("c06.guard",),
        belief="a Host that begins with localhost is ours.",
        cost="Anybody can have a name that begins so: localhost.attacker.example.",
        instead=((HostGuard, _instead_of_the_guard(wrong_guards.prefix)),),
    ),
    WrongAnswer(
        "guard-host-only",
        ("c06.guard",),
        belief="rebinding is the only way for a page to get at a server.",
        cost="Any page may send requests to the server under its right name.",
        instead=((HostGuard, _instead_of_the_guard(wrong_guards.host_only)),),
    ),
    WrongAnswer(
        "guard-origin-only",
        ("c06.guard",),
        belief="Origin says where a request comes from.",
        cost="A rebound page's GET carries none and is let in.",
        instead=((HostGuard, _instead_of_the_guard(wrong_guards.origin_only)),),
    ),
    WrongAnswer(
        "port-forgotten",
        ("c06.tutorial-honest",),
        belief="localhost is on the list, so a client that asks for localhost gets in.",
        cost="The tutorial's guard is copied and shipped without ever meeting a client.",
        instead=((wrong_guards.WRONG_GUARDS, _guards_but(tutorial=_tutorial_without_port)),),
    ),
    WrongAnswer(
        "no-host-no-entry",
        ("c06.tutorial-no-host",),
        belief="what is not on a list of the allowed is refused.",
        cost="A condition that begins with 'if host and' is read over in review.",
        instead=(
            (wrong_guards.WRONG_GUARDS, _guards_but(tutorial=_tutorial_that_asks_for_a_host)),
        ),
    ),
    WrongAnswer(
        "origin-is-always-there",
        ("c06.origin-alone",),
        belief="every request of a page carries an Origin.",
        cost="Asking for one refuses every client that is no browser; not asking lets pages in.",
        instead=((wrong_guards.WRONG_GUARDS, _guards_but(origin_only=_origin_in_any_case)),),
    ),
    WrongAnswer(
        "all-is-local",
        ("c06.bind-all",),
        belief="0.0.0.0 is another way of writing localhost.",
        cost="Everybody in the same network can connect, and needs no browser for it.",
        instead=((reachable_at, _reachable_at),),
    ),
    WrongAnswer(
        "token-is-enough",
        ("c06.evil-host-good-token",),
        belief="who holds the token is known, and need not be asked for more.",
        cost="A page that gets hold of a token, or a browser that adds it, is let in.",
        instead=((guarded_app, _authenticated_app),),
    ),
    WrongAnswer(
        "one-code-for-all",
        ("c06.wrong-token",),
        belief="a connection that cannot be made cannot be made, whatever the reason.",
        cost="The owner looks for a network fault where a token has run out.",
        instead=((http_transport, _transport_without_a_cause),),
    ),
    WrongAnswer(
        "a-port-beside-the-pipe",
        ("c06.stdio",),
        belief="a server over a pipe may listen on a port of this machine as well.",
        cost="What only one process could reach, any page can try to.",
        instead=(
            (DEMO_ALPHA, _listening_too(DEMO_ALPHA)),
            (DEMO_BETA, _listening_too(DEMO_BETA)),
        ),
    ),
    WrongAnswer(
        "suite-as-imagined",
        ("c06.conformance",),
        belief="a conformance suite tries every attack.",
        cost="A guard that passes it is taken for a safe one, with three holes.",
        instead=((dns_rebinding_scenario, _every_attack),),
    ),
]

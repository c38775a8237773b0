"""What c06's wrong answers put in the place of its mechanisms."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c02 import ConnectFailed, Fault, ServerSpec
from chapters.c06.bearer import BearerAuth, BearerToken
from chapters.c06.guarded import unguarded_app
from chapters.c06.http_client import http_transport
from chapters.c06.lesson import wrong_guards
from chapters.c06.lesson.conformance import Checks, dns_rebinding_scenario
from chapters.c06.lesson.raw_http import ask, request
from chapters.c06.lesson.reach import reachable_at
from chapters.c06.lesson.rebinding import ATTACKER, page_headers, script_request

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp.server.lowlevel import Server
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp

    from chapters.c02 import Wire
    from chapters.c02.wire import Streams
    from chapters.c06.guard import Allowed
    from chapters.c06.lesson.wrong_guards import Check


def script_request_with_host(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    asked = script_request(number, method, params)
    return {**asked, "headers": {"Host": "localhost:8931", **asked["headers"]}}


def page_headers_without_host(port: int, name: str = ATTACKER) -> dict[str, str]:
    return {key: value for key, value in page_headers(port, name).items() if key != "Host"}


def instead_of_the_guard(check: Check) -> object:
    def guard(app: ASGIApp, allowed: Allowed) -> wrong_guards.CheckedApp:
        return wrong_guards.CheckedApp(app, check, next(iter(allowed.hosts)).port or 80)

    return guard


def tutorial_without_port(headers: Headers, port: int) -> int | None:
    name = headers.get("host", "").removesuffix(f":{port}")
    return None if name in wrong_guards.ALLOWED_HOSTS else 421


def tutorial_that_asks_for_a_host(headers: Headers, port: int) -> int | None:
    return wrong_guards.tutorial(headers, port) if headers.get("host") else 421


def origin_in_any_case(headers: Headers, port: int) -> int | None:
    return wrong_guards.origin_only(headers, port) if headers.get("origin") else 403


def reachable_at_loopback(_bound_to: str) -> list[str]:
    return reachable_at("127.0.0.1")


def authenticated_app(server: Server[Any], *, token: BearerToken, **_: object) -> ASGIApp:
    return BearerAuth(unguarded_app(server), token)


def transport_without_a_cause(
    url: str, token: BearerToken | None, wire: Wire, *, rejected: type[Fault]
) -> AbstractAsyncContextManager[Streams]:
    del rejected
    return http_transport(url, token, wire, rejected=ConnectFailed)


def listening_too(spec: ServerSpec) -> ServerSpec:
    listen = "import runpy, socket; s = socket.create_server(('127.0.0.1', 0)); "
    serve = f"runpy.run_module('demo_servers.{spec.alias}', run_name='__main__')"
    return replace(spec, command=sys.executable, args=("-c", listen + serve))


async def every_attack(port: int) -> Checks:
    checks = await dns_rebinding_scenario(port)
    attacks = [
        [f"Host: localhost.{ATTACKER}:{port}"],
        [f"Host: localhost:{port}", f"Origin: http://{ATTACKER}"],
        [f"Host: {ATTACKER}:{port}"],
    ]
    refused = [(await ask(port, request(lines))).status != 200 for lines in attacks]
    return replace(checks, rejected=checks.rejected and all(refused))


def guards_but(**replaced: Check) -> object:
    return wrong_guards.WRONG_GUARDS | {
        name.replace("_", " "): each for name, each in replaced.items()
    }

"""The lesson of c06: the demo server over HTTP, the attack, wrong guards and the right one."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import psutil
from starlette.datastructures import Headers

from chapters.c02 import DEMO_ALPHA, Fault, open_connection
from chapters.c03 import Registry, open_pool
from chapters.c04 import AllowedServer, ExposedTool, Invoker, allowlist, strict_admission
from chapters.c04.demo import ALPHA
from chapters.c06 import HostGuard, HttpServerSpec, allowed_on, bind_address, new_token, open_any
from chapters.c06.binding import BindRefused
from chapters.c06.browser import browser_attack, missing
from chapters.c06.conformance import dns_rebinding_scenario
from chapters.c06.guarded import guarded_app, unguarded_app
from chapters.c06.processes import guarded_demo, unguarded_demo
from chapters.c06.reach import reachable_at
from chapters.c06.rebinding import ATTACKER, page_headers, rebound_requests, script_request
from chapters.c06.serve import serve
from chapters.c06.serving import bound_socket, serving
from chapters.c06.trials import asked, beside, status_of
from chapters.c06.victim import new_secret, victim_server
from chapters.c06.wrong_guards import WRONG_GUARDS, CheckedApp
from chapters.stage import (
    Stage,
    find_chapter,
    option_parser,
    read_options,
    refuse_lesson_options,
    run,
    run_program,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import Frame
    from chapters.c06.processes import Served

LOOKUP = "mcp__demo_alpha__lookup"
OURS = "this chapter's"


async def tell(stage: Stage, *, browser: bool = False) -> None:
    """Tell the lesson."""
    await the_same_over_http(stage)
    async with (
        stage.entering("starting a server with a guard", guarded_demo()) as guarded,
        stage.entering("starting one without", unguarded_demo()) as unguarded,
    ):
        await the_attack(stage, unguarded, guarded)
        if browser:
            await the_attack_in_a_browser(stage)
        await wrong_guards(stage)
        await the_sdks_own(stage)
    await layers(stage)
    await where_it_listens(stage)


async def the_same_over_http(stage: Stage) -> None:
    """Connect demo_alpha over HTTP, call it, and lose it."""
    await stage.step(
        "The same server over HTTP",
        """demo_alpha again, behind this chapter's guard, as a process that listens on a port of
        this machine. The allowlist holds its address and its token; names, policy, snapshots and
        faults are what they were over a pipe.""",
    )
    async with stage.entering("starting demo_alpha behind a guard", guarded_demo()) as served:
        connecting_and_losing_it = _call_lose_call(stage, served)
        code, answer, lost = await stage.wait_for(
            "connecting and losing it", connecting_and_losing_it
        )
    stage.table(
        ["what", "outcome"],
        ["a call", answer],
        ["the server is killed, and a call", lost],
        ["connecting with a wrong token", code],
    )
    stage.say(
        """A pipe ends when its server does, and somebody waits for that. Over HTTP nothing ends:
        the loss is noticed at the next call."""
    )
    stage.claim("c06.wrong-token", code)


async def _call_lose_call(stage: Stage, served: Served) -> tuple[str, str, str]:
    registry: Registry[ExposedTool] = Registry()
    http = HttpServerSpec("demo_alpha", served.url, served.token)
    wrong = replace(http, alias="wrong_token", token=new_token())
    servers = allowlist([AllowedServer(http, ALPHA.tools), AllowedServer(wrong, ALPHA.tools)])

    def observe(alias: str, frame: Frame) -> None:
        stage.watch(alias)(frame)

    async with open_pool(
        [http, wrong], registry, strict_admission(servers), opener=open_any, observer=observe
    ) as pool:
        try:
            await pool.connect("wrong_token")
            code = "connected"
        except Fault as fault:
            code = fault.code
        await pool.connect("demo_alpha")
        answer = await Invoker().invoke(registry.snapshot(), LOOKUP, {"key": "connection"})
        tools = registry.snapshot()
        psutil.Process(served.pid).kill()
        lost = await Invoker().invoke(tools, LOOKUP, {"key": "connection"})
    return code, answer.content, str(lost.code)


async def the_attack(stage: Stage, unguarded: Served, guarded: Served) -> None:
    """Send what a rebound page would send, to both servers."""
    await stage.step(
        "The attack",
        f"""You open a page of http://{ATTACKER}. Its name then comes to point at this machine, and
        the page asks its own origin for /mcp. To the browser nothing crosses an origin. These are
        the requests it sends, to a server without a guard and to one with it:""",
    )
    open_loot = await rebound_requests(unguarded.port)
    shut_loot = await rebound_requests(guarded.port)
    stage.table(
        ["server", "status", "what the page can read"],
        [
            "unguarded",
            open_loot.status,
            f"{len(open_loot.tools)} tools (the first page); {open_loot.text}",
        ],
        ["guarded", shut_loot.status, shut_loot.text],
    )
    set_by_script = script_request(1, "tools/list", {})["headers"]
    by_browser = page_headers(unguarded.port)
    stage.table(
        ["header", "set by", "value"],
        *(
            [name, "the browser", by_browser[name]]
            for name in ("Host", "Origin")
            if name in by_browser
        ),
        *([name, "the page's script", value] for name, value in set_by_script.items()),
    )
    offered = ("Host", "Mcp-Method", "Content-Type", "Accept")
    chosen_by_browser = [name for name in offered if name not in set_by_script]
    stage.claim("c06.forge", ", ".join(chosen_by_browser) or "none of them")


async def the_attack_in_a_browser(stage: Stage) -> None:
    """Play the attack in Chromium."""
    await stage.step("The attack in a real browser")
    if lacking := missing():
        stage.say(f"This machine cannot show it: {lacking}")
        return
    open_loot = await stage.wait_for("Chromium, unguarded", browser_attack(unguarded_demo))
    shut_loot = await stage.wait_for("Chromium, guarded", browser_attack(guarded_demo))
    stage.table(
        ["server", "status", "what the attacker's page shows"],
        ["unguarded", open_loot.status, open_loot.text],
        ["guarded", shut_loot.status, shut_loot.text],
    )


async def wrong_guards(stage: Stage) -> None:
    """Put each of the five wrong guards before a server, and ask it what each gets wrong."""
    await stage.step(
        "Five wrong guards, and this chapter's",
        """Each of the five looks right and is met in the wild. They answer an honest client, a
        rebound page's POST and GET, a page of another origin, a name that only begins like ours,
        and the official conformance suite's rebinding scenario.""",
    )
    rows, caught = [], []
    seen: dict[str, dict[str, int]] = {}
    for name in (*WRONG_GUARDS, OURS):
        sock = bound_socket()
        port = sock.getsockname()[1]
        app = unguarded_app(victim_server(new_secret()))
        wrong = WRONG_GUARDS.get(name)
        guarded = CheckedApp(app, wrong, port) if wrong else HostGuard(app, allowed_on(port))
        async with serving(guarded, sock):
            seen[name], passed = await stage.wait_for(f"trying the guard: {name}", _tried(port))
        rows.append([name, *seen[name].values(), "passes" if passed else "caught"])
        caught += [] if passed else [name]
    stage.table(["guard", *asked(0), "suite"], *rows)
    stage.say("200 and 406 are let in: 406 is what the application itself says to such a GET.")
    stage.claim("c06.guard", sum(status in (200, 406) for status in seen[OURS].values()))
    stage.claim("c06.tutorial-honest", seen["tutorial"]["honest"])
    no_host = WRONG_GUARDS["tutorial"](Headers({}), 8931)
    stage.claim("c06.tutorial-no-host", "it lets it in" if no_host is None else "it refuses it")
    rebound_get = seen["origin only"]["rebound GET"]
    stage.claim(
        "c06.origin-alone",
        "a rebound page's GET carries no Origin"
        if rebound_get not in (403, 421)
        else "it is enough",
    )
    stage.claim("c06.conformance", " and ".join(caught))


async def _tried(port: int) -> tuple[dict[str, int], bool]:
    statuses = {what: await status_of(port, *lines) for what, lines in asked(port).items()}
    return statuses, (await dns_rebinding_scenario(port)).passed


async def the_sdks_own(stage: Stage) -> None:
    """Ask the same of our guard and of the SDK's own protection, and see where each is on."""
    await stage.step(
        "The SDK's own protection, beside it",
        """The SDK has a check of its own. It compares texts, and what follows localhost: may be
        anything. The same requests, to a server behind our guard and to one behind the SDK's:""",
    )
    sock, sdk_sock = bound_socket(), bound_socket()
    port, sdk_port = sock.getsockname()[1], sdk_sock.getsockname()[1]
    guarded = HostGuard(unguarded_app(victim_server(new_secret())), allowed_on(port))
    by_sdk = victim_server(new_secret()).streamable_http_app(host="127.0.0.1")
    async with serving(guarded, sock), serving(by_sdk, sdk_sock):
        rows = [
            [what, await status_of(port, *ours), await status_of(sdk_port, *sdks)]
            for (what, ours), sdks in zip(
                beside(port).items(), beside(sdk_port).values(), strict=True
            )
        ]
    stage.table(["request", "our guard", "the SDK's"], *rows)
    hosts = ("127.0.0.1", "localhost", "LOCALHOST", "127.0.0.2", "0.0.0.0")  # noqa: S104 - a name
    on = [host for host in hosts if await _protected_by_sdk(host)]
    stage.say(
        f"""It is on by itself for the host {", ".join(on)}, and silently off for
        {", ".join(host for host in hosts if host not in on)}. Use it where you run the SDK's server
        as it comes; put a guard around the whole application where there is more than that."""
    )


async def _protected_by_sdk(host: str) -> bool:
    sock = bound_socket()
    app = victim_server(new_secret()).streamable_http_app(host=host)
    async with serving(app, sock) as port:
        return await status_of(port, f"Host: {ATTACKER}:{port}") == 421


async def layers(stage: Stage) -> None:
    """Ask a guarded server with every mix of Host and token."""
    await stage.step(
        "The guard first, then the token",
        """The guard stands outside the whole application. A request that was meant for another
        server is told so, and learns nothing about tokens.""",
    )
    token = new_token()
    good, bad = f"Authorization: Bearer {token.value}", "Authorization: Bearer wrong"
    sock = bound_socket()
    port = sock.getsockname()[1]
    ours, evil = f"Host: localhost:{port}", f"Host: {ATTACKER}:{port}"
    app = guarded_app(victim_server(new_secret()), port=port, token=token)
    async with serving(app, sock):
        statuses = {
            ("ours", "good"): await status_of(port, ours, good),
            ("ours", "wrong"): await status_of(port, ours, bad),
            ("ours", "none"): await status_of(port, ours),
            ("evil", "good"): await status_of(port, evil, good),
            ("evil", "none"): await status_of(port, evil),
        }
    stage.table(["Host", "token", "status"], *([*key, value] for key, value in statuses.items()))
    stage.claim("c06.evil-host-good-token", statuses["evil", "good"])


async def where_it_listens(stage: Stage) -> None:
    """Look at what is bound, for 127.0.0.1, for 0.0.0.0 and for a pipe."""
    await stage.step(
        "Where it listens",
        """A socket bound to 127.0.0.1 is reached at that address alone. 0.0.0.0 is every address
        that this machine has, and its neighbours know some of those.""",
    )
    loopback, everywhere = reachable_at("127.0.0.1"), reachable_at("0.0.0.0")  # noqa: S104
    stage.table(
        ["bound to", "also reached at"],
        ["127.0.0.1", ", ".join(loopback) or "nowhere else"],
        ["0.0.0.0", ", ".join(everywhere) or "nowhere else"],  # noqa: S104 - only its name
    )
    try:
        bind_address("0.0.0.0")  # noqa: S104 - to be refused
    except BindRefused as refused:
        stage.say(f"Asked to bind 0.0.0.0, our server says: {refused}")
    wider = "it is reached at every address of this machine"
    stage.claim("c06.bind-all", wider if everywhere and not loopback else "nothing")
    async with open_connection(DEMO_ALPHA):
        listening = [
            connection
            for child in psutil.Process().children(recursive=True)
            for connection in child.net_connections(kind="inet")
        ]
    stage.say(f"demo_alpha over a pipe has {len(listening)} sockets open.")
    stage.claim("c06.stdio", "yes" if listening else "no")


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or serve; return the exit status."""
    parser = option_parser(find_chapter("c06"))
    parser.add_argument("--browser", action="store_true", help="play the attack in Chromium too")
    parser.add_argument("--serve", action="store_true", help="run the guarded demo server")
    parser.add_argument("--port", type=int, default=0, help="with --serve; 0 picks one")
    arguments = parser.parse_args(argv)
    if arguments.port and not arguments.serve:
        parser.error("--port goes with --serve")
    if not 0 <= arguments.port <= 65535:
        parser.error("--port should be from 0 to 65535")
    if arguments.serve:
        refuse_lesson_options(parser, arguments, "--serve")
        if arguments.browser:
            parser.error("--browser is for the lesson and does not go with --serve")
        return run_program(lambda _: serve(arguments.port, as_json=arguments.json))
    return run("c06", lambda stage: tell(stage, browser=arguments.browser), read_options(arguments))


if __name__ == "__main__":
    sys.exit(main())

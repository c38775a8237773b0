"""Wrong guards, the right one, and the SDK's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from chapters.c06 import HostGuard, allowed_on
from chapters.c06.guarded import unguarded_app
from chapters.c06.lesson.conformance import dns_rebinding_scenario
from chapters.c06.lesson.rebinding import ATTACKER
from chapters.c06.lesson.trials import asked, beside, status_of
from chapters.c06.lesson.victim import new_secret, victim_server
from chapters.c06.lesson.wrong_guards import WRONG_GUARDS, CheckedApp
from chapters.c06.serving import bound_socket, serving

if TYPE_CHECKING:
    from chapters.stage import Stage

OURS = "this chapter's"


async def five_wrong_guards(stage: Stage) -> None:
    """Put each of the five wrong guards before a server, and ask it what each gets wrong."""
    await stage.step(
        "Five wrong guards, and this chapter's",
        """Each of the five looks right, and you meet all of them in the wild. We try them on an
        honest client, a rebound page's POST and GET, a page of another origin, and a name that
        only begins like ours. Then the official conformance suite's rebinding scenario has its
        turn.""",
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
    stage.say(
        """A 200 or a 406 means that the guard let the request in. The application itself answers
        such a GET with 406."""
    )
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
        """The SDK has a check of its own. It compares texts, and after localhost: anything may
        follow. We send the same requests to a server behind our guard and to one behind the
        SDK's:""",
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
        f"""The SDK turns its check on by itself for the hosts {" and ".join(on)}. It leaves it off,
        without a word, for {", ".join(host for host in hosts if host not in on)}. Use it where you
        run the SDK's server as it comes. If your application is more than that, put a guard around
        all of it."""
    )


async def _protected_by_sdk(host: str) -> bool:
    sock = bound_socket()
    app = victim_server(new_secret()).streamable_http_app(host=host)
    async with serving(app, sock) as port:
        return await status_of(port, f"Host: {ATTACKER}:{port}") == 421

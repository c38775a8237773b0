"""c06's wrong answers: what each believes, what it costs, and what it replaces."""

from __future__ import annotations

from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c06.guard import HostGuard
from chapters.c06.guarded import guarded_app
from chapters.c06.http_client import http_transport
from chapters.c06.lesson import wrong_guards
from chapters.c06.lesson.conformance import dns_rebinding_scenario
from chapters.c06.lesson.instead import (
    authenticated_app,
    every_attack,
    guards_but,
    instead_of_the_guard,
    listening_too,
    origin_in_any_case,
    page_headers_without_host,
    reachable_at_loopback,
    script_request_with_host,
    transport_without_a_cause,
    tutorial_that_asks_for_a_host,
    tutorial_without_port,
)
from chapters.c06.lesson.reach import reachable_at
from chapters.c06.lesson.rebinding import page_headers, script_request
from chapters.stage.gallery import WrongAnswer

WRONG_ANSWERS = [
    WrongAnswer(
        "script-sets-host",
        ("c06.forge",),
        belief="an attacker sends whatever headers they like.",
        cost="The one header that gives a rebound page away is thought to prove nothing.",
        instead=(
            (script_request, script_request_with_host),
            (page_headers, page_headers_without_host),
        ),
    ),
    WrongAnswer(
        "guard-tutorial",
        ("c06.guard",),
        belief="Host is the name of the host.",
        cost="It refuses its own clients, and is loosened or turned off within a week.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.tutorial)),),
    ),
    WrongAnswer(
        "guard-off",
        ("c06.guard",),
        belief="what listens on 127.0.0.1 is private.",
        cost="Any page that somebody opens reads and calls every tool.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.off)),),
    ),
    WrongAnswer(
        "guard-prefix",
        ("c06.guard",),
        belief="a Host that begins with localhost is ours.",
        cost="Anybody can have a name that begins so: localhost.attacker.example.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.prefix)),),
    ),
    WrongAnswer(
        "guard-host-only",
        ("c06.guard",),
        belief="rebinding is the only way for a page to get at a server.",
        cost="Any page may send requests to the server under its right name.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.host_only)),),
    ),
    WrongAnswer(
        "guard-origin-only",
        ("c06.guard",),
        belief="Origin says where a request comes from.",
        cost="A rebound page's GET carries none and is let in.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.origin_only)),),
    ),
    WrongAnswer(
        "port-forgotten",
        ("c06.tutorial-honest",),
        belief="localhost is on the list, so a client that asks for localhost gets in.",
        cost="The tutorial's guard is copied and shipped without ever meeting a client.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(tutorial=tutorial_without_port)),),
    ),
    WrongAnswer(
        "no-host-no-entry",
        ("c06.tutorial-no-host",),
        belief="what is not on a list of the allowed is refused.",
        cost="A condition that begins with 'if host and' is read over in review.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(tutorial=tutorial_that_asks_for_a_host)),),
    ),
    WrongAnswer(
        "origin-is-always-there",
        ("c06.origin-alone",),
        belief="every request of a page carries an Origin.",
        cost="Asking for one refuses every client that is no browser; not asking lets pages in.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(origin_only=origin_in_any_case)),),
    ),
    WrongAnswer(
        "all-is-local",
        ("c06.bind-all",),
        belief="0.0.0.0 is another way of writing localhost.",
        cost="Everybody in the same network can connect, and needs no browser for it.",
        instead=((reachable_at, reachable_at_loopback),),
    ),
    WrongAnswer(
        "token-is-enough",
        ("c06.evil-host-good-token",),
        belief="who holds the token is known, and need not be asked for more.",
        cost="A page that gets hold of a token, or a browser that adds it, is let in.",
        instead=((guarded_app, authenticated_app),),
    ),
    WrongAnswer(
        "one-code-for-all",
        ("c06.wrong-token",),
        belief="a connection that cannot be made cannot be made, whatever the reason.",
        cost="The owner looks for a network fault where a token has run out.",
        instead=((http_transport, transport_without_a_cause),),
    ),
    WrongAnswer(
        "a-port-beside-the-pipe",
        ("c06.stdio",),
        belief="a server over a pipe may listen on a port of this machine as well.",
        cost="What only one process could reach, any page can try to.",
        instead=(
            (DEMO_ALPHA, listening_too(DEMO_ALPHA)),
            (DEMO_BETA, listening_too(DEMO_BETA)),
        ),
    ),
    WrongAnswer(
        "suite-as-imagined",
        ("c06.conformance",),
        belief="a conformance suite tries every attack.",
        cost="A guard that passes it is taken for a safe one, with three holes.",
        instead=((dns_rebinding_scenario, every_attack),),
    ),
]

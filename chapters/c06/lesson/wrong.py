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
        belief="an attacker can send whatever headers they like.",
        cost="You ignore Host, the one header that gives a rebound page away.",
        instead=(
            (script_request, script_request_with_host),
            (page_headers, page_headers_without_host),
        ),
    ),
    WrongAnswer(
        "guard-tutorial",
        ("c06.guard",),
        belief="Host is the name of the host.",
        cost="It refuses its own clients. Within a week somebody loosens it or turns it off.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.tutorial)),),
    ),
    WrongAnswer(
        "guard-off",
        ("c06.guard",),
        belief="a server that listens on 127.0.0.1 is private.",
        cost="Any page that you open can see and call every tool.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.off)),),
    ),
    WrongAnswer(
        "guard-prefix",
        ("c06.guard",),
        belief="a Host that begins with localhost is ours.",
        cost="Anybody can own a name that begins like that: localhost.attacker.example.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.prefix)),),
    ),
    WrongAnswer(
        "guard-host-only",
        ("c06.guard",),
        belief="rebinding is the only way in which a page can get at a server.",
        cost="Any page may send requests to the server under its proper name.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.host_only)),),
    ),
    WrongAnswer(
        "guard-origin-only",
        ("c06.guard",),
        belief="Origin tells you where a request comes from.",
        cost="A rebound page's GET carries no Origin, and the guard lets it in.",
        instead=((HostGuard, instead_of_the_guard(wrong_guards.origin_only)),),
    ),
    WrongAnswer(
        "port-forgotten",
        ("c06.tutorial-honest",),
        belief="localhost is on the list, so a client that asks for localhost gets in.",
        cost="You copy the tutorial's guard and ship it before it has ever met a client.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(tutorial=tutorial_without_port)),),
    ),
    WrongAnswer(
        "no-host-no-entry",
        ("c06.tutorial-no-host",),
        belief="if something is not on the list, the guard refuses it.",
        cost="The condition begins with 'if host and', and no reviewer stops at it.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(tutorial=tutorial_that_asks_for_a_host)),),
    ),
    WrongAnswer(
        "origin-is-always-there",
        ("c06.origin-alone",),
        belief="every request from a page carries an Origin.",
        cost="If you ask for one, you refuse clients that are no browsers. If not, pages get in.",
        instead=((wrong_guards.WRONG_GUARDS, guards_but(origin_only=origin_in_any_case)),),
    ),
    WrongAnswer(
        "all-is-local",
        ("c06.bind-all",),
        belief="0.0.0.0 is just another way to write localhost.",
        cost="Everybody on the same network can connect, and they need no browser for it.",
        instead=((reachable_at, reachable_at_loopback),),
    ),
    WrongAnswer(
        "token-is-enough",
        ("c06.evil-host-good-token",),
        belief="if somebody holds the token, we know them and need nothing more.",
        cost="A page gets in if it gets hold of a token, or if the browser adds the token.",
        instead=((guarded_app, authenticated_app),),
    ),
    WrongAnswer(
        "one-code-for-all",
        ("c06.wrong-token",),
        belief="if a connection fails, it has failed, and the reason does not matter.",
        cost="The token has run out, and the owner looks for a network fault.",
        instead=((http_transport, transport_without_a_cause),),
    ),
    WrongAnswer(
        "a-port-beside-the-pipe",
        ("c06.stdio",),
        belief="a server over a pipe may also listen on a port of this machine.",
        cost="Only one process could reach the server before. Now any page can try.",
        instead=(
            (DEMO_ALPHA, listening_too(DEMO_ALPHA)),
            (DEMO_BETA, listening_too(DEMO_BETA)),
        ),
    ),
    WrongAnswer(
        "suite-as-imagined",
        ("c06.conformance",),
        belief="a conformance suite tries every attack.",
        cost="A guard passes it, so you call the guard safe. Three of our wrong guards pass it.",
        instead=((dns_rebinding_scenario, every_attack),),
    ),
]

"""c02's wrong answers: what each believes, what it costs, and what it replaces."""

from __future__ import annotations

from chapters.c02.connection import connection_over, open_connection, stdio_transport
from chapters.c02.lesson.instead import (
    always,
    connection_in_any_case,
    first_page,
    receive_or_end,
    send_no_cancellation,
    transport_that_nobody_closes,
    transport_with_our_environment,
)
from chapters.c02.pages import every_page
from chapters.c02.wire import ObservedRead, ObservedWrite
from chapters.stage.gallery import WrongAnswer

WRONG_ANSWERS = [
    WrongAnswer(
        "nobody-shakes-hands",
        ("c02.first-legacy",),
        belief="since 2026-07-28 there is no handshake, so no client needs one.",
        cost="A server of an older revision is asked what it does not know, and never connects.",
        instead=((connection_over, always("auto")),),
    ),
    WrongAnswer(
        "everybody-shakes-hands",
        ("c02.first-modern",),
        belief="MCP opens with initialize, as every tutorial says.",
        cost="""The connection stays in the older era, and a server that has dropped it cannot be
        reached.""",
        instead=((connection_over, always("legacy")),),
    ),
    WrongAnswer(
        "first-page-only",
        ("c02.pages",),
        belief="tools/list lists the tools.",
        cost="Three of demo_alpha's five tools are never seen, and nothing says so.",
        instead=((every_page, first_page),),
    ),
    WrongAnswer(
        "left-open",
        ("c02.processes", "c03.closing", "c05.closing"),
        belief="a server goes by itself once nobody talks to it.",
        cost="Each connection leaves a process behind, which nobody will ever stop.",
        instead=((stdio_transport, transport_that_nobody_closes),),
    ),
    WrongAnswer(
        "whole-environment",
        ("c02.secret",),
        belief="a child needs its parent's environment.",
        cost="Every server, and everything that it installs, reads every key of the host.",
        instead=((stdio_transport, transport_with_our_environment),),
    ),
    WrongAnswer(
        "stray-line-is-fatal",
        ("c02.stray-line",),
        belief="a peer that breaks the framing once cannot be understood any more.",
        cost="A server whose library prints one warning on stdout can never be used.",
        instead=((ObservedRead.receive, receive_or_end),),
    ),
    WrongAnswer(
        "silence-is-no-tools",
        ("c02.silent-server",),
        belief="a server that lists nothing has nothing to offer.",
        cost="""A hung server looks like an empty one, so nobody is told, and what would have been
        one clear fault becomes a search for missing tools.""",
        instead=((open_connection, connection_in_any_case),),
    ),
    WrongAnswer(
        "quiet-cancellation",
        ("c02.behaviours",),
        belief="to give a call up it is enough to stop waiting.",
        cost="The server works on for nobody, and may still write what the harness gave up.",
        instead=((ObservedWrite.send, send_no_cancellation),),
    ),
]

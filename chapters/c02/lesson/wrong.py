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
        cost="The client asks an older server what it does not know, and never connects to it.",
        instead=((connection_over, always("auto")),),
    ),
    WrongAnswer(
        "everybody-shakes-hands",
        ("c02.first-modern",),
        belief="MCP opens with initialize, as every tutorial says.",
        cost="""The connection stays in the older era. If a server has dropped that era, you cannot
        reach it.""",
        instead=((connection_over, always("legacy")),),
    ),
    WrongAnswer(
        "first-page-only",
        ("c02.pages",),
        belief="tools/list lists the tools.",
        cost="You never see three of demo_alpha's five tools, and nothing tells you so.",
        instead=((every_page, first_page),),
    ),
    WrongAnswer(
        "left-open",
        ("c02.processes", "c03.closing", "c05.closing"),
        belief="a server stops by itself once nobody talks to it.",
        cost="Each connection leaves a process behind, and nobody will ever stop it.",
        instead=((stdio_transport, transport_that_nobody_closes),),
    ),
    WrongAnswer(
        "whole-environment",
        ("c02.secret",),
        belief="a child needs its parent's environment.",
        cost="Every server can read every key of the host, and so can whatever it installs.",
        instead=((stdio_transport, transport_with_our_environment),),
    ),
    WrongAnswer(
        "stray-line-is-fatal",
        ("c02.stray-line",),
        belief="once a peer breaks the framing, we cannot understand it any more.",
        cost="If a server's library prints one warning on stdout, you can never use that server.",
        instead=((ObservedRead.receive, receive_or_end),),
    ),
    WrongAnswer(
        "silence-is-no-tools",
        ("c02.silent-server",),
        belief="a server that lists nothing has nothing to offer.",
        cost="""A hung server looks like an empty one, and nobody hears about it. Instead of one
        clear fault, you get a search for missing tools.""",
        instead=((open_connection, connection_in_any_case),),
    ),
    WrongAnswer(
        "quiet-cancellation",
        ("c02.behaviours",),
        belief="to give up a call, you only have to stop waiting for it.",
        cost="The server works on for nobody. It may still write what you have given up.",
        instead=((ObservedWrite.send, send_no_cancellation),),
    ),
]

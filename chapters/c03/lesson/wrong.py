"""c03's wrong answers: what each believes, what it costs, and what it replaces."""

from __future__ import annotations

from chapters.c02.connection import stdio_transport
from chapters.c03.calls import call_once
from chapters.c03.lesson.instead import (
    call_and_drop,
    call_and_keep,
    call_by_the_clock,
    call_by_the_peers_word,
    call_the_current,
    connected_and_current,
    disconnect_everything,
    dotted_name,
    live_snapshot,
    poll_once_a_minute,
    revoke_by_name,
    transport_that_waits_its_turn,
)
from chapters.c03.names import local_name
from chapters.c03.owner import Owner
from chapters.c03.pool import Pool
from chapters.c03.registry import Registry
from chapters.stage.gallery import WrongAnswer

WRONG_ANSWERS = [
    WrongAnswer(
        "dotted-names",
        ("c03.local-names",),
        belief="a tool of a server is written with a dot: alias.tool.",
        cost="Some model providers take only letters, digits and _. They refuse the whole request.",
        instead=((local_name, dotted_name),),
    ),
    WrongAnswer(
        "one-scope-for-all",
        ("c03.beta-survives",),
        belief="if you open connections together, you can close them together.",
        cost="If you disconnect one server, you disconnect them all.",
        instead=((Pool.disconnect, disconnect_everything),),
    ),
    WrongAnswer(
        "error-means-broken",
        ("c03.business-error",),
        belief="if a call ends in an error, its server is broken.",
        cost="One typing error in an argument costs you every tool of the server.",
        instead=((Owner.call, call_and_drop),),
    ),
    WrongAnswer(
        "peers-word",
        ("c03.peers-code",),
        belief="error code -32001 means that the request has timed out.",
        cost="You take a server's word and drop it, although it is there and answers.",
        instead=((call_once, call_by_the_peers_word),),
    ),
    WrongAnswer(
        "timeout-keeps",
        ("c03.timeout",),
        belief="a slow call is no reason to lose the connection.",
        cost="""The next calls wait behind one that may never end, and nobody knows what state the
        server is in.""",
        instead=((Owner.call, call_and_keep),),
    ),
    WrongAnswer(
        "everything-is-a-timeout",
        ("c03.exit-during-call",),
        belief="if a call gets no answer, it has timed out, whatever the reason.",
        cost="""The server has crashed, and the operator looks for a slow one. If you take the
        belief literally, every caller also waits for the whole deadline.""",
        instead=((call_once, call_by_the_clock),),
    ),
    WrongAnswer(
        "poll-once-a-minute",
        ("c03.exit-while-idle",),
        belief="somebody has to check now and then whether the server is still there.",
        cost="For up to a minute you offer the model tools that are gone.",
        instead=((Owner._watch, poll_once_a_minute),),
    ),
    WrongAnswer(
        "revoke-by-name",
        ("c03.late-revoke",),
        belief="a tool is its name, so whoever published that name may remove it.",
        cost="An old connection cleans up late and takes its successor's tools away.",
        instead=((Registry.revoke, revoke_by_name),),
    ),
    WrongAnswer(
        "live-view",
        ("c03.old-snapshot", "c05.same-reply", "c05.disconnected"),
        belief="a view of the registry is as good as a snapshot, and always up to date.",
        cost="""Tools appear and vanish between two calls of one reply. The model has to answer for
        tools that it never saw.""",
        instead=((Registry.snapshot, live_snapshot),),
    ),
    WrongAnswer(
        "call-by-alias",
        ("c03.old-snapshot-call", "c05.reconnected"),
        belief="a tool belongs to its server, whichever connection it has at the moment.",
        cost="The model decides on a call to one server process, and another carries it out.",
        instead=((Owner.connected, connected_and_current), (Owner.call, call_the_current)),
    ),
    WrongAnswer(
        "one-after-the-other",
        ("c03.stopping",),
        belief="a loop over the connections closes them all.",
        cost="If each of twenty servers takes four seconds to stop, Ctrl-C takes eighty.",
        instead=((stdio_transport, transport_that_waits_its_turn),),
    ),
]

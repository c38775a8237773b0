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
        belief="alias, dot, tool is how one names a thing in a thing.",
        cost="A model provider that takes letters, digits and _ refuses the whole request.",
        instead=((local_name, dotted_name),),
    ),
    WrongAnswer(
        "one-scope-for-all",
        ("c03.beta-survives",),
        belief="connections that are opened together may be closed together.",
        cost="Whoever disconnects one server disconnects all.",
        instead=((Pool.disconnect, disconnect_everything),),
    ),
    WrongAnswer(
        "error-means-broken",
        ("c03.business-error",),
        belief="a call that ends in an error says that the server is no good any more.",
        cost="A typing error in an argument takes away every tool of the server.",
        instead=((Owner.call, call_and_drop),),
    ),
    WrongAnswer(
        "peers-word",
        ("c03.peers-code",),
        belief="error code -32001 means that the request has timed out.",
        cost="A server that answers is dropped, on its own word.",
        instead=((call_once, call_by_the_peers_word),),
    ),
    WrongAnswer(
        "timeout-keeps",
        ("c03.timeout",),
        belief="a slow call is no reason to lose the connection.",
        cost="The next calls wait behind one that may never end, on a server in an unknown state.",
        instead=((Owner.call, call_and_keep),),
    ),
    WrongAnswer(
        "everything-is-a-timeout",
        ("c03.exit-during-call",),
        belief="a call that gets no answer has timed out, whatever the reason.",
        cost="""The operator looks for a slow server where there is a crashed one; taken by the
        letter, every caller also waits for the whole deadline.""",
        instead=((call_once, call_by_the_clock),),
    ),
    WrongAnswer(
        "poll-once-a-minute",
        ("c03.exit-while-idle",),
        belief="somebody has to look from time to time whether the server is still there.",
        cost="For up to a minute the model is offered tools that are gone.",
        instead=((Owner._watch, poll_once_a_minute),),
    ),
    WrongAnswer(
        "revoke-by-name",
        ("c03.late-revoke",),
        belief="a tool is its name, so whoever published a name may remove it.",
        cost="An old connection's late clean-up takes the tools of its successor away.",
        instead=((Registry.revoke, revoke_by_name),),
    ),
    WrongAnswer(
        "live-view",
        ("c03.old-snapshot", "c05.same-reply", "c05.disconnected"),
        belief="a view of the registry is as good as a snapshot, and always up to date.",
        cost="""Tools appear and vanish between two calls of one reply, and the model is held to
        tools that it was never shown.""",
        instead=((Registry.snapshot, live_snapshot),),
    ),
    WrongAnswer(
        "call-by-alias",
        ("c03.old-snapshot-call", "c05.reconnected"),
        belief="a tool belongs to its server, whichever connection that has at the moment.",
        cost="A call that was decided on for one server process is carried out by another.",
        instead=((Owner.connected, connected_and_current), (Owner.call, call_the_current)),
    ),
    WrongAnswer(
        "one-after-the-other",
        ("c03.stopping",),
        belief="a loop over the connections closes them all.",
        cost="Twenty servers that take four seconds each to stop hold Ctrl-C up for eighty.",
        instead=((stdio_transport, transport_that_waits_its_turn),),
    ),
]

"""The layers of a guarded server, and where it listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil

from chapters.c02 import open_connection
from chapters.c02.lesson.demo import DEMO_ALPHA
from chapters.c06 import bind_address, new_token
from chapters.c06.binding import BindRefused
from chapters.c06.guarded import guarded_app
from chapters.c06.lesson.reach import reachable_at
from chapters.c06.lesson.rebinding import ATTACKER
from chapters.c06.lesson.trials import status_of
from chapters.c06.lesson.victim import new_secret, victim_server
from chapters.c06.serving import bound_socket, serving

if TYPE_CHECKING:
    from chapters.stage import Stage


async def layers(stage: Stage) -> None:
    """Ask a guarded server with every mix of Host and token."""
    await stage.step(
        "The guard first, then the token",
        """The guard stands outside the whole application. If a request was meant for another
        server, the guard says so, and the request learns nothing about tokens.""",
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
        """If you bind a socket to 127.0.0.1, you can reach it at that address alone. 0.0.0.0 means
        every address of this machine, and its neighbours know some of those.""",
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
    stage.say(f"Over a pipe, demo_alpha has {len(listening)} sockets open.")
    stage.claim("c06.stdio", "yes" if listening else "no")

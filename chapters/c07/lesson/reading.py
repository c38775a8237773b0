"""Resources, read by a model: from whom, with what in the URI, and over which wire."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from mcp.types import JSONRPCRequest

from chapters.c04 import Invoker
from chapters.c07 import for_the_lead
from chapters.c07.lesson.demo import INDEX
from chapters.c07.lesson.looking import code_or, connected, read
from chapters.c07.lesson.odd_servers import linking

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from anyio.abc import SocketStream

    from chapters.c02 import Frame
    from chapters.c03 import Registry
    from chapters.c07 import Exposed
    from chapters.stage import Stage

CLIMBING = "runbook://page/..%2Fsecrets"


async def the_same_uri(stage: Stage, registry: Registry[Exposed]) -> None:
    """Read the URI that both servers publish from each of them."""
    await stage.step(
        "The same URI twice",
        f"""The runbook and the wiki both publish {INDEX}. Neither knows of the other. We read it
        from each, with the local tool read_mcp_resource.""",
    )
    heads = {}
    for alias in ("runbook", "wiki"):
        envelope = await read(registry.snapshot(), alias, INDEX)
        heads[alias] = title_of(envelope.content)
    stage.table(["alias", "URI", "begins with"], *([a, INDEX, head] for a, head in heads.items()))
    told_apart = heads == {"runbook": "# Runbook", "wiki": "# Office wiki"}
    stage.claim("c07.same-uri", "by alias" if told_apart else "not at all")


def title_of(content: str) -> str:
    """Return the first heading of what was read, or nothing."""
    return next((line for line in content.splitlines() if line.startswith("# ")), "")


async def climbing_out(stage: Stage, registry: Registry[Exposed], frames: Sequence[Frame]) -> None:
    """Fill the template with a value that would climb out of its folder."""
    await stage.step(
        "A value that climbs",
        """The policy allows runbook://page/{slug}. So every slug makes a URI that is on no list,
        and a model may make up the slug. We look at what crosses the wire for two of them.""",
    )
    rows = []
    for uri in ("runbook://page/checkout", CLIMBING):
        before = len(frames)
        envelope = await read(registry.snapshot(), "runbook", uri)
        sent = ", ".join(uris_sent(frames[before:])) or "nothing"
        rows.append([uri, sent, code_or(envelope)])
    stage.table(["asked for", "URI sent", "the model gets"], *rows)
    stage.claim("c07.climbing", rows[-1][1])


def uris_sent(frames: Sequence[Frame]) -> list[str]:
    """Return the URIs that left this process in requests to read."""
    return [
        frame.message.params["uri"]
        for frame in frames
        if frame.direction == "sent"
        and isinstance(frame.message, JSONRPCRequest)
        and frame.message.method == "resources/read"
        and frame.message.params
    ]


async def a_link(stage: Stage) -> None:
    """Let a tool answer with a link to our own listener, and follow it with the local tool."""
    await stage.step(
        "A link in a result",
        """A server's tool answers with a resource link to a web address of this machine, where we
        listen. The model sees the link and asks for it with read_mcp_resource.""",
    )
    async with listening() as (url, visits):
        server, lists = linking(url)
        async with connected([server], {"linking": lists}) as (registry, _):
            snapshot = registry.snapshot()
            found = await Invoker().invoke(for_the_lead(snapshot), "mcp__linking__look", {})
            followed = await read(snapshot, "linking", url)
    shown = found.content.replace(url, "http://127.0.0.1:PORT/")
    stage.table(["call", "the model gets"], ["look", shown], ["read", code_or(followed)])
    stage.claim("c07.fetch", len(visits))


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[str, list[str]]]:
    """Listen on a port of this machine; yield its address, and a note of each visit."""
    visits: list[str] = []

    async def answer(stream: SocketStream) -> None:
        async with stream:
            visits.append("somebody")
            await stream.send(b"HTTP/1.0 200 OK\r\n\r\nread")

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    port = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - it is no Django
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, answer)
        yield f"http://127.0.0.1:{port}/", visits
        group.cancel_scope.cancel()

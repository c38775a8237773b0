"""What the steps look with: a pool over all lists, a model's first request, an outcome's code."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

import anyio
import psutil

from chapters.c02 import Fault
from chapters.c03 import Registry, open_pool
from chapters.c04 import ExposedTool, Invoker, allowlist
from chapters.c05 import Message, ScriptedModel
from chapters.c05.loop import run_loop
from chapters.c07 import (
    ExposedPrompt,
    ExposedResource,
    ExposedTemplate,
    admission_of_lists,
    for_the_lead,
    load_prompt,
    parse_command,
)
from chapters.c07.lesson.demo import LISTS, RUNBOOK, WIKI, opening

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from chapters.c02 import Connection, Frame, ServerSpec
    from chapters.c03 import Opener, RegistrySnapshot
    from chapters.c04 import AllowedServer, Envelope
    from chapters.c05 import Request
    from chapters.c07 import AllowedLists, Exposed

KINDS = {
    ExposedTool: "tool",
    ExposedResource: "resource",
    ExposedTemplate: "template",
    ExposedPrompt: "prompt",
}


@asynccontextmanager
async def connected(
    servers: Sequence[AllowedServer] = (RUNBOOK, WIKI),
    lists: Mapping[str, AllowedLists] = LISTS,
    *,
    opener: Opener | None = None,
    on_lost: Callable[[str], None] | None = None,
    observer: Callable[[str, Frame], None] | None = None,
) -> AsyncIterator[tuple[Registry[Exposed], dict[str, Connection]]]:
    """Connect servers, side by side; yield the registry, and the connections by alias."""
    registry: Registry[Exposed] = Registry()
    connections: dict[str, Connection] = {}
    async with open_pool(
        [server.spec for server in servers],
        registry,
        admission_of_lists(allowlist(servers), lists),
        opener=opener or opening(),
        on_lost=on_lost,
        observer=observer,
    ) as pool:

        async def connect(alias: str) -> None:
            connections[alias] = await pool.connect(alias)

        async with anyio.create_task_group() as group:
            for server in servers:
                group.start_soon(connect, server.spec.alias)
        yield registry, connections


def of(alias: str, snapshot: RegistrySnapshot[Exposed]) -> list[Exposed]:
    """Return what a server has in a snapshot, of all kinds."""
    return [each for each in snapshot if each.alias == alias]


async def first_request(registry: Registry[Exposed]) -> Request:
    """Return the first request of a lead that is given a task."""
    lead = ScriptedModel([])
    task = [Message("user", "Checkout is slow. What is wrong?")]
    await run_loop(lead, Invoker(), lambda: for_the_lead(registry.snapshot()), task)
    return lead.requests[0]


def in_full(request: Request) -> str:
    """Return all of a request, as JSON."""
    return json.dumps(asdict(request))


async def read(snapshot: RegistrySnapshot[Exposed], alias: str, uri: str) -> Envelope:
    """Let a model read a resource with the local tool."""
    lead = for_the_lead(snapshot)
    return await Invoker().invoke(lead, "read_mcp_resource", {"alias": alias, "uri": uri})


def code_or(envelope: Envelope, otherwise: str = "its text") -> str:
    """Return a failure's code, or else what is put for a success."""
    return envelope.code or otherwise


async def typed(snapshot: RegistrySnapshot[Exposed], line: str) -> tuple[list[Message], str]:
    """Load a prompt as a person does; return its messages, and the fault's code if it has one."""
    try:
        return await load_prompt(snapshot, *parse_command(line)), ""
    except Fault as fault:
        return [], fault.code


def kind(each: Exposed) -> str:
    """Return which of the kinds it is, as the protocol calls it."""
    return KINDS[type(each)]


def kill(spec: ServerSpec) -> None:
    """Kill a server's process, and not the shell that stands over it."""
    command = [spec.command, *spec.args]
    for process in psutil.Process().children(recursive=True):
        if process.cmdline() == command:
            process.kill()

"""Ten behaviours that make MCP what it is, each as a probe that gathers evidence.

A probe never asks a client what it thinks of itself. It looks at process ids, at the messages that
crossed a wire, and at what the server saw. The same probes run against any :class:`Subject`.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import psutil
from mcp import Client

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chapters.c01.subject import Session, Subject

    Probe = Callable[[Session], Awaitable["Finding"]]

OPENINGS = {"initialize", "server/discover"}


@dataclass(frozen=True)
class Finding:
    """What a probe found: the behaviour, whether it is shown, and by what evidence."""

    behaviour: str
    shown: bool
    evidence: str


async def checklist(subject: Subject) -> list[Finding]:
    """Run all ten probes on ``subject`` and return what they found, in their order."""
    before = running_children()
    async with subject.open() as session:
        findings = [await probe(session) for probe in PROBES]
        findings.append(await exit_is_noticed(session))
    async with subject.open() as session:
        await session.list_tools()
        while_open = running_children() - before
    findings.append(nothing_is_left(while_open, running_children() - before))
    return findings


async def frames_cross_a_boundary(session: Session) -> Finding:
    """Look for messages in both directions and for a server that is somebody else."""
    await session.call("lookup", {"key": "server alias"})
    sent = sum(message.sent for message in session.messages)
    received = len(session.messages) - sent
    return Finding(
        "frames cross a process boundary",
        sent > 0 and received > 0 and await server_pid(session) != os.getpid(),
        f"{sent} frames sent, {received} received",
    )


async def the_official_client_is_used(session: Session) -> Finding:
    """Look at the client's type."""
    kind = type(session.client)
    return Finding(
        "the official client speaks",
        isinstance(session.client, Client),
        f"it is {kind.__module__.partition('.')[0]}.{kind.__name__}",
    )


async def a_version_is_negotiated(session: Session) -> Finding:
    """Look for an opening request, and for its answer."""
    opening = [m.body for m in session.messages if m.sent and m.body.get("method") in OPENINGS]
    answered = [body["method"] for body in opening if answer_to(session, body) is not None]
    return Finding(
        "both sides negotiate a version",
        bool(answered),
        f"answered: {', '.join(answered)}" if answered else "no opening request was sent",
    )


async def a_list_has_pages(session: Session) -> Finding:
    """List the tools, and look for requests that carry the cursor of the page before."""
    before = len(session.messages)
    tools = await session.list_tools()
    messages = session.messages[before:]
    pages = [m.body for m in messages if m.sent and m.body.get("method") == "tools/list"]
    handed_out = {(answer_to(session, page) or {}).get("nextCursor") for page in pages}
    followed = [page for page in pages if (page.get("params") or {}).get("cursor") in handed_out]
    return Finding(
        "tools are listed in pages",
        any((page.get("params") or {}).get("cursor") for page in followed),
        f"{len(tools)} tools in {len(pages)} tools/list requests",
    )


async def a_call_is_a_message(session: Session) -> Finding:
    """Call a tool, and look for the request and its answer with the same id."""
    await session.call("lookup", {"key": "server alias"})
    calls = [m.body for m in session.messages if m.sent and m.body.get("method") == "tools/call"]
    answered = [body for body in calls if answer_to(session, body) is not None]
    return Finding(
        "a call is a message",
        bool(answered),
        f"{len(answered)} requests have an answer with their id",
    )


async def server_code_runs_elsewhere(session: Session) -> Finding:
    """Ask the server for its process id."""
    pid = await server_pid(session)
    where = "this very process" if pid == os.getpid() else "another process"
    return Finding("server code runs elsewhere", pid != os.getpid(), f"in {where}")


# --8<-- [start:deadlines]
async def a_timeout_is_kept(session: Session) -> Finding:
    """Give a call a fifth of the time it takes."""
    began = time.monotonic()
    try:
        await session.call("wait", {"seconds": 0.5}, seconds=0.1)
    except TimeoutError:
        return Finding("a deadline is kept", True, "the call was given up when its time was over")
    late = time.monotonic() - began
    return Finding("a deadline is kept", False, f"asked for 0.1 s, back after {late:.1f} s")


async def a_cancellation_arrives(session: Session) -> Finding:
    """Give a call up, and ask the server what it has seen of that."""
    before = (await witness(session))["cancelled"]
    with anyio.move_on_after(0.1):
        await session.call("wait", {"seconds": 0.5})
    seen = (await witness(session))["cancelled"] - before
    return Finding(
        "a cancellation reaches the server", seen == 1, f"the server counted {seen} of 1"
    )
    # --8<-- [end:deadlines]


async def exit_is_noticed(session: Session) -> Finding:
    """Make the server end its process in the middle of a call."""
    behaviour = "the server's exit is noticed"
    try:
        await session.call("crash", {})
    except SystemExit:
        return Finding(behaviour, False, "SystemExit was raised in this process")
    except Exception:  # noqa: S110 - however the call failed, the question is what was noticed
        pass
    with anyio.move_on_after(2):
        await session.server_ended.wait()
        return Finding(behaviour, True, "the client saw the end of the stream")
    return Finding(behaviour, False, "the client saw nothing")


def nothing_is_left(while_open: set[int], after: set[int]) -> Finding:
    """Compare the processes that ran while a session was open with those that run afterwards."""
    return Finding(
        "closing leaves nothing running",
        bool(while_open) and not after,
        f"{len(while_open)} server processes while open, {len(after)} after closing",
    )


PROBES: tuple[Probe, ...] = (
    frames_cross_a_boundary,
    the_official_client_is_used,
    a_version_is_negotiated,
    a_list_has_pages,
    a_call_is_a_message,
    server_code_runs_elsewhere,
    a_timeout_is_kept,
    a_cancellation_arrives,
)


def running_children() -> set[int]:
    """Return the process ids of this process's living descendants."""
    alive = set()
    for child in psutil.Process().children(recursive=True):
        try:
            if child.status() != psutil.STATUS_ZOMBIE:
                alive.add(child.pid)
        except psutil.NoSuchProcess:
            continue
    return alive


def answer_to(session: Session, request: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result that came for a request, matched by its id."""
    for message in session.messages:
        if not message.sent and message.body.get("id") == request.get("id"):
            result: dict[str, Any] | None = message.body.get("result")
            return result
    return None


async def witness(session: Session) -> dict[str, Any]:
    """Ask the server what it sees of itself."""
    seen: dict[str, Any] = json.loads(await session.call("witness", {}))
    return seen


async def server_pid(session: Session) -> int:
    """Return the id of the process in which the server's code runs."""
    pid: int = (await witness(session))["pid"]
    return pid

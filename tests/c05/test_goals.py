"""The answers to c05's questions, observed."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import psutil
import pytest

from chapters.c01 import running_children
from chapters.c04 import AllowedServer, ToolPolicy, allowlist
from chapters.c05 import Cast, Reply, Runner, ScriptedModel, calling, open_runner
from chapters.c05.lesson.local import COUNT_WORDS
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from chapters.c05 import Request
    from chapters.c05.scripted import Line
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

READ = ToolPolicy("read")
SERVER = AllowedServer(
    hostile_spec("well-behaved", alias="alpha"), dict.fromkeys(("echo", "count", "whoami"), READ)
)
CONNECT = ("connect_mcp", {"alias": "alpha"})
DISCONNECT = ("disconnect_mcp", {"alias": "alpha"})
ECHO: tuple[str, object] = ("mcp__alpha__echo", {})


def code_of(content: str) -> str:
    """Return the code that a tool's message tells a model of, or ``its answer``."""
    told = json.loads(content) if content.startswith("{") else {}
    return str(told.get("error", "its answer"))


@asynccontextmanager
async def playing(
    *lead: Line,
    subagent: tuple[Line, ...] = (),
    teammate: tuple[Line, ...] = (),
    server: AllowedServer = SERVER,
) -> AsyncIterator[tuple[Runner, ScriptedModel, ScriptedModel]]:
    """Open a runner over one small real server; also return the helpers' models."""
    helper, mate = ScriptedModel(subagent), ScriptedModel(teammate)
    cast = Cast(ScriptedModel(lead), lambda: helper, mate)
    async with open_runner(allowlist([server]), [COUNT_WORDS], cast) as runner:
        yield runner, helper, mate


@pytest.mark.goal("c05.same-reply")
async def test_a_tool_is_unknown_for_the_rest_of_the_reply_that_connects_it(
    observe: Observe,
) -> None:
    async with playing(calling(CONNECT, ECHO)) as (runner, *_):
        await runner.run("go")
    connected, called = runner.transcript[0].outcomes
    assert connected.ok
    observe(called.code or "its answer")


@pytest.mark.goal("c05.first-request")
async def test_a_connected_tool_is_there_from_the_next_request(observe: Observe) -> None:
    async with playing(calling(CONNECT), calling(ECHO)) as (runner, *_):
        await runner.run("go")
    with_echo = [t.request.number for t in runner.transcript if ECHO[0] in t.request.tool_names]
    observe(with_echo[0] if with_echo else 0)
    assert runner.transcript[1].outcomes[0].content == "{}"


@pytest.mark.goal("c05.disconnected")
async def test_a_tool_that_was_disconnected_in_the_same_reply_is_lost(observe: Observe) -> None:
    async with playing(calling(CONNECT), calling(DISCONNECT, ECHO)) as (runner, *_):
        await runner.run("go")
    observe(runner.transcript[1].outcomes[1].code or "its answer")


@pytest.mark.goal("c05.reconnected")
async def test_a_reconnect_does_not_revive_the_old_snapshots_tool(observe: Observe) -> None:
    async with playing(calling(CONNECT), calling(DISCONNECT, CONNECT, ECHO), calling(ECHO)) as (
        runner,
        *_,
    ):
        await runner.run("go")
    observe(runner.transcript[1].outcomes[2].code or "its answer")
    assert runner.transcript[2].outcomes[0].content == "{}"


@pytest.mark.goal("c05.others-see")
async def test_subagents_and_teammates_are_shown_no_mcp_tool(observe: Observe) -> None:
    ask = (("ask_subagent", {"text": "look"}), ("ask_teammate", {"text": "look"}))
    async with playing(calling(*ask, CONNECT), calling(*ask)) as (runner, helper, mate):
        await runner.run("go")
    requests = [*helper.requests, *mate.requests]
    assert len(requests) == 4
    shown = {name for request in requests for name in request.tool_names}
    observe(sum(name.startswith("mcp__") for name in shown))
    assert shown == {"count_words"}


@pytest.mark.goal("c05.others-call")
async def test_a_name_that_they_were_told_is_an_unknown_tool(observe: Observe) -> None:
    lines = (calling(ECHO, CONNECT, ("disconnect_mcp", {"alias": "alpha"})), Reply("done"))
    ask = (("ask_subagent", {"text": "call"}), ("ask_teammate", {"text": "call"}))
    async with playing(calling(CONNECT), calling(*ask), subagent=lines, teammate=lines) as (
        runner,
        helper,
        mate,
    ):
        await runner.run("go")
        connected = runner.pool.connected
    codes = {
        code_of(message.content)
        for model in (helper, mate)
        for message in model.requests[-1].messages
        if message.role == "tool"
    }
    observe(" or ".join(sorted(codes)))
    assert connected == ("alpha",)


@pytest.mark.goal("c05.notice")
async def test_the_lead_is_told_of_a_death_that_no_call_reported(observe: Observe) -> None:
    async def killing(_: Request) -> Reply:
        pid = int(runner.transcript[-1].outcomes[0].content)
        psutil.Process(pid).kill()
        await runner.notices.posted.wait()
        return calling(("count_words", {"text": "a b"}))

    async with playing(calling(CONNECT), calling(("mcp__alpha__whoami", {})), killing) as (
        runner,
        *_,
    ):
        await runner.run("go")
    last = runner.transcript[-1].request
    top = last.messages[-1]
    noticed = top.role == "harness" and "alpha has ended" in top.content
    observe("a notice at the top of its next request" if noticed else "nothing")
    assert ECHO[0] not in last.tool_names
    earlier = runner.transcript[-2].request.messages
    assert not [message for message in earlier if message.role == "harness"]


@pytest.mark.goal("c05.closing")
async def test_a_runner_left_in_the_middle_of_a_call_leaves_nothing(
    observe: Observe, tmp_path: Path
) -> None:
    server = AllowedServer(
        hostile_spec("hangs-mid-call", tmp_path / "seen", alias="alpha"), dict(SERVER.tools)
    )
    before = running_children()
    async with (
        playing(calling(CONNECT), calling(ECHO), server=server) as (runner, *_),
        anyio.create_task_group() as group,
    ):
        group.start_soon(runner.run, "go")
        while len(runner.transcript) < 1:
            await anyio.lowlevel.checkpoint()
        await anyio.wait_all_tasks_blocked()
        assert running_children() > before
        group.cancel_scope.cancel()
    observe(len(running_children() - before))

"""The demo server over HTTP: connected, called, lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import psutil

from chapters.c02 import Fault
from chapters.c03 import Registry, open_pool
from chapters.c04 import AllowedServer, ExposedTool, Invoker, allowlist, strict_admission
from chapters.c04.lesson.demo import ALPHA
from chapters.c06 import HttpServerSpec, new_token, open_any
from chapters.c06.lesson.processes import guarded_demo

if TYPE_CHECKING:
    from chapters.c02 import Frame
    from chapters.c06.lesson.processes import Served
    from chapters.stage import Stage


LOOKUP = "mcp__demo_alpha__lookup"


async def the_same_over_http(stage: Stage) -> None:
    """Connect demo_alpha over HTTP, call it, and lose it."""
    await stage.step(
        "The same server over HTTP",
        """Here is demo_alpha again. This time it is a process that listens on a port of this
        machine, behind this chapter's guard. The allowlist holds its address and its token.
        Names, policy, snapshots and faults stay as they were over a pipe.""",
    )
    async with stage.entering("starting demo_alpha behind a guard", guarded_demo()) as served:
        connecting_and_losing_it = _call_lose_call(stage, served)
        code, answer, lost = await stage.wait_for(
            "connecting and losing it", connecting_and_losing_it
        )
    stage.table(
        ["what", "outcome"],
        ["a call", answer],
        ["the server is killed, and a call", lost],
        ["connecting with a wrong token", code],
    )
    stage.say(
        """A pipe ends when its server ends, and somebody is waiting for that. Over HTTP nothing
        ends, so we notice the loss only at the next call."""
    )
    stage.claim("c06.wrong-token", code)


async def _call_lose_call(stage: Stage, served: Served) -> tuple[str, str, str]:
    registry: Registry[ExposedTool] = Registry()
    http = HttpServerSpec("demo_alpha", served.url, served.token)
    wrong = replace(http, alias="wrong_token", token=new_token())
    servers = allowlist([AllowedServer(http, ALPHA.tools), AllowedServer(wrong, ALPHA.tools)])

    def observe(alias: str, frame: Frame) -> None:
        stage.watch(alias)(frame)

    async with open_pool(
        [http, wrong], registry, strict_admission(servers), opener=open_any, observer=observe
    ) as pool:
        try:
            await pool.connect("wrong_token")
            code = "connected"
        except Fault as fault:
            code = fault.code
        await pool.connect("demo_alpha")
        answer = await Invoker().invoke(registry.snapshot(), LOOKUP, {"key": "connection"})
        tools = registry.snapshot()
        psutil.Process(served.pid).kill()
        lost = await Invoker().invoke(tools, LOOKUP, {"key": "connection"})
    return code, answer.content, str(lost.code)

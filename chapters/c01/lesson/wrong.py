"""c01's wrong answers."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c01.checklist import Finding, checklist
from chapters.c01.handler_dict import HANDLERS, HandlerDictClient
from chapters.c01.lesson import own_tests
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from chapters.c01.subject import Subject


async def _checklist_by_method_names(subject: Subject) -> list[Finding]:
    async with subject.open() as session:
        named = hasattr(session.client, "call_tool")
    evidence = "the client has a method of that name"
    return [replace(found, shown=named, evidence=evidence) for found in await checklist(subject)]


async def _call_in_a_worker_process(
    _client: HandlerDictClient, name: str, arguments: dict[str, Any], **_: object
) -> str:
    if name not in HANDLERS:
        raise LookupError(f"unknown tool: {name}")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return str(pool.submit(HANDLERS[name], **arguments).result())


_TESTS_ARE_REALITY = {
    conclusion: (test, test) for conclusion, (test, _) in own_tests.CONCLUSIONS.items()
}

WRONG_ANSWERS = [
    WrongAnswer(
        "names-are-behaviour",
        ("c01.is-it-mcp", "c01.behaviours"),
        belief="a client that has call_tool and list_tools speaks MCP.",
        cost="""You never test what a process, a message or a connection can get wrong. You meet
        that for the first time in production.""",
        instead=((checklist, _checklist_by_method_names),),
    ),
    WrongAnswer(
        "worker-process",
        ("c01.process",),
        belief="a handler that runs in a worker process is a server.",
        cost="""You get a second process and no messages to it. There is no version, no page and no
        cancellation, and you start a process for every call.""",
        instead=((HandlerDictClient.call_tool, _call_in_a_worker_process),),
    ),
    WrongAnswer(
        "green-is-true",
        ("c01.wrong-conclusion",),
        belief="if a test passes, then what its name says is true.",
        cost="The tests said that a stuck tool is given up. It hangs the harness instead.",
        instead=((own_tests.CONCLUSIONS, _TESTS_ARE_REALITY),),
    ),
]

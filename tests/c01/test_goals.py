"""The answers to c01's questions, observed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from chapters.c01 import HandlerDictSubject, checklist
from chapters.c01.checklist import server_pid
from chapters.c01.lesson.own_tests import CONCLUSIONS

if TYPE_CHECKING:
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio


@pytest.mark.goal("c01.is-it-mcp")
async def test_a_handler_dict_is_not_mcp(observe: Observe) -> None:
    findings = await checklist(HandlerDictSubject())
    observe("yes" if all(finding.shown for finding in findings) else "no")


@pytest.mark.goal("c01.behaviours")
async def test_it_shows_none_of_the_ten_behaviours(observe: Observe) -> None:
    findings = await checklist(HandlerDictSubject())
    assert len(findings) == 10
    observe(sum(finding.shown for finding in findings))


@pytest.mark.goal("c01.process")
async def test_its_server_runs_in_the_clients_own_process(observe: Observe) -> None:
    async with HandlerDictSubject().open() as session:
        pid = await server_pid(session)
    observe("in the client's own process" if pid == os.getpid() else "in a child process")


@pytest.mark.goal("c01.wrong-conclusion")
async def test_its_green_tests_invite_a_wrong_conclusion(observe: Observe) -> None:
    wrong = []
    for conclusion, (test, reality) in CONCLUSIONS.items():
        assert await test()
        if not await reality():
            wrong.append(conclusion)
    observe("; ".join(wrong) or "none of them")

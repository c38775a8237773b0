"""The answers to c02's questions, observed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from chapters.c01 import checklist, running_children
from chapters.c02 import ConnectFailed, ConnectTimedOut, Frame, open_connection, said
from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c02.lesson.odd_servers import CHATTY, SILENT
from chapters.c02.lesson.probed import ConnectionSubject

if TYPE_CHECKING:
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio


@pytest.mark.goal("c02.first-legacy")
async def test_up_to_2025_11_25_a_connection_opens_with_initialize(observe: Observe) -> None:
    frames: list[Frame] = []
    async with open_connection(DEMO_BETA, mode="legacy", observer=frames.append) as connection:
        version = connection.protocol_version
    observe(str(frames[0].method))
    assert version == "2025-11-25"


@pytest.mark.goal("c02.first-modern")
async def test_from_2026_07_28_a_client_asks_server_discover(observe: Observe) -> None:
    frames: list[Frame] = []
    async with open_connection(DEMO_BETA, observer=frames.append) as connection:
        version = connection.protocol_version
    observe(str(frames[0].method))
    assert version == "2026-07-28"


@pytest.mark.goal("c02.pages")
async def test_alphas_tools_come_in_three_pages(observe: Observe) -> None:
    frames: list[Frame] = []
    async with open_connection(DEMO_ALPHA, observer=frames.append) as connection:
        names = [tool.name for tool in connection.tools]
    observe(sum(frame.method == "tools/list" for frame in frames))
    assert names == ["lookup", "wait", "fail", "crash", "witness"]


@pytest.mark.goal("c02.processes")
async def test_each_connection_has_one_process_and_takes_it_along(observe: Observe) -> None:
    before = running_children()
    async with open_connection(DEMO_ALPHA), open_connection(DEMO_BETA):
        during = running_children() - before
    observe(f"{len(during)}, then {len(running_children() - before)}")


@pytest.mark.goal("c02.secret")
async def test_a_server_does_not_see_the_hosts_secrets(
    observe: Observe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST_SECRET_TOKEN", "not for servers")
    async with open_connection(DEMO_ALPHA) as connection:
        seen = json.loads(said(await connection.call("witness", {})))["environment"]
    observe("yes" if "HOST_SECRET_TOKEN" in seen else "no")
    assert "PATH" in seen


@pytest.mark.goal("c02.stray-line")
async def test_a_line_that_is_no_message_is_skipped(observe: Observe) -> None:
    try:
        async with open_connection(CHATTY) as connection:
            answer = said(await connection.call("lookup", {"key": "-32601"}))
    except ConnectFailed:
        observe("the connection ends")
    else:
        observe("the line is skipped" if answer.startswith("Method not found") else answer)


@pytest.mark.goal("c02.silent-server")
async def test_a_server_that_never_answers_is_given_up_and_stopped(observe: Observe) -> None:
    before = running_children()
    try:
        async with open_connection(SILENT) as connection:
            outcome = "an empty list of tools" if not connection.tools else "tools"
    except ConnectTimedOut as fault:
        stopped = running_children() == before
        outcome = f"{fault.code}, and its process {'is stopped' if stopped else 'lives on'}"
    observe(outcome)


@pytest.mark.goal("c02.behaviours")
async def test_a_real_connection_shows_all_ten_behaviours(observe: Observe) -> None:
    findings = await checklist(ConnectionSubject(DEMO_ALPHA))
    assert len(findings) == 10
    observe(sum(finding.shown for finding in findings))

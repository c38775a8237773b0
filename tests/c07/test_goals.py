"""The answers to c07's questions, observed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from chapters.c04 import Invoker
from chapters.c07 import for_the_lead
from chapters.c07.lesson.asking import called, roles_of, who
from chapters.c07.lesson.demo import INDEX, RUNBOOK
from chapters.c07.lesson.ending import left_of, snapshots_around_a_kill
from chapters.c07.lesson.eras import tried_in, where_all_worked
from chapters.c07.lesson.looking import (
    code_or,
    connected,
    first_request,
    in_full,
    kind,
    of,
    read,
    typed,
)
from chapters.c07.lesson.odd_servers import linking, shelf
from chapters.c07.lesson.reading import CLIMBING, listening, uris_sent

if TYPE_CHECKING:
    from chapters.c02 import Frame
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

HANDOVER = "/mcp__runbook__handover shift=night"
TRIAGE = "/mcp__runbook__triage service=queue severity=low"


@pytest.mark.goal("c07.three-lists")
async def test_a_connection_publishes_all_its_lists(observe: Observe) -> None:
    async with connected([RUNBOOK]) as (registry, _):
        mine = of("runbook", registry.snapshot())
    observe(len(mine))
    kinds = sorted(kind(each) for each in mine)
    assert kinds == ["prompt", "prompt", "resource", "resource", "resource", "template", "tool"]


@pytest.mark.goal("c07.in-the-request")
async def test_a_request_holds_nothing_of_resources_and_prompts(observe: Observe) -> None:
    async with connected() as (registry, connections):
        text = in_full(await first_request(registry))
    published = [connection.published for connection in connections.values()]
    words = {
        *(each.uri for lists in published for each in lists.resources),
        *(each.uri_template for lists in published for each in lists.templates),
        *(each.name for lists in published for each in lists.prompts),
    }
    observe(sum(word in text for word in words))
    assert "mcp__runbook__search_runbook" in text


@pytest.mark.goal("c07.request-bytes")
async def test_a_request_is_the_same_however_much_there_is_to_read(observe: Observe) -> None:
    requests = []
    for number in (0, 1, 200):
        server, lists = shelf(number)
        async with connected([server], {"shelf": lists}) as (registry, _):
            requests.append(in_full(await first_request(registry)).encode())
            assert len(registry.snapshot()) == number + 1
    observe("yes" if len(set(requests)) == 1 else "no")


@pytest.mark.goal("c07.same-uri")
async def test_a_uri_is_read_from_the_server_of_the_alias(observe: Observe) -> None:
    async with connected() as (registry, _):
        snapshot = registry.snapshot()
        texts = [(await read(snapshot, alias, INDEX)).content for alias in ("runbook", "wiki")]
    by_alias = "# Runbook" in texts[0] and "# Office wiki" in texts[1]
    observe("by alias" if by_alias else "not at all")


@pytest.mark.goal("c07.climbing")
async def test_a_value_that_climbs_is_not_sent(observe: Observe) -> None:
    frames: list[Frame] = []
    async with connected([RUNBOOK], observer=lambda _, frame: frames.append(frame)) as (
        registry,
        _,
    ):
        snapshot = registry.snapshot()
        assert (await read(snapshot, "runbook", "runbook://page/mail")).ok
        assert uris_sent(frames) == ["runbook://page/mail"]
        frames.clear()
        outcome = await read(snapshot, "runbook", CLIMBING)
    observe(", ".join(uris_sent(frames)) or "nothing")
    assert outcome.code == "mcp_resource_refused"


@pytest.mark.goal("c07.fetch")
async def test_a_link_to_the_web_is_not_fetched(observe: Observe) -> None:
    async with listening() as (url, visits):
        server, lists = linking(url)
        async with connected([server], {"linking": lists}) as (registry, _):
            snapshot = registry.snapshot()
            found = await Invoker().invoke(for_the_lead(snapshot), "mcp__linking__look", {})
            assert url in found.content
            outcome = await read(snapshot, "linking", url)
    observe(len(visits))
    assert outcome.code == "mcp_resource_refused"


@pytest.mark.goal("c07.who-loads")
async def test_a_prompt_is_loaded_by_a_person_alone(observe: Observe) -> None:
    async with connected([RUNBOOK]) as (registry, _):
        snapshot = registry.snapshot()
        messages, _ = await typed(snapshot, HANDOVER)
        codes = await called(snapshot)
    observe(who("its messages" in codes.values(), bool(messages)))
    assert set(codes.values()) == {"unknown_tool"}


@pytest.mark.goal("c07.prompt-role")
async def test_a_prompts_words_are_marked_and_never_the_harness_own(observe: Observe) -> None:
    async with connected([RUNBOOK]) as (registry, _):
        messages, code = await typed(registry.snapshot(), TRIAGE)
    assert not code
    observe(roles_of(messages))


@pytest.mark.goal("c07.vanish")
async def test_all_kinds_vanish_together_when_a_server_is_killed(observe: Observe) -> None:
    lost = anyio.Event()
    async with connected(on_lost=lambda _: lost.set()) as (registry, _):
        seen = await snapshots_around_a_kill(registry, lost)
    observe(left_of(seen))
    assert [len(of("runbook", snapshot)) for snapshot in seen] == [7, 0]
    assert len(of("wiki", seen[-1])) == 2


@pytest.mark.goal("c07.old-snapshot")
async def test_an_old_snapshot_reads_nothing_once_the_server_is_gone(observe: Observe) -> None:
    lost = anyio.Event()
    async with connected([RUNBOOK], on_lost=lambda _: lost.set()) as (registry, _):
        old = registry.snapshot()
        assert (await read(old, "runbook", INDEX)).ok
        await snapshots_around_a_kill(registry, lost)
        outcome = await read(old, "runbook", INDEX)
    observe(code_or(outcome))


@pytest.mark.goal("c07.eras")
async def test_a_read_a_prompt_and_word_of_a_change_work_in_both_eras(observe: Observe) -> None:
    tried = [await tried_in("auto"), await tried_in("legacy")]
    assert [each.revision for each in tried] == ["2026-07-28", "2025-11-25"]
    observe(where_all_worked(tried))

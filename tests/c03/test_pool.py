"""The pool: one connection an alias, and closing for whatever reason leaves nothing."""

from __future__ import annotations

import gc
import os
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chapters.c01 import running_children
from chapters.c02 import Fault, SpecError
from chapters.c03 import (
    AlreadyConnected,
    NamedTool,
    NotConnected,
    PublishError,
    Registry,
    UnknownAlias,
    name_tools,
    open_in_its_own_group,
    open_pool,
)
from tests.servers.harness import STOPPING_SECONDS, hostile_spec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from chapters.c02 import Connection, Frame, Spec
    from chapters.c03 import Owner, Pool

pytestmark = pytest.mark.anyio

GOOD = hostile_spec("well-behaved", alias="good")


async def test_a_second_connect_is_an_error_that_changes_nothing() -> None:
    registry: Registry[NamedTool] = Registry()
    async with open_pool([GOOD], registry, name_tools) as pool:
        await pool.connect("good")
        before = registry.snapshot()
        with pytest.raises(AlreadyConnected):
            await pool.connect("good")
        assert registry.snapshot() is before


async def test_two_connects_at_the_same_moment_are_one_connection() -> None:
    connections: list[Connection] = []
    before = running_children()
    async with open_pool([GOOD], Registry(), name_tools) as pool:

        async def connect() -> None:
            connections.append(await pool.connect("good"))

        async with anyio.create_task_group() as group:
            group.start_soon(connect)
            group.start_soon(connect)
        assert connections[0] is connections[1]
        assert len(running_children() - before) <= 2  # the server, and the shell around it


async def test_an_unknown_alias_and_one_that_is_not_connected_are_told_apart() -> None:
    async with open_pool([GOOD], Registry(), name_tools) as pool:
        with pytest.raises(UnknownAlias):
            await pool.connect("other")
        with pytest.raises(UnknownAlias):
            await pool.disconnect("other")
        with pytest.raises(NotConnected):
            await pool.disconnect("good")


async def test_connecting_can_be_given_up_and_tried_again() -> None:
    silent = hostile_spec("never-answers", connect_timeout=30)
    before = running_children()
    async with open_pool([silent], Registry(), name_tools) as pool:
        for _ in range(2):
            with anyio.move_on_after(0.2) as scope:
                await pool.connect("bad")
            assert scope.cancelled_caught
    assert running_children() == before


async def connect_and_note(pool: Pool[NamedTool], alias: str, codes: list[str]) -> None:
    """Connect, and note the code of the fault that comes of it."""
    try:
        await pool.connect(alias)
    except Fault as fault:
        codes.append(fault.code)


async def test_disconnecting_while_connecting_ends_the_attempt() -> None:
    codes: list[str] = []
    async with (
        open_pool(
            [hostile_spec("never-answers", connect_timeout=30)], Registry(), name_tools
        ) as pool,
        anyio.create_task_group() as group,
    ):
        group.start_soon(connect_and_note, pool, "bad", codes)
        await anyio.wait_all_tasks_blocked()
        await pool.disconnect("bad")
    assert codes == ["mcp_connect_failed"]


async def test_disconnecting_in_the_very_moment_of_connecting_publishes_nothing() -> None:
    """The opener is let go and the pool told to disconnect in one turn of the event loop."""
    go = anyio.Event()
    registry: Registry[NamedTool] = Registry()
    codes: list[str] = []

    @asynccontextmanager
    async def opener(
        spec: Spec, observer: Callable[[Frame], None] | None
    ) -> AsyncIterator[Connection]:
        async with open_in_its_own_group(spec, observer) as connection:
            opened.set()
            await go.wait()
            yield connection

    opened = anyio.Event()
    async with open_pool([GOOD], registry, name_tools, opener=opener) as pool:
        async with anyio.create_task_group() as group:
            group.start_soon(connect_and_note, pool, "good", codes)
            await opened.wait()
            await anyio.wait_all_tasks_blocked()
            go.set()
            await pool.disconnect("good")
        assert len(registry.snapshot()) == 0
        assert pool.connected == ()
    assert codes == ["mcp_connect_failed"]


async def test_one_alias_for_two_specs_is_refused() -> None:
    other = hostile_spec("never-answers", alias="good")
    with pytest.raises(SpecError, match="two specs have the alias 'good'"):
        async with open_pool([GOOD, other], Registry(), name_tools):
            pass


async def test_tools_keep_their_order_whatever_the_order_of_connecting() -> None:
    specs = [hostile_spec("well-behaved", alias=alias) for alias in ("a", "b", "c")]
    orders = []
    for aliases in (["c", "a", "b"], ["b", "c", "a"]):
        registry: Registry[NamedTool] = Registry()
        async with open_pool(specs, registry, name_tools) as pool:
            for alias in aliases:
                await pool.connect(alias)
            orders.append([tool.name for tool in registry.snapshot()])
    assert orders[0] == orders[1] == sorted(orders[0])


async def test_tools_that_cannot_be_published_refuse_the_connection() -> None:
    registry: Registry[NamedTool] = Registry()
    registry.publish(object(), [NamedTool("mcp__good__echo", "good", None, None)])  # type: ignore[arg-type]  # only its name counts
    before = registry.snapshot()
    async with open_pool([GOOD], registry, name_tools) as pool:
        with pytest.raises(Fault) as caught:
            await pool.connect("good")
        assert caught.value.code == "mcp_connect_failed"
        assert PublishError.__name__ in caught.value.detail
    assert registry.snapshot() is before


async def test_an_admission_that_refuses_leaves_nothing_behind() -> None:
    class Refused(Fault):
        code = "mcp_policy_mismatch"
        sentence = "No."

    def refuse(connection: Connection, _: Owner[Any]) -> Sequence[NamedTool]:
        raise Refused(connection.alias)

    before = running_children()
    async with open_pool([GOOD], Registry(), refuse) as pool:
        with pytest.raises(Refused):
            await pool.connect("good")
        assert running_children() == before


@pytest.mark.parametrize("reason", ["end", "exception", "cancellation"])
async def test_leaving_for_whatever_reason_leaves_nothing(reason: str) -> None:
    specs = [hostile_spec("well-behaved", alias=alias) for alias in ("a", "b", "c")]
    registry: Registry[NamedTool] = Registry()
    files, tasks = open_files(), running_tasks()
    lost: list[str] = []
    expected = pytest.raises(LookupError) if reason == "exception" else nullcontext()
    with expected, anyio.CancelScope() as scope:
        async with open_pool(specs, registry, name_tools, on_lost=lost.append) as pool:
            for spec in specs:
                await pool.connect(spec.alias)
            if reason == "exception":
                _ = dict[str, str]()["raised in the body"]
            if reason == "cancellation":
                scope.cancel()
                await anyio.sleep_forever()
    assert lost == []  # leaving is no loss
    assert scope.cancelled_caught == (reason == "cancellation")
    assert len(registry.snapshot()) == 0
    assert running_tasks() == tasks
    gc.collect()
    assert open_files() == files


async def test_leaving_in_the_middle_of_a_call_leaves_nothing(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    seen = tmp_path_factory.mktemp("seen") / "notified"
    registry: Registry[NamedTool] = Registry()
    with anyio.move_on_after(0.5):
        async with open_pool([hostile_spec("hangs-mid-call", seen)], registry, name_tools) as pool:
            await pool.connect("bad")
            await registry.snapshot().tools["mcp__bad__echo"].call({})
    assert len(registry.snapshot()) == 0


async def test_many_that_will_not_go_are_stopped_side_by_side() -> None:
    stubborn = [hostile_spec("ignores-eof-and-sigterm", alias=f"s{n}") for n in range(6)]
    with anyio.fail_after(20):
        async with open_pool(stubborn, Registry(), name_tools) as pool:
            async with anyio.create_task_group() as group:
                for spec in stubborn:
                    group.start_soon(pool.connect, spec.alias)
            closing = anyio.current_time()
    # One after the other they would take four seconds each.
    assert anyio.current_time() - closing < 2 * STOPPING_SECONDS


def open_files() -> int:
    """Count this process's open file descriptors."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0  # noqa: PTH208, PTH112


def running_tasks() -> int:
    """Count the event loop's tasks."""
    return len(anyio.get_running_tasks())

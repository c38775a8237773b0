"""Servers that misbehave: one test for each kind of process, transport, page and call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import psutil
import pytest

from chapters.c02 import ServerSpec
from chapters.c02.pipe.lines import LINE_CHARACTERS
from tests.servers.harness import hostile_spec, neighbours

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("exits-at-once", "mcp_connect_failed"),
        ("never-answers", "mcp_timeout"),
        ("repeats-cursor", "mcp_listing_refused"),
        ("endless-pages", "mcp_listing_refused"),
        ("endless-tools", "mcp_listing_refused"),
        ("lists-no-list", "mcp_listing_refused"),
        ("bad-schema-among-good", "mcp_listing_refused"),
        ("error-on-list", "mcp_listing_refused"),
        ("huge-description", "mcp_connect_failed"),
        ("duplicate-tool", "mcp_name_collision"),
        ("names-collide", "mcp_name_collision"),
        ("control-name", "mcp_name_refused"),
        ("long-name", "mcp_name_refused"),
    ],
)
async def test_connecting_is_refused_and_nothing_is_published(entry: str, code: str) -> None:
    deadline = 2 if code == "mcp_timeout" else 20
    async with neighbours(hostile_spec(entry, connect_timeout=deadline), bound=deadline) as both:
        assert await both.connect() == code
        assert both.names() == []
        assert both.pool.connected == ("good",)
        assert str(both.fault) == f"bad: {both.fault.sentence}"


@pytest.mark.parametrize("program", ["/no/such/program", "/etc/hostname", "/tmp"])
async def test_what_cannot_be_started_fails_to_connect(program: str) -> None:
    async with neighbours(ServerSpec("bad", program), bound=1) as both:
        assert await both.connect() == "mcp_connect_failed"


async def test_a_misfit_in_the_list_is_named_for_the_operator() -> None:
    async with neighbours(hostile_spec("bad-schema-among-good"), bound=2) as both:
        await both.connect()
        assert "'broken'" in both.fault.detail
        assert "tools.1.inputSchema" in both.fault.detail


async def test_a_server_that_only_knows_initialize_connects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The SDK gives server/discover ten seconds, which is its constant and not what is tested here.
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 0.5)
    async with neighbours(hostile_spec("initialize-only"), bound=5) as both:
        assert await both.connect() == "connected"
        assert await both.call("echo") == "{}"


@pytest.mark.parametrize("entry", ["chatty-stdout", "floods-stderr", "not-utf8"])
async def test_noise_does_not_keep_a_server_from_serving(entry: str) -> None:
    async with neighbours(hostile_spec(entry), bound=10) as both:
        assert await both.connect() == "connected"
        assert await both.call("echo", {"a": 1}) == '{"a": 1}'


async def test_half_a_character_costs_that_character_alone() -> None:
    async with neighbours(hostile_spec("half-characters"), bound=5) as both:
        assert await both.connect() == "connected"
        assert await both.call("echo") == '\ufffd \U0001f600 \\ud83d \ufffd"'
        assert await both.call("count") == "mcp_remote_error"
        assert both.fault.detail.strip() == "-32000: half \ufffd"
        assert await both.call("echo")


async def test_an_empty_string_is_a_cursor() -> None:
    async with neighbours(hostile_spec("empty-cursor"), bound=2) as both:
        await both.connect()
        assert both.names() == ["mcp__bad__first", "mcp__bad__second"]


async def test_the_raw_name_goes_on_the_wire() -> None:
    async with neighbours(hostile_spec("dotted-name"), bound=2) as both:
        await both.connect()
        assert await both.call("admin_tools_list") == "admin.tools.list"
        assert await both.call("get_sum") == "get-sum"


async def test_an_exit_answers_all_calls_in_flight() -> None:
    codes = []
    async with neighbours(hostile_spec("exits-mid-call"), bound=2) as both:
        await both.connect()

        async def call(tool: str) -> None:
            codes.append(await both.call(tool))

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(call, "hang")
            await anyio.wait_all_tasks_blocked()
            group.start_soon(call, "crash")
        assert codes == ["mcp_connection_lost"] * 4
        assert both.names() == []
        assert both.lost.aliases == []  # nobody has to be told: a call was answered


async def test_a_timeout_answers_all_calls_in_flight_and_the_server_saw_a_cancellation(
    tmp_path: Path,
) -> None:
    seen = tmp_path / "notified"
    codes = []
    async with neighbours(hostile_spec("hangs-mid-call", seen, call_timeout=0.5), bound=1) as both:
        await both.connect()

        async def call() -> None:
            codes.append(await both.call("echo"))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await anyio.sleep(0.1)  # so that the first deadline is clearly the first one's
            group.start_soon(call)
        assert codes == ["mcp_timeout", "mcp_connection_lost"]
        assert both.names() == []
        assert both.pool.connected == ("good",)
    assert "notifications/cancelled" in seen.read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", ["closes-stdout-and-lives", "endless-line", "huge-answer"])
async def test_a_stream_that_ends_or_never_ends_a_line_is_lost(entry: str) -> None:
    async with neighbours(hostile_spec(entry, call_timeout=20), bound=20) as both:
        await both.connect()
        assert await both.call("echo") == "mcp_connection_lost"
        assert both.names() == []


async def test_the_cap_on_a_line_bounds_memory() -> None:
    async with neighbours(hostile_spec("endless-line", call_timeout=20), bound=20) as both:
        await both.connect()
        before = psutil.Process().memory_info().rss
        await both.call("echo")
        assert psutil.Process().memory_info().rss - before < 16 * LINE_CHARACTERS


@pytest.mark.parametrize("entry", ["ignores-eof", "ignores-eof-and-sigterm", "reads-nothing"])
async def test_a_server_that_will_not_go_is_stopped(entry: str) -> None:
    async with neighbours(hostile_spec(entry), bound=1) as both:
        await both.connect()
        await both.pool.disconnect("bad")


async def test_a_wedged_pipe_does_not_stretch_the_deadline() -> None:
    async with neighbours(hostile_spec("reads-nothing", call_timeout=0.5), bound=1) as both:
        await both.connect()
        with anyio.fail_after(3):  # where the SDK alone would hold the call for five seconds more
            assert await both.call("echo", {"big": "x" * 1_000_000}) == "mcp_timeout"
        assert both.names() == []


@pytest.mark.parametrize("value", ["\ud800", float("nan"), object()])
async def test_what_is_no_json_is_not_sent_and_harms_nobody(value: object) -> None:
    async with neighbours(hostile_spec("well-behaved"), bound=2) as both:
        await both.connect()
        with pytest.raises((TypeError, ValueError)):
            await both.call("echo", {"key": value})
        assert await both.call("count") == "1"


async def test_a_servers_child_goes_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    async with neighbours(hostile_spec("leaves-a-child", pid), bound=2) as both:
        await both.connect()
        child = psutil.Process(int(pid.read_text(encoding="utf-8")))
        await both.pool.disconnect("bad")
        await gone(child)


@pytest.mark.parametrize("entry", ["leaves-an-escaped-child", "kills-its-shell"])
async def test_what_means_to_escape_the_group_can(entry: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    async with neighbours(hostile_spec(entry, pid), bound=2) as both:
        await both.connect()
        child = psutil.Process(int(pid.read_text(encoding="utf-8")))
        await both.pool.disconnect("bad")
        escaped = child.is_running()
        child.kill()
        await gone(child)
    assert escaped


@pytest.mark.parametrize(
    "entry",
    ["closes-stdout-while-idle", "exits-while-idle", "asks-and-never-reads", "prints-for-ever"],
)
async def test_an_end_while_idle_is_noticed_by_the_watchdog(entry: str, tmp_path: Path) -> None:
    async with neighbours(hostile_spec(entry, tmp_path / "go"), bound=2) as both:
        assert await both.connect() == "connected"
        (tmp_path / "go").touch()
        await both.lost.noticed.wait()
        assert both.names() == []
    assert both.lost.aliases == ["bad"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("error-minus32001", "mcp_remote_error"),
        ("error-minus32000", "mcp_remote_error"),
        ("header-mismatch", "mcp_remote_error"),
        ("misfit-result", "mcp_result_unreadable"),
        ("input-required", "mcp_input_required"),
    ],
)
async def test_an_answer_that_is_no_good_is_still_an_answer(entry: str, code: str) -> None:
    async with neighbours(hostile_spec(entry), bound=5) as both:
        await both.connect()
        assert await both.call("echo") == code
        assert both.pool.connected == ("good", "bad")
        assert await both.call("count") == "2"  # that one, and this: nothing was sent again


async def test_an_exploding_output_schema_is_not_run() -> None:
    async with neighbours(hostile_spec("exploding-output-schema"), bound=2) as both:
        await both.connect()
        assert await both.call("echo") == "done"


async def gone(process: psutil.Process) -> None:
    """Wait until a process that is not our child is gone or is a zombie."""
    with anyio.fail_after(5):
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110 - it is not ours to await
            await anyio.sleep(0.01)

"""What a server prints that is no message is told to whoever runs the harness, and to nobody else.

Seen since, on real servers: one spoke with ``Content-Length`` headers, and all that was said was
"timeout".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chapters.c02 import Fault, open_connection
from chapters.c02.pipe.noise import HEADERS, MARKED, SEVERAL_LINES, habit_of
from tests.servers.harness import hostile_spec, neighbours

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("entry", "heard"),
    [
        ("sends-headers", HEADERS),
        ("several-lines", SEVERAL_LINES),
        ("sends-headers", "on stdout were no messages: the first began 'Content-Length: "),
        ("several-lines", "lines on stdout were no messages: the first began '{'"),
        (
            "says-what-it-is",
            "2 lines on stdout were no messages: the first began 'Ok to \\x1b[31mpro",
        ),
    ],
)
async def test_a_deadline_says_what_was_heard_meanwhile(entry: str, heard: str) -> None:
    with pytest.raises(Fault) as caught:
        async with open_connection(hostile_spec(entry, connect_timeout=1)):
            pass
    assert caught.value.code == "mcp_timeout"
    assert heard in caught.value.detail
    assert "\x1b" not in caught.value.detail
    assert len(caught.value.detail) < 500
    assert str(caught.value) == "bad: The server was not connected before the deadline."


async def test_silence_is_not_told_as_noise() -> None:
    with pytest.raises(Fault) as caught:
        async with open_connection(hostile_spec("never-answers", connect_timeout=0.5)):
            pass
    assert caught.value.detail == "after 0.5 seconds"


async def test_a_byte_order_mark_is_left_out_and_named(caplog: pytest.LogCaptureFixture) -> None:
    async with neighbours(hostile_spec("marks-its-bytes"), bound=2) as both:
        assert await both.connect() == "connected"
        assert await both.call("echo", {"a": 1}) == '{"a": 1}'
    assert MARKED in caplog.text


async def test_a_timed_out_call_says_what_was_heard_too(tmp_path: Path) -> None:
    spec = hostile_spec("hangs-mid-call", tmp_path / "notified", call_timeout=0.5)
    async with neighbours(spec, bound=2) as both:
        connection = await both.pool.connect("bad")
        connection.wire.noise.hear("INFO thinking")
        assert await both.call("echo") == "mcp_timeout"
        assert "1 line on stdout was no message: it began 'INFO thinking'" in both.fault.detail


@pytest.mark.parametrize(
    ("line", "habit"),
    [
        ("Content-Length: 12\r", HEADERS),
        ("content-type: application/vscode-jsonrpc", HEADERS),
        ("\ufeff{}", MARKED),
        ("{", SEVERAL_LINES),
        ('{"jsonrpc": "2.0",', SEVERAL_LINES),
        ('  {"a": [', SEVERAL_LINES),
        ("", ""),
        ("{not json", ""),
        ("INFO Content-Length: 12", ""),
        ('{"jsonrpc": "1.0"}', ""),
        ("[" * 100_000, ""),
        ('{"a":' * 100_000, ""),
    ],
)
def test_a_known_habit_is_named_and_no_other(line: str, habit: str) -> None:
    assert habit_of(line) == habit

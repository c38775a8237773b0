"""Bring your own server, as a learner does it: from a file, on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.servers.hostile import command

ROOT = Path(__file__).parent.parent.parent


def write_servers(path: Path, **servers: tuple[str, str]) -> Path:
    """Write a servers file: entry of the catalogue and policy table by alias."""
    lines = []
    for alias, (entry, tools) in servers.items():
        program, args = command(*entry.split("|"))
        lines += [f"[servers.{alias}]", f"command = {json.dumps(program)}"]
        lines += [f"args = {json.dumps(args)}", "call_timeout = 2.0"]
        lines += [f"[servers.{alias}.tools]", tools]
    file = path / "servers.toml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def run(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chapters.c04", "--servers", str(file), *options],
        cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def events(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


GOOD = 'echo = "read"\ncount = "write"\nwhoami = "read"'


def test_everything_that_happens_is_an_event(tmp_path: Path) -> None:
    file = write_servers(
        tmp_path,
        good=("well-behaved", GOOD),
        bad=("names-collide", 'lookup-one = "read"\nlookup_one = "read"'),
        dying=("exits-mid-call", 'crash = "read"\nhang = "read"'),
    )
    done = run(
        file, "--json",
        "--call", "mcp__good__echo", '{"a": 1}',
        "--call", "mcp__good__count", "{}",
        "--call", "mcp__dying__crash", "{}",
        "--call", "mcp__none__none", "{",
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == ""
    seen = events(done)
    assert {
        "event": "connected",
        "alias": "good",
        "tools": ["mcp__good__count", "mcp__good__echo", "mcp__good__whoami"],
    } in seen
    refused = next(event for event in seen if event["event"] == "refused")
    assert (refused["alias"], refused["code"]) == ("bad", "mcp_name_collision")
    results = [event for event in seen if event["event"] == "result"]
    assert [(event["ok"], event["code"]) for event in results] == [
        (True, None),
        (False, "permission_denied"),
        (False, "mcp_connection_lost"),
        (False, "unknown_tool"),
    ]
    assert results[0]["content"] == '{"a": 1}'
    assert {"event": "lost", "alias": "dying", "code": "mcp_connection_lost"} in seen
    assert seen[-1] == {"event": "end"}


def test_all_well_is_status_0_and_approve_allows_writes(tmp_path: Path) -> None:
    file = write_servers(tmp_path, good=("well-behaved", GOOD))
    done = run(file, "--approve", "--call", "mcp__good__count", "{}")
    assert done.returncode == 0, done.stdout
    assert "good: published 3, exposed 3" in done.stdout
    assert "write  mcp__good__count" in done.stdout
    assert "mcp__good__count: ok\n  1" in done.stdout


def test_the_operators_view_names_what_did_not_match(tmp_path: Path) -> None:
    file = write_servers(tmp_path, good=("well-behaved", 'echo = "read"'))
    done = run(file, "--detail")
    assert done.returncode == 1
    assert "published 3, exposed 0" in done.stdout
    assert "whoami" not in done.stdout
    assert "not in the policy: ['count', 'whoami']" in done.stderr


def test_a_draft_is_a_policy_of_writes_and_its_comments_stay_comments(tmp_path: Path) -> None:
    file = write_servers(tmp_path, bad=("hostile-description", ""))
    done = run(file, "--draft", "bad")
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(done.stdout) == {"servers": {"bad": {"tools": {"echo": "write"}}}}
    assert "\x1b" not in done.stdout
    assert "# the server says: \\u{1b}[31mred" in done.stdout


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--servers", "/no/such/file"], "cannot be read"),
        (["--call", "a", "{}"], "go with --servers FILE"),
    ],
)
def test_a_wrong_command_line_is_status_2(options: list[str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chapters.c04", *options],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_draft_of_an_alias_that_is_not_there_is_status_2(tmp_path: Path) -> None:
    done = run(write_servers(tmp_path, good=("well-behaved", GOOD)), "--draft", "other")
    assert done.returncode == 2
    assert "there is no [servers.other]" in done.stderr

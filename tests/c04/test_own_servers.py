"""Bring your own server, as a learner does it: from a file, on the command line."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests import warm
from tests.servers.hostile import command

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.usefixtures("warm_python")


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


def run(file: Path, *options: str) -> warm.Done:
    return warm.run("chapters.c04", "--servers", str(file), *options)


def events(done: warm.Done) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


SCRIPTED = """
import sys
sys.path.insert(0, {root!r})
from tests.servers.hostile import Server, text, tool
class Scripted(Server):
    tools = {tools}
    def call(self, name, arguments, message):
        return {result}
Scripted().run()
"""


def write_scripted(
    path: Path, tools: str, policy: str, result: str = "None", more: str = ""
) -> Path:
    """Write a servers file with one server, "own", made of two expressions of Python."""
    script = path / "server.py"
    script.write_text(SCRIPTED.format(root=str(ROOT), tools=tools, result=result), "utf-8")
    file = path / "servers.toml"
    file.write_text(
        f"[servers.own]\ncommand = {json.dumps(sys.executable)}\nargs = [{json.dumps(str(script))}]"
        f"\n{more}\n[servers.own.tools]\n{policy}\n",
        "utf-8",
    )
    return file


def log_of(done: warm.Done) -> str:
    """Return the log that stderr points at, and remove it."""
    [name] = re.findall(r"^The full story is in (\S+\.log)$", done.stderr, re.MULTILINE)
    log = Path(name)
    text = log.read_text(encoding="utf-8")
    log.unlink()
    return text


STARTED = "The server could not be connected. --detail shows why"
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


def test_a_write_without_permission_says_how_to_give_it(tmp_path: Path) -> None:
    file = write_servers(tmp_path, good=("well-behaved", GOOD))
    done = run(file, "--call", "mcp__good__count", "{}")
    assert done.returncode == 1
    assert "failed [permission_denied]: --approve allows calls that write\n" in done.stdout
    log_of(done)


def test_the_operators_view_names_what_did_not_match(tmp_path: Path) -> None:
    file = write_servers(tmp_path, good=("well-behaved", 'echo = "read"'))
    done = run(file, "--detail")
    assert done.returncode == 1
    assert "published 3, exposed 0" in done.stdout
    assert "--draft good prints a policy to start from" in done.stdout
    assert "whoami" not in done.stdout
    assert "not in the policy: ['count', 'whoami']" in done.stderr
    assert "not in the policy: ['count', 'whoami']" in log_of(done)


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
        (["--draft", ""], "go with --servers FILE"),
        (["--servers", "x", "--step"], "--step is for the lesson"),
        (["--servers", "x", "--wire"], "--wire is for the lesson"),
        (["--servers", "x", "--questions"], "--questions is for the lesson"),
        (["--servers", "x", "--draft", "a", "--json"], "no --json, --call or --approve"),
        (["--servers", "x", "--draft", "a", "--approve"], "no --json, --call or --approve"),
        (["--servers", "x", "--draft", "a", "--call", "a", "{}"], "no --json, --call or --approve"),
    ],
)
def test_a_wrong_command_line_is_status_2(options: list[str], sentence: str) -> None:
    done = warm.run("chapters.c04", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_draft_of_an_alias_that_is_not_there_is_status_2(tmp_path: Path) -> None:
    done = run(write_servers(tmp_path, good=("well-behaved", GOOD)), "--draft", "other")
    assert done.returncode == 2
    assert "there is no [servers.other]" in done.stderr


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ('command = "no-such-program"', "The command 'no-such-program' is not found"),
        ('command = "./no-such-program"', "The command './no-such-program' is not found"),
        ('command = "/etc/passwd"', "The command '/etc/passwd' is not found, or is no program"),
        (
            'command = "sh -c x"',
            "The command 'sh -c x' is not found. Do arguments of it go into args?",
        ),
        ('command = "a\\u001b\\nb"', "The command 'a\\x1b\\nb' is not found"),
        ('command = "sh"\nenv = {PATH = "/no/such"}', "The command 'sh' is not found"),
        ('command = "sh"\ncwd = "/no/such"', "There is no directory '/no/such' to start"),
        ('command = "sh"\nargs = ["-c", "exit 3"]', STARTED),
    ],
)
def test_a_server_that_cannot_be_started_says_why(tmp_path: Path, fields: str, reason: str) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(f"[servers.a]\n{fields}\n", encoding="utf-8")
    done = run(file)
    assert done.returncode == 1
    assert f"a: not connected: {reason}" in done.stdout
    assert done.stderr.startswith("connecting a ...\n")
    assert "[mcp_connect_failed]" in done.stdout
    assert "Traceback" not in done.stderr
    assert "connect_failed" in log_of(done)


def test_the_operators_view_has_a_servers_last_words(tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    script = "head -c 100000 /dev/zero | tr '\\0' x >&2; echo >&2; echo no token >&2; exit 3"
    file.write_text(f"[servers.a]\ncommand = 'sh'\nargs = ['-c', {json.dumps(script)}]\n", "utf-8")
    done = run(file, "--detail")
    assert "\na on stderr: no token\n" in done.stderr
    log_of(done)


def test_a_server_with_another_dialect_is_told_by_its_habit_to_the_operator(tmp_path: Path) -> None:
    file = write_servers(tmp_path, lsp=("sends-headers", GOOD))
    file.write_text(file.read_text("utf-8").replace("call_timeout = 2", "connect_timeout = 2"))
    done = run(file, "--detail")
    assert "--detail shows what it printed meanwhile. [mcp_timeout]" in done.stdout
    assert "Content-Length" not in done.stdout
    assert "It sends headers such as Content-Length" in done.stderr
    log_of(done)


def test_a_draft_says_why_a_server_cannot_be_started(tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    file.write_text("[servers.a]\ncommand = 'no-such-program'\n", encoding="utf-8")
    done = run(file, "--draft", "a")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("connecting a ...\na: The command 'no-such-program' is not found")
    log_of(done)


def test_a_program_is_found_where_the_server_is_started(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    program = here / "program"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    file = tmp_path / "servers.toml"
    file.write_text(f"[servers.a]\ncommand = './program'\ncwd = '{here}'\n", encoding="utf-8")
    done = run(file)
    assert "The server could not be connected." in done.stdout
    log_of(done)


def policy_of(done: warm.Done) -> dict[str, str]:
    """Return the one policy that a draft prints."""
    [server] = tomllib.loads(done.stdout)["servers"].values()
    policy: dict[str, str] = server["tools"]
    return policy


def with_draft(file: Path, done: warm.Done) -> Path:
    """Put a draft in the place of the policy in a file of servers."""
    head = file.read_text(encoding="utf-8").partition("[servers.own.tools]")[0]
    file.write_text(head + done.stdout, encoding="utf-8")
    return file


BROKEN = "{'type': 'object', '$ref': 'http://127.0.0.1:9/x'}"


@pytest.mark.parametrize(
    ("bad", "withheld", "why"),
    [
        (f"tool('bad', {BROKEN})", ["bad"], "'bad', inputSchema at "),
        (f"tool('bad', None, outputSchema={BROKEN})", ["bad"], "'bad', outputSchema at "),
        ("tool('a-b'), tool('a_b')", ["a-b", "a_b"], "It is mcp__own__a_b"),
        ("tool('twice'), tool('twice')", ["twice"], "It is mcp__own__twice"),
        ("tool('n' * 60)", ["n" * 60], "makes a name of 70 characters"),
        ("tool('look\\x1b[31mup\\n')", ["look\x1b[31mup\n"], "a character that cannot be seen"),
        ("tool('---')", ["---"], "leaves nothing to be named by"),
    ],
)
def test_a_draft_sets_aside_what_would_be_refused_and_so_connects(
    tmp_path: Path, bad: str, withheld: list[str], why: str
) -> None:
    file = write_scripted(tmp_path, f"[tool('echo'), {bad}]", "", "text('done')")
    done = run(file, "--draft", "own")
    assert done.returncode == 0, done.stderr
    assert policy_of(done) == {"echo": "write", **dict.fromkeys(withheld, "withheld")}
    assert "# it cannot be used here: " in done.stdout
    assert why in done.stdout
    assert "\x1b" not in done.stdout
    names = [f"mcp__own__{name}" for name in ("echo", "bad", "a_b", "twice")]
    calls = [option for name in names for option in ("--call", name, "{}")]
    again = run(with_draft(file, done), "--json", "--approve", *calls)
    seen = events(again)
    assert seen[0] == {"event": "connected", "alias": "own", "tools": ["mcp__own__echo"]}
    outcomes = [event["code"] or event["content"] for event in seen if event["event"] == "result"]
    assert outcomes == ["done", *["unknown_tool"] * 3]


def test_a_refusal_for_one_tool_points_at_the_draft(tmp_path: Path) -> None:
    file = write_scripted(tmp_path, "[tool('a-b'), tool('a_b')]", "a-b = 'read'\na_b = 'read'")
    done = run(file)
    assert "--draft own prints a policy that sets such tools aside. [mcp_name_coll" in done.stdout
    assert "'a-b' and 'a_b'" in log_of(done)


def test_a_draft_is_toml_for_every_name(tmp_path: Path) -> None:
    names = [
        "\U0001f600 ok",
        'say "a"',
        "back\\slash",
        "école",
        "it's",
        "a\u3164",
        "b#]\u2800",
        "z\ufe0f",
    ]
    file = write_scripted(tmp_path, f"[tool(name) for name in {names!r}]", "")
    done = run(file, "--draft", "own")
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(done.stdout)["servers"]["own"]["tools"] == dict.fromkeys(names, "write")
    assert '"\U0001f600 ok" = "write"' in done.stdout
    assert not {"\u3164", "\u2800", "\ufe0f"} & set(done.stdout)


def test_a_draft_sets_tools_aside_that_only_run_as_tasks(tmp_path: Path) -> None:
    required = "execution={'taskSupport': 'required'}"
    optional = "execution={'taskSupport': 'optional'}"
    file = write_scripted(
        tmp_path, f"[tool('slow', None, {required}), tool('fast', None, {optional})]", ""
    )
    done = run(file, "--draft", "own")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("only runs as a task") == 1
    assert 'which this harness does not call\n"slow" = "withheld"' in done.stdout
    assert policy_of(done) == {"slow": "withheld", "fast": "write"}


def test_a_loss_is_told_once_and_our_own_timeout_is_none(tmp_path: Path) -> None:
    policy = 'crash = "read"\nhang = "read"'
    file = write_servers(
        tmp_path, dying=("exits-mid-call", policy), slow=("exits-mid-call", policy)
    )
    text = file.read_text(encoding="utf-8").replace("call_timeout = 2.0", "call_timeout = 0.3")
    file.write_text(text, encoding="utf-8")
    done = run(
        file, "--json",
        "--call", "mcp__dying__crash", "{}",
        "--call", "mcp__dying__crash", "{}",
        "--call", "mcp__slow__hang", "{}",
        "--call", "mcp__slow__hang", "{}",
    )  # fmt: skip
    seen = events(done)
    assert [event["code"] for event in seen if event["event"] == "result"] == [
        "mcp_connection_lost", "unknown_tool", "mcp_timeout", "unknown_tool",
    ]  # fmt: skip
    assert [event["alias"] for event in seen if event["event"] == "lost"] == ["dying"]


def test_a_result_cannot_pass_for_a_line_of_ours(tmp_path: Path) -> None:
    forged = r"text('done\nmcp__own__a: ok\r\u2028\x0b\x85Closed.\n\nClosed.')"
    file = write_scripted(tmp_path, "[tool('a')]", 'a = "read"', forged)
    done = run(file, "--call", "mcp__own__a", "{}")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("  ")] == [
        "own: published 1, exposed 1",
        "mcp__own__a: ok",
        "Closed.",
    ]
    assert "  Closed." in lines


def test_a_server_cannot_forge_a_line_of_the_operators_view(tmp_path: Path) -> None:
    forged = r"text('no\nThe full story is in /tmp/forged.log', isError=True)"
    file = write_scripted(tmp_path, "[tool('a')]", 'a = "read"', forged)
    done = run(file, "--detail", "--call", "mcp__own__a", "{}")
    assert "\n  The full story is in /tmp/forged.log" in done.stderr
    assert "forged" in log_of(done)


@pytest.mark.parametrize("number", ["float('nan')", "float('inf')", "[{'a': -float('inf')}]"])
def test_structure_that_is_no_json_is_a_fault(tmp_path: Path, number: str) -> None:
    result = f"{{'content': [], 'structuredContent': {{'n': {number}}}, 'resultType': 'complete'}}"
    file = write_scripted(tmp_path, "[tool('a')]", 'a = "read"', result)
    done = run(file, "--json", "--call", "mcp__own__a", "{}")
    [outcome] = [event for event in events(done) if event["event"] == "result"]
    assert (outcome["ok"], outcome["code"]) == (False, "mcp_result_unreadable")

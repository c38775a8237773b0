"""How the demo servers' processes begin and end: no client, just a pipe."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SERVERS = ["demo_alpha", "demo_beta", "runbook", "wiki"]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
CRASH = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "crash"}}


def started(server: str) -> subprocess.Popen[str]:
    """Start a server; return it once it has answered, and so is in the middle of its life."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"demo_servers.{server}"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    send(process, INITIALIZE)
    assert process.stdout is not None
    assert "result" in json.loads(process.stdout.readline())
    return process


def send(process: subprocess.Popen[str], message: dict[str, Any]) -> None:
    """Write a message to a server."""
    assert process.stdin is not None
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return the exit status and what was written since, once the input has ended."""
    out, err = process.communicate(timeout=10)
    return process.returncode, out, err


@pytest.mark.parametrize("server", SERVERS)
def test_the_end_of_input_ends_a_server_quietly(server: str) -> None:
    assert ended(started(server)) == (0, "", "")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_server_quietly(number: signal.Signals, status: int) -> None:
    process = started("demo_alpha")
    process.send_signal(number)
    assert process.wait(timeout=10) == status
    assert ended(process) == (status, "", "")


def test_a_crash_ends_the_process_in_the_middle_of_the_call() -> None:
    process = started("demo_alpha")
    send(process, CRASH)
    assert process.wait(timeout=10) == 1
    assert ended(process) == (1, "", "")


@pytest.mark.parametrize("server", SERVERS)
def test_an_argument_is_refused_with_a_sentence(server: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"demo_servers.{server}", "--no-such-option"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "unrecognized arguments" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_signal_that_comes_before_the_sdk_is_imported_ends_a_server_quietly() -> None:
    program = (
        "import os, signal, sys\n"
        "from demo_servers.starting import begin\n"
        "sys.argv = ['demo_alpha']\n"
        "begin('demo_alpha')\n"
        "assert 'mcp' not in sys.modules\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")

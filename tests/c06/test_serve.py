"""``--serve``, as a reader with a client of their own meets it."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest

from tests import warm

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent
SERVE = [sys.executable, "-u", "-m", "chapters.c06", "--serve"]

pytestmark = pytest.mark.usefixtures("warm_python")


@contextmanager
def serve(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Serve for as long as the context lasts, and see it end well by Ctrl-C."""
    with subprocess.Popen(
        [*SERVE, *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        yield server
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate()
    assert server.returncode == 130
    assert "Interrupted." in errors


def test_what_is_printed_is_all_one_needs() -> None:
    with serve() as server:
        assert server.stdout
        serving, _, header, trying = (server.stdout.readline() for _ in range(4))
        url = serving.split()[1]
        name, _, token = header.strip().partition(": ")
        assert trying == f"Try: curl -i {url}\n"
        statuses = [
            httpx2.get(url, headers=headers).status_code
            for headers in (
                {"Host": "attacker.example", name: token},
                {"Origin": "http://attacker.example", name: token},
                {},
            )
        ]
        hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        let_in = httpx2.post(url, headers={name: token}, json=hello).status_code
    assert statuses == [421, 403, 401]
    assert let_in not in {401, 403, 421}


def test_the_same_is_one_event() -> None:
    with serve("--json") as server:
        assert server.stdout
        event = json.loads(server.stdout.readline())
        assert event.keys() == {"event", "url", "token"}
        assert httpx2.get(event["url"]).status_code == 401


def test_a_port_that_is_taken_is_status_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = warm.run("chapters.c06", "--serve", "--port", port)
    assert done.returncode == 2
    assert f"We cannot have port {port}" in done.stdout + done.stderr


@pytest.mark.parametrize("option", ["--browser", "--wire", "--step", "--questions", "--wrong=x"])
def test_options_of_the_lesson_do_not_go_with_it(option: str) -> None:
    done = warm.run("chapters.c06", "--serve", option)
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not go with --serve" in done.stderr

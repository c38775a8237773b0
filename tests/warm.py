"""A Python that has imported the book already, for tests that run a great many short programs.

Most of what such a program takes is importing the SDK. So each worker of pytest starts one process
that imports the chapters and then waits; a program is run in a fork of it. That is a process of its
own, with streams, signals and an exit status of its own, as ``python -m`` would have started it a
second ago. What depends on how an interpreter starts, or is told signals, starts one instead.

In a test module: ``pytestmark = pytest.mark.usefixtures("warm_python")``, then :func:`run`.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import runpy
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import chapters

ROOT = Path(__file__).parent.parent
REQUEST_BYTES = 1 << 16
NOT_IMPORTED = ("__main__", "wrong", "instead")
"""The ends of names: a program is run, and a wrong answer put in, each for itself."""

Done = subprocess.CompletedProcess[str]


class WarmPython:
    """The process that waits, seen from the tests."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
                cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
            )  # fmt: skip

    def run(self, command: list[str], given: str) -> Done:
        """Run a module in a fork, and return how it ended and what it wrote."""
        reading, writing = os.pipe()
        with os.fdopen(reading) as stdin, os.fdopen(writing, "w") as typed:
            typed.write(given)  # a few lines, which a pipe holds
            typed.close()
            with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
                streams = [stdin.fileno(), out.fileno(), err.fileno()]
                socket.send_fds(self._socket, [json.dumps(command).encode()], streams)
                status = json.loads(self._socket.recv(REQUEST_BYTES))
                out.seek(0)
                err.seek(0)
                return Done(command, status, out.read(), err.read())

    def end(self) -> None:
        """End the process that waits."""
        self._socket.close()
        self._process.wait()


_waiting: list[WarmPython] = []


def start() -> None:
    """Start the process that waits, where this system has forks."""
    if hasattr(os, "fork"):
        _waiting.append(WarmPython())


def end() -> None:
    """End it."""
    while _waiting:
        _waiting.pop().end()


def run(*command: str, given: str = "") -> Done:
    """Run ``python -m`` with these words, type ``given`` into it, and return what it wrote."""
    if _waiting:
        return _waiting[0].run(list(command), given)
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT, input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def import_the_book() -> None:
    """Import every module that a program of the book may need."""
    for module in pkgutil.walk_packages(chapters.__path__, "chapters."):
        if module.name.rpartition(".")[2] not in NOT_IMPORTED:
            importlib.import_module(module.name)


def next_program(requests: socket.socket) -> list[str]:
    """Return in a fork for each request, with the words of its command; end with the requests."""
    while True:
        message, streams, _, _ = socket.recv_fds(requests, REQUEST_BYTES, 3)
        if not message:
            sys.exit()
        child = os.fork()
        if not child:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            command: list[str] = json.loads(message)
            return command
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        requests.send(json.dumps(os.waitstatus_to_exitcode(status)).encode())


def main() -> None:
    """Wait for programs to run."""
    import_the_book()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        module, *sys.argv[1:] = next_program(requests)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

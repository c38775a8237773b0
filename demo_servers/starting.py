"""How a server's process begins and ends: few arguments, and quiet whenever it is told to go.

This imports nothing of the SDK, so that it is in force before the SDK's second of imports begins.
"""

from __future__ import annotations

import argparse
import os
import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """How to serve: over stdin and stdout, or over HTTP on a port of this machine."""

    http: bool
    port: int
    unguarded: bool


def begin(name: str) -> Way:
    """Prepare this process to be the server ``name``, and return how it was asked to serve.

    Raises SystemExit with status 2, and a sentence on stderr, for arguments that make no sense.
    From here on SIGINT and SIGTERM end the process at once and without a traceback, with the
    shell's status for them: 130 and 143.
    """
    parser = argparse.ArgumentParser(prog=f"python -m demo_servers.{name}")
    parser.add_argument("--http", action="store_true", help="serve Streamable HTTP on 127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="with --http; 0 picks one and says it")
    parser.add_argument(
        "--unguarded", action="store_true", help="with --http: without the SDK's Host check"
    )
    given = parser.parse_args()
    if not given.http and (given.port or given.unguarded):
        parser.error("--port and --unguarded go with --http")
    if not 0 <= given.port <= 65535:
        parser.error("--port should be from 0 to 65535")
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not an exception: the thread that reads stdin would keep the interpreter from leaving.
        signal.signal(number, lambda number, _: os._exit(128 + number))
    return Way(given.http, given.port, given.unguarded)

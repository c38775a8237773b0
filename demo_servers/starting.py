"""How a server's process begins and ends: no arguments, and quiet whenever it is told to go.

This imports nothing of the SDK, so that it is in force before the SDK's second of imports begins.
"""

from __future__ import annotations

import os
import signal
import sys


def begin(name: str) -> None:
    """Prepare this process to be the server ``name``.

    Raises SystemExit with status 2, and a sentence on stderr, if there are arguments. From here on
    SIGINT and SIGTERM end the process at once and without a traceback, with the shell's status for
    them: 130 and 143.
    """
    if len(sys.argv) > 1:
        sys.stderr.write(f"{name} takes no arguments.\n")
        raise SystemExit(2)
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not an exception: the thread that reads stdin would keep the interpreter from leaving.
        signal.signal(number, lambda number, _: os._exit(128 + number))

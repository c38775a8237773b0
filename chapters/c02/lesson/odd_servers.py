"""Two servers that misbehave, each a line of Python around what a real one does."""

from __future__ import annotations

import sys
from dataclasses import replace

from chapters.c02.lesson.demo import DEMO_BETA

GREET_THEN_SERVE = """
import runpy, sys
print("Welcome! The server is starting.", flush=True)
runpy.run_module("demo_servers.demo_beta", run_name="__main__")
"""

READ_AND_NEVER_ANSWER = """
import sys
for line in sys.stdin:
    pass
"""

CHATTY = replace(DEMO_BETA, alias="chatty", command=sys.executable, args=("-c", GREET_THEN_SERVE))
SILENT = replace(
    DEMO_BETA,
    alias="silent",
    command=sys.executable,
    args=("-c", READ_AND_NEVER_ANSWER),
    connect_timeout=1.0,
)

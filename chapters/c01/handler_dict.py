"""The counterexample: a client whose ``tools/call`` is a dict lookup.

It is written with care and it works, as many tutorials' do. It has the method names of MCP, the
shape of its results, a timeout parameter. What it does not have is another process.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFINITIONS = {"server alias": "The stable local name that stands for a server."}


# --8<-- [start:client]
class HandlerDictClient:
    """A 'client' for a 'server' that is a dict of functions."""

    def __init__(self, handlers: Mapping[str, Callable[..., Any]]) -> None:
        self._handlers = handlers

    async def list_tools(self) -> list[str]:
        """Answer 'tools/list' with the dict's keys."""
        return list(self._handlers)

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        timeout: float = 30.0,  # noqa: ARG002, ASYNC109 - accepted and unused, as tutorials have it
    ) -> str:
        """Answer 'tools/call' with a function call. Raises LookupError for an unknown tool."""
        if name not in self._handlers:
            raise LookupError(f"unknown tool: {name}")
        return str(self._handlers[name](**arguments))
        # --8<-- [end:client]


def lookup(key: str) -> str:
    """Look a term up."""
    return DEFINITIONS[key]


def wait(seconds: float) -> str:
    """Take some time."""
    time.sleep(seconds)
    return f"waited {seconds} seconds"


def crash() -> str:
    """End the server's process, whosever that is."""
    sys.exit(1)


def witness() -> str:
    """Tell what the server sees of itself, as JSON."""
    return f'{{"pid": {os.getpid()}, "cancelled": 0}}'


HANDLERS: dict[str, Callable[..., Any]] = {
    "lookup": lookup,
    "wait": wait,
    "crash": crash,
    "witness": witness,
}

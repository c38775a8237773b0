"""demo_alpha: looks up this book's terms, and has the tools that make things go wrong."""

from __future__ import annotations

from demo_servers.starting import begin

if __name__ == "__main__":
    WAY = begin("demo_alpha")  # before the SDK's imports, which take a second

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from mcp.types import CallToolResult, Tool

from demo_servers.serving import (
    ServedTool,
    failure,
    make_server,
    run,
    seconds,
    string,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.lowlevel import Server

TERMS = {
    "server alias": "The stable local name that stands for a server. Local.",
    "connection": "A negotiated, living protocol session for one alias. Runtime state.",
    "published tool": "What a server said of a tool in tools/list. External data.",
    "tool policy": "The effect that the local owner gives a remote tool. Local.",
    "exposed tool": "A tool that, after checking, is really offered here. A local capability.",
    "registry snapshot": "The set of tools that one model request and its reply share. Immutable.",
    "watchdog": "What notices that a server died while nobody called it.",
    "envelope": "What a model gets of a call: written here, without a word of the server's errors.",
    "effect": "What a tool may do, as its local owner says: read or write.",
    "owner": "The one task that enters a connection, publishes its tools and revokes them.",
}

PRIVATE_FAILURE = (
    "cannot open /srv/alpha/private/accounts.db with token sk-demo-0000-not-a-real-one"
)

NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass
class Witness:
    """What this server has seen of its own life."""

    calls: int = 0
    cancelled: int = 0

    def called(self) -> None:
        """Count a call."""
        self.calls += 1


def make_alpha() -> Server[Any]:
    """Return the server."""
    seen = Witness()

    async def lookup(arguments: Mapping[str, Any]) -> CallToolResult:
        key = string(arguments, "key")
        if key not in TERMS:
            return failure(f"There is no such term. The terms are: {', '.join(TERMS)}.")
        return text(TERMS[key])

    async def wait(arguments: Mapping[str, Any]) -> CallToolResult:
        time = seconds(arguments, "seconds", most=60)
        try:
            await anyio.sleep(time)
        except anyio.get_cancelled_exc_class():
            seen.cancelled += 1
            raise
        return text(f"waited {time:g} seconds")

    async def fail(_: Mapping[str, Any]) -> CallToolResult:
        return failure(PRIVATE_FAILURE)

    async def crash(_: Mapping[str, Any]) -> CallToolResult:
        os._exit(1)

    async def witness(_: Mapping[str, Any]) -> CallToolResult:
        report = {
            "pid": os.getpid(),
            "calls": seen.calls,
            "cancelled": seen.cancelled,
            "environment": sorted(os.environ),
        }
        result = text(json.dumps(report))
        result.structured_content = report
        return result

    return make_server(
        "demo_alpha",
        [
            ServedTool(LOOKUP, lookup),
            ServedTool(WAIT, wait),
            ServedTool(FAIL, fail),
            ServedTool(CRASH, crash),
            ServedTool(WITNESS, witness),
        ],
        page=2,
        before_call=seen.called,
    )


LOOKUP = Tool(
    name="lookup",
    description="Looks up one of this book's terms.",
    input_schema={
        "type": "object",
        "properties": {"key": {"type": "string", "description": "such as: server alias"}},
        "required": ["key"],
        "additionalProperties": False,
    },
)
WAIT = Tool(
    name="wait",
    description="Takes the given number of seconds, then answers.",
    input_schema={
        "type": "object",
        "properties": {"seconds": {"type": "number", "minimum": 0, "maximum": 60}},
        "required": ["seconds"],
        "additionalProperties": False,
    },
)
FAIL = Tool(
    name="fail",
    description="Reports a business error that says more than it should.",
    input_schema=NOTHING,
)
CRASH = Tool(
    name="crash",
    description="Ends the server's process in the middle of the call.",
    input_schema=NOTHING,
)
WITNESS = Tool(
    name="witness",
    description="Tells what the server sees of itself.",
    input_schema=NOTHING,
    output_schema={
        "type": "object",
        "properties": {
            "pid": {"type": "integer"},
            "calls": {"type": "integer"},
            "cancelled": {"type": "integer"},
            "environment": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["pid", "calls", "cancelled", "environment"],
    },
)

if __name__ == "__main__":
    run(make_alpha(), WAY)

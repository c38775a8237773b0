"""A policy to start from: what a server publishes, every tool called a write or set aside."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from mcp.types import JSONRPCResponse

from chapters.c02 import Fault, Frame, published_tools
from chapters.c03 import open_in_its_own_group
from chapters.c04.cleaning import cleaned
from chapters.c04.lesson.own.reasons import reason_of
from chapters.c04.lesson.own.setting_aside import to_set_aside
from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chapters.c02 import Connection
    from chapters.c02.connection import Walk
    from chapters.c04.policy import AllowedServer

COMMENT_CHARACTERS = 400
LEGEND = """\
# "read": it runs unasked. "write": only with your permission, so this is the cautious choice.
# "withheld": it has to be published, and nobody can use it."""

logger = logging.getLogger(__name__)


async def draft(
    server: AllowedServer,
    *,
    walk: Walk = published_tools,
    more: Callable[[Connection], Iterable[str]] = lambda _: (),
) -> int:
    """Connect once without exposing anything, and print a policy that will connect.

    Tools that would be refused are withheld, each with its reason. ``walk`` reads the server's
    lists, and ``more`` returns the draft's lines for those beside the tools. Returns the exit
    status.
    """
    alias = server.spec.alias
    frames: list[Frame] = []
    try:
        async with open_in_its_own_group(server.spec, frames.append, walk=walk) as connection:
            tasks = "it only runs as a task, which this harness does not call"
            reasons = dict.fromkeys(only_tasks(frames), tasks) | await to_set_aside(connection)
            lines = [LEGEND, f"[servers.{alias}.tools]"]
            for tool in {tool.name: tool for tool in connection.tools}.values():
                claims = ", ".join(f"{name}={value!r}" for name, value in tool.claims.items())
                lines.append(f"# the server says: {comment(tool.description)}")
                if claims:
                    lines.append(f"# the server claims: {comment(claims)}")
                if tool.name in reasons:
                    lines.append(f"# it cannot be used here: {comment(reasons[tool.name])}")
                effect = "withheld" if tool.name in reasons else "write"
                lines.append(f'{toml_key(tool.name)} = "{effect}"')
            lines += more(connection)
    except Fault as fault:
        reason = reason_of(fault, server.spec)
        print(f"{alias}: {reason} [{fault.code}]", file=sys.stderr)
        logger.warning("%s", fault.detail)
        return 1
    print("\n".join(lines))
    return 0


def only_tasks(frames: Iterable[Frame]) -> set[str]:
    """Return the names of the tools that are listed with ``execution.taskSupport`` "required"."""
    names: set[str] = set()
    for frame in frames:
        match frame.message:
            case JSONRPCResponse(result={"tools": [*tools]}):
                for tool in tools:
                    match tool:
                        case {"name": str(name), "execution": {"taskSupport": "required"}}:
                            names.add(name)
    return names


def comment(text: str) -> str:
    """Return a server's text on one line, so that it cannot break out of a comment."""
    return cleaned(" ".join(text.split()), COMMENT_CHARACTERS) or "(nothing)"


def toml_key(name: str) -> str:
    """Return a name as a TOML key: a basic string, with escapes for what cannot be seen."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if is_seen(c) else f"\\U{ord(c):08x}" for c in escaped) + '"'

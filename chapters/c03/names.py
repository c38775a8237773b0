"""Local names: what a server's tool is called here.

A local name is ``mcp__<alias>__<tool>``, at most 64 characters from ``[A-Za-z0-9_]``, since the
strictest model provider takes no more. In the tool's part every other character becomes ``_``, and
the raw name goes on the wire. Two tools of one server that would become one name refuse the whole
connection, and so does a name that comes out too long or empty: nothing is renumbered, hashed or
cut, because such a name would depend on what else is connected. A local name is looked up and
never parsed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chapters.c02 import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME_LENGTH = 64
_NOT_LEGAL = re.compile(r"[^A-Za-z0-9_]")


class NameRefused(Fault):
    """A published name cannot be made a local one."""

    code = "mcp_name_refused"
    sentence = "The server publishes a name that cannot be used here."


class NameCollision(Fault):
    """Two published tools would get one local name."""

    code = "mcp_name_collision"
    sentence = "Two of the server's names would become the same one here."


# --8<-- [start:local-name]
def local_name(alias: str, tool: str) -> str:
    """Return the local name of a server's tool. Raises :class:`NameRefused`."""
    part = _NOT_LEGAL.sub("_", tool)
    name = f"mcp__{alias}__{part}"
    if not part.strip("_"):
        raise NameRefused(alias, f"{tool!r:.100} leaves nothing to be named by")
    if not tool.isprintable():
        raise NameRefused(alias, f"{tool!r:.100} has a character that cannot be seen")
    if len(name) > NAME_LENGTH:
        raise NameRefused(alias, f"{tool!r:.100} makes a name of {len(name)} characters")
    return name
    # --8<-- [end:local-name]


def local_names(alias: str, tools: Iterable[str]) -> dict[str, str]:
    """Return the raw name for each local one.

    Raises :class:`NameRefused` and :class:`NameCollision`.
    """
    raw_names: dict[str, str] = {}
    for tool in tools:
        name = local_name(alias, tool)
        if name in raw_names:
            raise NameCollision(alias, f"{raw_names[name]!r:.100} and {tool!r:.100}: {name}")
        raw_names[name] = tool
    return raw_names

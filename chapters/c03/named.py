"""c03's own admission: name the tools, and let every one of them in. c04 hands in a strict one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from chapters.c03.names import local_names

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from chapters.c02 import CallResult, Connection, PublishedTool
    from chapters.c03.owner import Owner


@dataclass(frozen=True, eq=False)
class NamedTool:
    """A published tool under its local name, with the one way to call it."""

    name: str
    alias: str
    published: PublishedTool
    call: Callable[[dict[str, Any]], Awaitable[CallResult]]


def name_tools(connection: Connection, owner: Owner[Any]) -> Sequence[NamedTool]:
    """Give each of a connection's tools its local name.

    Raises :class:`~chapters.c03.names.NameRefused` or :class:`~chapters.c03.names.NameCollision`.
    """
    published = {tool.name: tool for tool in connection.tools}
    names = local_names(connection.alias, [tool.name for tool in connection.tools])
    return [
        NamedTool(name, connection.alias, published[raw_name], partial(owner.call, raw_name))
        for name, raw_name in names.items()
    ]

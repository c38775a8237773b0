"""An exposed tool: what, after checking, is really offered here.

Local tools and tools of servers are the same kind of thing to whoever calls them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chapters.c04.gate import ArgumentCheck, compile_schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from chapters.c04.policy import Effect


@dataclass(frozen=True, eq=False)
class ExposedTool:
    """A local capability: a name, a description, a schema, an effect, and one way to call it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    """What a model is shown. A server's is a copy with its words cleaned; ``check`` has read it."""
    effect: Effect
    alias: str | None
    """The server it belongs to; None for a local tool."""
    check: ArgumentCheck
    call: Callable[[dict[str, Any]], Awaitable[str]]
    """Returns the result's text, uncleaned. Raises a fault, or anything else where it fails."""


def local_tool(
    name: str,
    description: str,
    input_schema: Mapping[str, Any],
    effect: Effect,
    call: Callable[[dict[str, Any]], Awaitable[str]],
) -> ExposedTool:
    """Return a tool of this process. Its schema passes the same gate as any other.

    Raises :class:`~chapters.c04.gate.SchemaRefused`.
    """
    check = compile_schema(dict(input_schema))
    return ExposedTool(name, description, input_schema, effect, None, check, call)

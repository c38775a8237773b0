"""What a harness and a model exchange: a request, a reply, and one method between them.

It is near enough to what the providers' APIs exchange that a real model could be put in: messages
and tools go out, a text and tool calls come back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chapters.c04 import ExposedTool


class ToolCall(NamedTuple):
    """A call that a model asks for. Its arguments may be anything, JSON text included."""

    id: str
    name: str
    arguments: object


class Message(NamedTuple):
    """One message of a conversation."""

    role: Literal["user", "harness", "assistant", "tool"]
    """Whose it is; ``harness`` is for notices in our own words."""
    content: str
    calls: tuple[ToolCall, ...] = ()
    """What an assistant's message asks for."""
    call_id: str | None = None
    """Which call a tool's message answers."""


@dataclass(frozen=True)
class Request:
    """What a model is shown: everything said so far, and the tools of one registry snapshot."""

    number: int
    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...]
    """Name, description and input schema of each, as JSON values. Nothing here can be called."""

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools, in their order."""
        return tuple(tool["name"] for tool in self.tools)


@dataclass(frozen=True)
class Reply:
    """What a model answers. Without calls, its text is the last word."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


class Model(Protocol):
    """A model, or whoever plays one."""

    async def reply(self, request: Request) -> Reply:
        """Answer a request."""
        ...


def shown(tools: Iterable[ExposedTool]) -> tuple[dict[str, Any], ...]:
    """Return what a model sees of tools."""
    return tuple(
        {"name": t.name, "description": t.description, "input_schema": dict(t.input_schema)}
        for t in tools
    )

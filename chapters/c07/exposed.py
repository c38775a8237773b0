"""What is really offered here beside tools: resources and templates to read, prompts to load.

Each has a ``name`` that nothing else in a registry snapshot can have, so that all of a connection's
capabilities are published in one assignment, and revoked in one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chapters.c04 import ExposedTool

if TYPE_CHECKING:
    from mcp.types import GetPromptResult, PromptArgument, ReadResourceResult

    from chapters.c07.uris import Template

Read = Callable[[str], Awaitable["ReadResourceResult"]]
"""Reads a URI from the server that published it and from no other. Raises a fault."""

Load = Callable[[Mapping[str, str]], Awaitable["GetPromptResult"]]
"""Gets a prompt's messages for these arguments. Raises a fault."""


@dataclass(frozen=True, eq=False)
class ExposedResource:
    """A resource that may be read: the application's, and read-only."""

    alias: str
    uri: str
    description: str
    read: Read

    @property
    def name(self) -> str:
        """Alias and URI: the blank between them is in neither an alias nor a tool's local name."""
        return f"{self.alias} {self.uri}"


@dataclass(frozen=True, eq=False)
class ExposedTemplate:
    """A template whose URIs may be read."""

    alias: str
    template: Template
    description: str
    read: Read

    @property
    def name(self) -> str:
        """Alias and template, marked as no resource: no alias begins with a brace."""
        return f"{{}} {self.alias} {self.template.text}"


@dataclass(frozen=True, eq=False)
class ExposedPrompt:
    """A prompt that a person may load. No model is shown it, and none can call it."""

    name: str
    """A slash and its local name, such as ``/mcp__runbook__triage``."""
    alias: str
    raw_name: str
    description: str
    arguments: tuple[PromptArgument, ...]
    load: Load


Exposed = ExposedTool | ExposedResource | ExposedTemplate | ExposedPrompt

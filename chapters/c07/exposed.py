"""What is really offered here beside tools: resources and templates to read, prompts to load.

Each has a ``name`` that nothing else in a registry snapshot can have, so that all of a connection's
capabilities are published in one assignment, and revoked in one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chapters.c04 import ExposedTool, cleaned
from chapters.c04.cleaning import DESCRIPTION_CHARACTERS

if TYPE_CHECKING:
    from mcp.types import GetPromptResult, ReadResourceResult

    from chapters.c07.uris import Template

Read = Callable[[str], Awaitable["ReadResourceResult"]]
"""Reads a URI from the server that published it and from no other. Raises a fault."""

Load = Callable[[Mapping[str, str]], Awaitable["GetPromptResult"]]
"""Gets a prompt's messages for these arguments. Raises a fault."""


@dataclass(frozen=True, eq=False)
class Described:
    """Something that a server has words for."""

    said: str
    """As it came. Cleaning takes its time, and a server may have thousands of entries."""

    @property
    def description(self) -> str:
        """The server's words, cleaned and bounded, for whoever shows them."""
        return cleaned(self.said, DESCRIPTION_CHARACTERS)


@dataclass(frozen=True, eq=False)
class ExposedResource(Described):
    """A resource that may be read: the application's, and read-only."""

    alias: str
    uri: str
    read: Read

    @property
    def name(self) -> str:
        """Alias and URI: the blank between them is in neither an alias nor a tool's local name."""
        return f"{self.alias} {self.uri}"


@dataclass(frozen=True, eq=False)
class ExposedTemplate(Described):
    """A template whose URIs may be read."""

    alias: str
    template: Template
    read: Read

    @property
    def name(self) -> str:
        """Alias and template; no alias has a brace, so no resource can have this name."""
        return f"{{{self.alias}}} {self.template.text}"


@dataclass(frozen=True, eq=False)
class ExposedArgument(Described):
    """An argument of a prompt, under a name that a person can type."""

    name: str
    required: bool


@dataclass(frozen=True, eq=False)
class ExposedPrompt(Described):
    """A prompt that a person may load. No model is shown it, and none can call it."""

    name: str
    """A slash and its local name, such as ``/mcp__runbook__triage``."""
    alias: str
    raw_name: str
    arguments: tuple[ExposedArgument, ...]
    load: Load


Exposed = ExposedTool | ExposedResource | ExposedTemplate | ExposedPrompt

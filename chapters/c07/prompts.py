"""Prompts as templates that a person loads by name.

What comes back is external data. It is marked with where it came from, it is never a system
message, and a resource in it obeys the policy for resources.
MCP 2026-07-28, "Prompts": roles are ``user`` and ``assistant``, arguments are strings.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from mcp.types import EmbeddedResource

from chapters.c02 import Fault
from chapters.c03 import ResultUnreadable
from chapters.c04 import cleaned
from chapters.c04.cleaning import RESULT_CHARACTERS
from chapters.c04.results import told as told_block
from chapters.c05 import Message
from chapters.c07.exposed import ExposedPrompt
from chapters.c07.resources import ResourceRefused, find_resource, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.types import ContentBlock

    from chapters.c03 import RegistrySnapshot
    from chapters.c07.exposed import Exposed

ARGUMENT_CHARACTERS = 2_000
MESSAGES = 100
"""How many messages a prompt may have; together they are as long as one result."""


class PromptRefused(Fault):
    """The prompt cannot be loaded so. Nothing was sent."""

    code = "mcp_prompt_refused"
    sentence = "That prompt cannot be loaded, or not with these arguments. Nothing was sent."


def parse_command(line: str) -> tuple[str, dict[str, str]]:
    """Read ``/mcp__runbook__triage service=db severity=high``, with a shell's quotes.

    Raises ValueError, whose text may be shown to the person who typed it.
    """
    name, *words = shlex.split(line) or [""]
    arguments: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"{word!r} should be NAME=VALUE")
        if key in arguments:
            raise ValueError(f"{key!r} comes twice")
        arguments[key] = value
    return name, arguments


# --8<-- [start:load]
async def load_prompt(
    snapshot: RegistrySnapshot[Exposed], name: str, arguments: Mapping[str, str]
) -> list[Message]:
    """Load a prompt for a person, and return its messages, to be put into a conversation.

    Raises :class:`PromptRefused`, with nothing sent, for an unknown prompt and for arguments that
    are missing, unknown or too long, and the faults of a call.
    """
    prompt = snapshot.get(name)
    if not isinstance(prompt, ExposedPrompt):
        raise PromptRefused("", f"there is no prompt {name!r:.100}")
    declared = {argument.name for argument in prompt.arguments}
    required = {argument.name for argument in prompt.arguments if argument.required}
    if arguments.keys() - declared or required - arguments.keys():
        raise PromptRefused(prompt.alias, f"{sorted(arguments)!r:.300} are not its arguments")
    if not all(map(_can_be_sent, arguments.values())):
        raise PromptRefused(prompt.alias, "an argument is too long, or no text that can be sent")
    result = await prompt.load(arguments)
    if len(result.messages) > MESSAGES:
        raise ResultUnreadable(prompt.alias, f"there are {len(result.messages)} messages")
    where = f"[external, from {prompt.alias}'s prompt {one_line(prompt.raw_name)}]"
    messages, left = [], RESULT_CHARACTERS
    for message in result.messages:
        text = cleaned(_content(snapshot, prompt.alias, message.content), left)
        left = max(left - len(text), 0)
        messages.append(Message(message.role, f"{where}\n{text}"))
    return messages
    # --8<-- [end:load]


def _can_be_sent(value: str) -> bool:
    """Half a character, as a terminal makes of bytes that are no UTF-8, is no text to the wire."""
    return len(value) <= ARGUMENT_CHARACTERS and not any("\ud800" <= c <= "\udfff" for c in value)


def _content(snapshot: RegistrySnapshot[Exposed], alias: str, block: ContentBlock) -> str:
    if isinstance(block, EmbeddedResource):
        uri = block.resource.uri
        try:
            allowed = find_resource(snapshot, alias, uri) is not None
        except ResourceRefused:
            allowed = False
        if not allowed:
            return f"[resource {one_line(uri)}, which may not be read here]"
    return told_block(block)

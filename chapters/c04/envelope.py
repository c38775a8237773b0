"""Envelopes: what a model gets of a call. Every word of a failure is written here.

A failure's envelope holds a code, a fixed local sentence and a correlation id, and not one
character of the server's text, of an exception's text or of an argument's value. The full story is
in the local log under the correlation id, for the person who runs the harness.
"""

from __future__ import annotations

import json
import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chapters.c04.cleaning import RESULT_CHARACTERS, cleaned

if TYPE_CHECKING:
    from chapters.c02 import Fault
    from chapters.c04.gate import BadArguments

logger = logging.getLogger(__name__)

SENTENCES = {
    "unknown_tool": "There is no tool of that name here.",
    "invalid_arguments": "The arguments do not fit the tool's schema. Nothing was sent.",
    "permission_denied": "The tool may not run without permission, and it was not given.",
    "tool_failed": "The local tool failed.",
}
LIMITS = {
    "json": "They are no JSON, or a name comes twice in them.",
    "number": "A number in them is not finite, or too large.",
    "size": "They are too large.",
    "depth": "They are nested too deep.",
    "budget": "Checking them takes too much work.",
}
"""What is said of arguments that break a local limit, where no rule of the schema is concerned."""
WORTH_RETRYING = {"invalid_arguments", "mcp_remote_error"}
"""Elsewhere a retry cannot help, or may do the same thing twice. The invoker narrows it further: a
write that failed on the server may have had a part of its effect."""


@dataclass(frozen=True)
class Envelope:
    """The outcome of one call, or of one request to connect or disconnect."""

    ok: bool
    tool: str | None
    """The local name, where there is such a tool."""
    alias: str | None
    content: str
    """The result, cleaned and bounded; for a failure, the local sentence."""
    code: str | None = None
    retry: bool = False
    """Whether calling again, with other arguments perhaps, makes sense."""
    correlation_id: str | None = None

    def for_model(self) -> str:
        """Return what a model reads: the result, or the failure as JSON."""
        if self.ok:
            return self.content
        story = {
            "error": self.code,
            "message": self.content,
            "tool": self.tool,
            "server": self.alias,
            "retry": self.retry,
            "correlation_id": self.correlation_id,
        }
        return json.dumps({key: value for key, value in story.items() if value is not None})


def succeeded(tool: str, alias: str | None, content: str) -> Envelope:
    """Put a result in an envelope."""
    return Envelope(True, tool, alias, cleaned(content, RESULT_CHARACTERS))


# --8<-- [start:failures]
def failed(
    code: str, sentence: str, detail: object, tool: str | None = None, alias: str | None = None
) -> Envelope:
    """Put a failure in an envelope; ``detail`` goes to the log, under the correlation id."""
    correlation_id = secrets.token_hex(8)
    logger.warning("%s %s tool=%s alias=%s: %s", correlation_id, code, tool, alias, detail)
    return Envelope(False, tool, alias, sentence, code, code in WORTH_RETRYING, correlation_id)


def refused(code: str, detail: object, tool: str | None = None) -> Envelope:
    """Put one of our own refusals in an envelope."""
    return failed(code, SENTENCES[code], detail, tool)


def faulted(fault: Fault, tool: str | None = None) -> Envelope:
    """Put a fault of a server in an envelope."""
    return failed(fault.code, fault.sentence, fault.detail, tool, fault.alias)


def misfitted(bad: BadArguments, tool: str) -> Envelope:
    """Say where arguments broke the schema: in the schema's own words, and never in theirs."""
    schema = f"At {bad.place!r} the schema" if bad.place else "The schema"
    if bad.keyword in LIMITS:
        why = LIMITS[bad.keyword]
    elif bad.keyword == "false":
        why = f"{schema} admits nothing."
    else:
        why = f"{schema}'s rule {bad.keyword!r} is not met."
    return failed("invalid_arguments", f"{SENTENCES['invalid_arguments']} {why}", bad, tool)
    # --8<-- [end:failures]

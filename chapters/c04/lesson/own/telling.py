"""What is told of one's own servers: events on stdout, and the operator's view on stderr."""

from __future__ import annotations

import json
import logging
import sys
import textwrap
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chapters.c03 import ConnectionLost
from chapters.c04.cleaning import cleaned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chapters.c04.envelope import Envelope
    from chapters.c04.exposed import ExposedTool

LINE_CHARACTERS = 400
INDENT = "  "


@dataclass
class Telling:
    """Prints events, as JSON Lines or as text, and remembers whether all went well."""

    json: bool
    well: bool = True
    published: dict[str, list[str]] = field(default_factory=dict)
    """The raw names of all that each server published, by alias."""
    gone: set[str] = field(default_factory=set)
    """The aliases of those whose loss has been told."""

    def event(self, event: str, text: str, **fields: object) -> None:
        """Print one event."""
        print(json.dumps({"event": event, **fields}) if self.json else text, flush=True)

    def connected(self, alias: str, exposed: Sequence[ExposedTool]) -> None:
        """Show what a server published beside what is exposed of it."""
        names = [tool.name for tool in exposed]
        lines = [f"{alias}: published {len(self.published[alias])}, exposed {len(names)}"]
        lines += [f"  {tool.effect:5}  {tool.name}" for tool in exposed]
        self.event("connected", "\n".join(lines), alias=alias, tools=names)

    def refused(self, alias: str, code: str, reason: str) -> None:
        """Show that a server was refused, or could not even be connected, and why."""
        self.well = False
        stands = "not connected"
        if alias in self.published:
            stands = f"published {len(self.published[alias])}, exposed 0"
        text = f"{alias}: {stands}: {reason} [{code}]"
        self.event("refused", text, alias=alias, code=code, message=reason)

    def result(self, name: str, envelope: Envelope, kind: str = "tool") -> None:
        """Show what came of a call; each line of it stands apart from those that are ours."""
        self.well = self.well and envelope.ok
        outcome = "ok" if envelope.ok else f"failed [{envelope.code}]"
        if envelope.code == "permission_denied":
            outcome += ": --approve allows calls that write"
        self.event(
            "result",
            f"{cleaned(name, LINE_CHARACTERS)}: {outcome}\n{_indented(envelope.content)}",
            **{kind: name},
            ok=envelope.ok,
            code=envelope.code,
            content=envelope.content,
            correlation_id=envelope.correlation_id,
        )
        if envelope.alias and envelope.code == ConnectionLost.code:
            self.lost(envelope.alias)

    def lost(self, alias: str) -> None:
        """Show that a server went away by itself, once."""
        if alias in self.gone:
            return
        self.gone.add(alias)
        self.well = False
        text = f"{alias}: The connection to the server has ended. [mcp_connection_lost]"
        self.event("lost", text, alias=alias, code="mcp_connection_lost")


class OperatorsView(logging.Handler):
    """Shows on stderr what the log is told: full reasons, remote names and places, cleaned."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record's message; what it has of further lines is indented."""
        text = _indented(cleaned(record.getMessage(), 10 * LINE_CHARACTERS))
        print(text.removeprefix(INDENT), file=sys.stderr, flush=True)


@contextmanager
def operators_view(*, wanted: bool) -> Iterator[None]:
    """Show the operator's view for as long as the context lasts, if it is wanted."""
    view, log = OperatorsView(logging.INFO), logging.getLogger("chapters")
    if wanted:
        log.addHandler(view)
    try:
        yield
    finally:
        log.removeHandler(view)


def _indented(text: str) -> str:
    return textwrap.indent(text, INDENT, lambda _: True)

"""What a server prints on stdout that is no message, for whoever has to find out why.

A line that is no message is skipped. Some servers print nothing else: they speak another protocol's
dialect, and all that is seen of it is a deadline. So a connection's faults say what was heard.
"""

from __future__ import annotations

import json
import re

BYTE_ORDER_MARK = "\ufeff"
BEGINNING_CHARACTERS = 100
HEADERS = (
    "It sends headers such as Content-Length, as language servers do. Over stdio, MCP is one "
    "message a line without headers."
)
MARKED = "It begins its output with a byte-order mark, which MCP's UTF-8 has not."
SEVERAL_LINES = "It writes JSON over several lines. Over stdio, MCP is one message a line."

_HEADER = re.compile(r"content-(length|type)\s*:", re.IGNORECASE)


class Noise:
    """The lines that were no messages: how many, how the first began, and a habit that is known."""

    def __init__(self) -> None:
        self.lines = 0
        self.habit = ""
        self._first = ""

    def hear(self, line: str) -> None:
        """Note a line that is no message."""
        self.lines += 1
        if self.lines == 1:
            self._first = line[:BEGINNING_CHARACTERS]
        self.habit = self.habit or habit_of(line)

    def hear_mark(self) -> None:
        """Note a byte-order mark before what is a message."""
        self.habit = self.habit or MARKED

    def __str__(self) -> str:
        """Say what was heard, for a fault's detail; empty if nothing was."""
        told = ""
        if self.lines == 1:
            told = f"; 1 line on stdout was no message: it began {self._first!r}"
        elif self.lines:
            told = (
                f"; {self.lines} lines on stdout were no messages: the first began {self._first!r}"
            )
        return f"{told}; {self.habit}" if self.habit else told


def habit_of(line: str) -> str:
    """Name the habit that a line shows, or return an empty string."""
    if line.startswith(BYTE_ORDER_MARK):
        return MARKED
    if _HEADER.match(line):
        return HEADERS
    return SEVERAL_LINES if _breaks_off(line.strip()) else ""


def _breaks_off(text: str) -> bool:
    """Whether a text is the beginning of a JSON object, and nothing in it is wrong so far."""
    if not text.startswith("{"):
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        pass
    return False

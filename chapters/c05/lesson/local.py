"""A local tool to have one: it needs no server, and every agent may have it."""

from __future__ import annotations

from typing import Any

from chapters.c04 import local_tool


async def _count_words(arguments: dict[str, Any]) -> str:
    return str(len(arguments["text"].split()))


COUNT_WORDS = local_tool(
    "count_words",
    "Counts the words of a text.",
    {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    },
    "read",
    _count_words,
)

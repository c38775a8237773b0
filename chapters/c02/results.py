"""The result of a tools/call, read here, block by block.

The SDK reads a result as a whole: one block of a kind that it does not know, and all of the answer
is gone. But a server that has answered has carried the call out, so what can be read of its answer
is read, and the rest is named. MCP 2026-07-28, "Tools", *Tool Result* and *Data Types*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.types import ContentBlock, TextContent
from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping

LAST_HANDSHAKE_REVISION = "2025-11-25"
BLOCKS = 1_000
"""How many blocks of a result are read. Reading one that makes no sense takes its time."""
NOT_SHOWN = ("annotations", "icons", "_meta")
"""Fields of a block that nobody here looks at, so none of them can cost the block."""

_BLOCK: TypeAdapter[ContentBlock] = TypeAdapter(ContentBlock)


class ResultError(Exception):
    """There was an answer, and it is no result that could be used. The text is for the log."""


class NeedsInput(ResultError):  # noqa: N818 - what the server says, and no error of its
    """The answer asks for more input before the call can be completed (2026-07-28)."""


@dataclass(frozen=True)
class UnreadBlock:
    """A block of a later revision, or one that does not fit its own kind."""

    kind: str
    """What the server calls it: external data."""


@dataclass(frozen=True)
class CallResult:
    """What a server answered to a call: external data, as far as it can be read."""

    content: tuple[ContentBlock | UnreadBlock, ...]
    structured_content: Any = None
    is_error: bool = False
    left_out: int = 0
    """How many blocks beyond the first ``BLOCKS`` there are."""


def said(result: CallResult) -> str:
    """Return the text of a result's parts."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def read_result(raw: Mapping[str, Any], protocol_version: str) -> CallResult:
    """Read the ``result`` of an answer. Raises :class:`NeedsInput` and :class:`ResultError`.

    That a call failed is believed whatever else the answer holds. Apart from that there must be
    something to show: a block that can be read, an empty list of them, or structured content.
    """
    kind = raw.get("resultType", "complete") if protocol_version > LAST_HANDSHAKE_REVISION else ""
    if kind == "input_required":
        raise NeedsInput(f"it asks for input: {raw!r:.200}")
    if kind not in ("complete", ""):
        raise ResultError(f"its resultType is {kind!r:.100}")
    is_error = raw.get("isError", False)
    if not isinstance(is_error, bool):
        raise ResultError(f"its isError is {is_error!r:.100}")
    structured = raw.get("structuredContent")
    blocks = raw.get("content")
    if not isinstance(blocks, list):
        if structured is None and not is_error:
            raise ResultError(f"its content is no list: {raw!r:.200}")
        blocks = []
    content = tuple(_read_block(block) for block in blocks[:BLOCKS])
    unread = [block for block in content if isinstance(block, UnreadBlock)]
    if content and len(unread) == len(content) and structured is None and not is_error:
        raise ResultError(f"no block of it can be read: {[b.kind for b in unread]!r:.200}")
    return CallResult(content, structured, is_error, max(len(blocks) - BLOCKS, 0))


def _read_block(block: object) -> ContentBlock | UnreadBlock:
    if not isinstance(block, dict):
        return UnreadBlock(type(block).__name__)
    shown = {name: value for name, value in block.items() if name not in NOT_SHOWN}
    try:
        return _BLOCK.validate_python(shown, by_name=False)
    except ValidationError:
        return UnreadBlock(str(block.get("type"))[:100])

"""What a result says to a model: all of it that is text, and what the rest of it is.

The blocks are told in their order, and structured content after them, unless a block says it
already. Everything here is the server's word: whoever shows it cleans and bounds it as a whole.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp.types import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from chapters.c02 import UnreadBlock
from chapters.c04.cleaning import RESULT_CHARACTERS, cleaned

if TYPE_CHECKING:
    from mcp.types import BlobResourceContents, ContentBlock

    from chapters.c02 import CallResult

LABEL_CHARACTERS = 300
"""How much is shown of a name, an address or a media type, which stand on a line of ours."""


# --8<-- [start:text-of]
def text_of(result: CallResult) -> str:
    """Return what a model is told of a result.

    Raises ValueError for structured content that is no JSON, such as NaN.
    """
    parts = [told(block) for block in result.content]
    if result.left_out:
        parts.append(f"[{result.left_out:,} more parts, not shown]")
    if (structure := result.structured_content) is not None:
        written = json.dumps(structure, ensure_ascii=False, allow_nan=False)
        texts = [block.text for block in result.content if isinstance(block, TextContent)]
        # What will be cut anyway is not compared: megabytes would hold everybody else up.
        longest = max(len(written), sum(map(len, parts)))
        if longest > RESULT_CHARACTERS or not _is_said(structure, texts):
            parts.append(written)
    return "\n".join(filter(None, parts))
    # --8<-- [end:text-of]


def told(block: ContentBlock | UnreadBlock) -> str:
    """Return what a model is told of one block; it is the server's word, still to be cleaned."""
    match block:
        case TextContent():
            return block.text
        case EmbeddedResource():
            return held(block.resource)
        case ResourceLink():
            return f"[link to the resource {_label(block.name)}: {_label(block.uri)}]"
        case ImageContent() | AudioContent():
            return f"[{block.type}{_media(block.mime_type)}, {_size(block.data)}, not shown]"
        case UnreadBlock():
            return f"[a part that cannot be read here, of type {_label(block.kind)}]"


def held(resource: TextResourceContents | BlobResourceContents) -> str:
    """Return a resource's text under its address, or the kind and size of what is no text."""
    where = f"[resource {_label(resource.uri)}"
    if isinstance(resource, TextResourceContents):
        return f"{where}]\n{resource.text}"
    return f"{where}{_media(resource.mime_type)}, {_size(resource.blob)}, not shown]"


def _label(text: str) -> str:
    """Return a short text of the server's on one line."""
    return cleaned(" ".join(text.split()), LABEL_CHARACTERS)


def _media(media_type: str | None) -> str:
    return f", {_label(media_type)}" if media_type else ""


def _size(base64: str) -> str:
    """Return the size of what is encoded; it is not decoded for that."""
    digits = "".join(base64.split()).rstrip("=")
    size = len(digits) * 3 // 4
    return "1 byte" if size == 1 else f"{size:,} bytes"


def _is_said(structure: Any, texts: list[str]) -> bool:
    """Whether one of the texts says all that is in the structure already.

    It may be the same JSON, however it is written, or the one value that the structure wraps: some
    frameworks send ``{"result": "hello"}`` beside ``hello``.
    """
    sole = structure.values() if isinstance(structure, dict) and len(structure) == 1 else ()
    values = [structure, *sole]
    forms = {_canonical(value) for value in values}
    return any(text in values or _form(text) in forms for text in texts)


def _form(text: str) -> str | None:
    try:
        return _canonical(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)

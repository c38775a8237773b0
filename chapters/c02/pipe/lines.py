"""A cap on the length of a line from a server.

The SDK's stdio transport collects a line until its end comes, however long that takes, and copies
what it has with every chunk. It does let you name the text encoding, though, and a decoder sees
each chunk first. So this encoding is UTF-8 in every respect but one: a line that grows past
``LINE_CHARACTERS`` is broken off with a mark, and the rest of it is dropped unread.
"""

from __future__ import annotations

import codecs
import json

from pydantic import ValidationError

LINE_CHARACTERS = 4 * 1024 * 1024
ENCODING = "utf-8-bounded-lines"
OVERLONG = "<this line was too long>"


class BoundedLines(codecs.IncrementalDecoder):
    """Decodes UTF-8 and breaks off any line longer than ``LINE_CHARACTERS``."""

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors)
        self._length = 0

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """Return the text in ``data``, less what is past the cap."""
        kept: list[str] = []
        for number, piece in enumerate(self._utf8.decode(data, final).split("\n")):
            if number:  # the line before this piece has ended
                if self._length <= LINE_CHARACTERS:
                    kept.append("\n")
                self._length = 0
            before = self._length
            self._length += len(piece)
            if self._length <= LINE_CHARACTERS:
                kept.append(piece)
            elif before <= LINE_CHARACTERS:
                kept.append(f"{OVERLONG}\n")
        return "".join(kept)


def is_overlong(item: object) -> bool:
    """Whether an item from the SDK's read stream is a line that was broken off."""
    return (no_json(item) or "").endswith(OVERLONG)


def no_json(item: object) -> str | None:
    """Return the line of an item from the SDK's read stream, if the line is no JSON."""
    if not isinstance(item, ValidationError):
        return None
    first = item.errors(include_url=False)[0]
    return first["input"] if first["type"] == "json_invalid" else None


def line_of(item: Exception) -> str:
    """Return the line of an item that is no message. JSON is written anew, as far as it is known.

    The SDK says what of a message does not fit, and shows all of it only where a part is missing.
    """
    if (line := no_json(item)) is not None or not isinstance(item, ValidationError):
        return line or ""
    shown = min(item.errors(include_url=False), key=lambda error: error["type"] != "missing")
    return json.dumps(shown["input"])


def _find(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != ENCODING:
        return None
    utf8 = codecs.lookup("utf-8")
    return codecs.CodecInfo(
        utf8.encode, utf8.decode, incrementaldecoder=BoundedLines, name=ENCODING
    )


codecs.register(_find)

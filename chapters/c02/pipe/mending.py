r"""Half a character, and a mark before the first: what the SDK's parser refuses.

A program that counts in UTF-16 and cuts a text short can cut an emoji in two. Its JSON then holds
one escape of a pair, ``\ud83d`` say, which the grammar allows (RFC 8259, section 8.2) and no UTF-8
can express. The SDK takes such a line for no message, and whoever waits for it waits in vain. So
the line is read once more, with U+FFFD for each half. A byte-order mark in front of it is left out,
as RFC 8259, section 8.1, allows.
"""

from __future__ import annotations

import re

from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from chapters.c02.pipe.lines import no_json
from chapters.c02.pipe.noise import BYTE_ORDER_MARK

_HALF = r"u[dD][89a-fA-F][0-9a-fA-F]{2}"
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPES = re.compile(rf"({_PAIR}|\\(?!{_HALF}).)|\\{_HALF}")
"""Each escape of a JSON text; a group holds it, unless it is half a pair."""


def mended(item: SessionMessage | Exception) -> SessionMessage | Exception:
    """Return an item of the SDK's read stream, as a message where only these kept it from one."""
    line = no_json(item)
    if line is None:
        return item
    whole = _ESCAPES.sub(lambda found: found[1] or "\\ufffd", line.removeprefix(BYTE_ORDER_MARK))
    if whole == line:
        return item
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(whole, by_name=False))
    except ValidationError as error:
        return error

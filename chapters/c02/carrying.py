"""An answer to tools/call, carried past the SDK's reading of it.

The SDK throws an answer away when any part of it does not fit, and there is no way to ask it not
to. So the wire packs the whole answer of a call into ``structuredContent``, which takes any JSON
object in both protocol eras, and :meth:`~chapters.c02.Connection.call` unpacks it. Who watches the
wire sees the answer as it came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.shared.dispatcher import coerce_request_id
from mcp.types import JSONRPCError, JSONRPCResponse
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Container

    from mcp.types import CallToolResult

_RAW = "raw"
_UNREAD = ("Failed to parse ", "Unexpected content type: ")


def carried(answer: JSONRPCResponse) -> JSONRPCResponse:
    """Return an answer that the SDK takes for a good one, with the whole of ``answer`` in it."""
    packed = {"content": [], "structuredContent": {_RAW: answer.result}, "resultType": "complete"}
    return answer.model_copy(update={"result": packed})


def unpacked(result: CallToolResult) -> dict[str, Any]:
    """Return the ``result`` of a carried answer, as it came."""
    raw: dict[str, Any] = result.structured_content[_RAW]
    return raw


def answer_behind(error: JSONRPCError) -> JSONRPCResponse | None:
    """Find an answer behind an error that the SDK made up: over HTTP it says so in its own words.

    Where the server has sent those words itself nothing is lost: the answer cannot be used either.
    """
    if error.id is None or not error.error.message.startswith(_UNREAD):
        return None
    return JSONRPCResponse(jsonrpc="2.0", id=error.id, result={"no result": error.error.message})


def answer_in(item: Exception, calls: Container[object]) -> JSONRPCResponse | None:
    """Find an answer in what the SDK takes for no message at all, such as a result that is text.

    Whoever waits for it would wait in vain. It is returned as one whose result holds all that came
    and none of what a result has, so that it is read as one that cannot be used. ``calls`` are the
    ids that are waited for.
    """
    if not isinstance(item, ValidationError):
        return None
    for error in item.errors(include_url=False):
        match error["input"]:
            case {"id": int() | str() as number, **rest} if coerce_request_id(number) in calls:
                if "method" not in rest and not isinstance(number, bool):
                    return JSONRPCResponse(
                        jsonrpc="2.0", id=number, result={"no result": error["input"]}
                    )
    return None

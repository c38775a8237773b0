"""A call, sent at most once, and what its faults are told apart by.

What counts is what is observed here. A deadline that passed is our own clock; a lost connection is
our own end of the stream. What a peer says about itself decides nothing: error code -32001 from a
server is an answer, and a server that answers has not timed out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
from mcp import MCPError
from pydantic import ValidationError

from chapters.c02 import Connection, Fault, said

if TYPE_CHECKING:
    from mcp.types import CallToolResult


class RemoteError(Fault):
    """The server answered, and the answer is an error or makes no sense. It can be called again."""

    code = "mcp_remote_error"
    sentence = "The server reported that the call failed."


class CallTimedOut(Fault):
    """Our deadline passed. Whether the call took effect is not known."""

    code = "mcp_timeout"
    sentence = "The call was given up after its deadline, and the server was disconnected."


class ConnectionLost(Fault):
    """The connection ended before the answer came. Whether the call took effect is not known."""

    code = "mcp_connection_lost"
    sentence = "The connection to the server has ended."


# --8<-- [start:told-apart]
async def call_once(connection: Connection, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    """Call a tool under its raw name and return a result that is no error.

    Raises :class:`RemoteError`, :class:`CallTimedOut` after the spec's call timeout, or
    :class:`ConnectionLost`. What the server had to say is in the fault's detail.
    """
    alias = connection.alias
    with anyio.move_on_after(connection.spec.call_timeout):
        try:
            result = await connection.call(tool, arguments)
        except MCPError as error:
            if connection.wire.ended.is_set():
                lost = connection.wire.cause or ConnectionLost
                raise lost(alias, f"during {tool!r}") from error
            raise RemoteError(alias, f"{error.code}: {error.message} {error.data or ''}") from error
        except ValidationError as error:
            raise RemoteError(alias, f"the result does not fit the protocol: {error}") from error
        if result.is_error:
            raise RemoteError(alias, said(result))
        return result
    raise CallTimedOut(alias, f"{tool!r} took more than {connection.spec.call_timeout} seconds")
    # --8<-- [end:told-apart]

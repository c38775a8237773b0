"""A call, sent at most once, and what its faults are told apart by.

What counts is what is observed here. A deadline that passed is our own clock; a lost connection is
our own end of the stream. What a peer says about itself decides nothing: error code -32001 from a
server is an answer, and a server that answers has not timed out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp import MCPError
from pydantic import ValidationError

from chapters.c02 import Connection, Fault, NeedsInput, ResultError, said

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from chapters.c02 import CallResult

R = TypeVar("R")


class Answered(Fault):
    """The server answered, and there is no result. The connection is as good as before.

    Whatever the answer says, the call may have run.
    """


class RemoteError(Answered):
    """The server says that the call failed. It may have had some of its effect before."""

    code = "mcp_remote_error"
    sentence = "The server reported that the call failed."


class ResultUnreadable(Answered):
    """The answer is no result that can be used here. The call is as likely to have run as any."""

    code = "mcp_result_unreadable"
    sentence = "The server answered, but its answer cannot be used. The call may have taken effect."


class InputRequired(Answered):
    """The server wants more input and has not completed the call. What it has done is not known."""

    code = "mcp_input_required"
    sentence = (
        "The server asked for more input before it completes the call, and gets none here. "
        "The call may have taken effect in part."
    )


class CallTimedOut(Fault):
    """Our deadline passed. Whether the call took effect is not known."""

    code = "mcp_timeout"
    sentence = "The call was given up after its deadline, and the server was disconnected."


class ConnectionLost(Fault):
    """The connection ended before the answer came. Whether the call took effect is not known."""

    code = "mcp_connection_lost"
    sentence = "The connection to the server has ended."


# --8<-- [start:told-apart]
async def ask_once(connection: Connection, what: str, answer: Awaitable[R]) -> R:
    """Wait for the answer to one request, within the spec's call timeout.

    Raises :class:`RemoteError`, :class:`ResultUnreadable`, :class:`InputRequired`,
    :class:`CallTimedOut`, or :class:`ConnectionLost`. What the server had to say is in the fault's
    detail.
    """
    alias = connection.alias
    with anyio.move_on_after(connection.spec.call_timeout):
        try:
            return await answer
        except MCPError as error:
            if connection.wire.ended.is_set():
                lost = connection.wire.cause or ConnectionLost
                raise lost(alias, f"during {what!r}{connection.wire.noise}") from error
            raise RemoteError(alias, f"{error.code}: {error.message} {error.data or ''}") from error
        except NeedsInput as needs:
            raise InputRequired(alias, f"{what!r}: {needs}") from needs
        except (ResultError, ValidationError) as error:
            raise ResultUnreadable(alias, f"{what!r}: {error}") from error
    seconds = f"{connection.spec.call_timeout} seconds"
    raise CallTimedOut(alias, f"{what!r} took more than {seconds}{connection.wire.noise}")


async def call_once(connection: Connection, tool: str, arguments: dict[str, Any]) -> CallResult:
    """Call a tool under its raw name and return a result that is no error; it raises as above."""
    result = await ask_once(connection, tool, connection.call(tool, arguments))
    if result.is_error:
        raise RemoteError(connection.alias, said(result))
    return result
    # --8<-- [end:told-apart]

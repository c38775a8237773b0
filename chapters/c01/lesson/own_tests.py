"""The fake client's own tests, of the kind that give it a green badge, and what they invite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from chapters.c01.handler_dict import DEFINITIONS, HANDLERS, HandlerDictClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def lookup_is_right() -> bool:
    """Call lookup and compare."""
    answer = await HandlerDictClient(HANDLERS).call_tool("lookup", {"key": "server alias"})
    return answer == DEFINITIONS["server alias"]


async def an_unknown_tool_is_refused() -> bool:
    """Call a tool that is not there."""
    try:
        await HandlerDictClient(HANDLERS).call_tool("no_such_tool", {})
    except LookupError:
        return True
    return False


# --8<-- [start:timeout]
async def a_timeout_can_be_given() -> bool:
    """Call a tool with a timeout, and be content that it returns."""
    waited = await HandlerDictClient(HANDLERS).call_tool("wait", {"seconds": 0}, timeout=0.1)
    return waited == "waited 0 seconds"


async def a_stuck_tool_is_given_up() -> bool:
    """Call a tool that takes longer than its timeout, as the test above does not."""
    took = anyio.current_time()
    await HandlerDictClient(HANDLERS).call_tool("wait", {"seconds": 0.5}, timeout=0.1)
    return anyio.current_time() - took < 0.5
    # --8<-- [end:timeout]


CONCLUSIONS: dict[str, tuple[Callable[[], Awaitable[bool]], Callable[[], Awaitable[bool]]]] = {
    "lookup returns the right definition": (lookup_is_right, lookup_is_right),
    "an unknown tool is refused": (an_unknown_tool_is_refused, an_unknown_tool_is_refused),
    "a tool that takes too long is given up": (a_timeout_can_be_given, a_stuck_tool_is_given_up),
}
"""What a reader concludes: the test that invites it, and what really happens."""

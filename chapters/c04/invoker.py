"""The one invoker: every call of every tool takes this path.

Look the tool up in the snapshot, check the arguments, ask for permission by effect, call, and put
the outcome in an envelope.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c02 import Fault
from chapters.c04.envelope import Envelope, faulted, misfitted, refused, succeeded
from chapters.c04.exposed import ExposedTool
from chapters.c04.gate import ArgumentsRefused, parse_arguments

if TYPE_CHECKING:
    from chapters.c03 import RegistrySnapshot

logger = logging.getLogger(__name__)

Approve = Callable[[ExposedTool, Mapping[str, Any]], Awaitable[bool]]
"""Asks somebody local whether a tool may run with these arguments. Only ``True`` is a yes."""


class Invoker:
    """Calls tools for a model. Without ``approve``, whatever writes is denied."""

    def __init__(self, approve: Approve | None = None) -> None:
        self._approve = approve

    # --8<-- [start:invoke]
    async def invoke(
        self, snapshot: RegistrySnapshot[ExposedTool], name: object, arguments: object
    ) -> Envelope:
        """Call a tool of ``snapshot`` and return the outcome; nothing but cancellation is raised.

        ``arguments`` are an object, or the JSON text of one as some models send it. They are taken
        as they are at this moment: whoever changes them later changes nothing here.
        """
        if not isinstance(name, str):
            return refused("unknown_tool", f"its name is no text: {type(name).__name__}")
        tool = snapshot.get(name)
        if tool is None:
            return refused("unknown_tool", f"{name!r:.200}")
        try:
            given = parse_arguments(arguments) if isinstance(arguments, str) else arguments
        except ArgumentsRefused as error:
            return misfitted(error.bad, tool.name)
        if bad := tool.check.check(given):
            return misfitted(bad, tool.name)
        # What was checked is what is asked about and what is sent. It is kept as text, which nobody
        # can change, and whoever needs it gets a copy of their own. The check has made sure that
        # it is plain JSON of bounded size, and every admitted schema that it is an object.
        checked = json.dumps(given)
        if not await self._permitted(tool, checked):
            return refused("permission_denied", f"{tool.effect} of {tool.name}", tool.name)
        return await _called(tool, json.loads(checked))
        # --8<-- [end:invoke]

    async def _permitted(self, tool: ExposedTool, checked: str) -> bool:
        if tool.effect == "read":
            return True
        if self._approve is None:
            return False
        try:
            return await self._approve(tool, json.loads(checked)) is True
        except Exception:
            logger.exception("the approver of %s failed, which is no permission", tool.name)
            return False


async def _called(tool: ExposedTool, arguments: dict[str, Any]) -> Envelope:
    try:
        content: object = await tool.call(arguments)
    except Fault as fault:
        envelope = faulted(fault, tool.name)
        return envelope if tool.effect == "read" else replace(envelope, retry=False)
    except Exception as error:
        return refused("tool_failed", f"{type(error).__name__}: {error}", tool.name)
    if not isinstance(content, str):
        return refused("tool_failed", f"it returned no text: {type(content).__name__}", tool.name)
    return succeeded(tool.name, tool.alias, content)

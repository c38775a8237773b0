"""A server that talks out of turn, and one that does not talk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c01 import running_children
from chapters.c02 import ConnectFailed, ConnectTimedOut, open_connection, said
from chapters.c02.lesson.odd_servers import CHATTY, SILENT

if TYPE_CHECKING:
    from chapters.stage import Stage


async def servers_that_misbehave(stage: Stage) -> None:
    """Connect to a server that prints a greeting, and to one that never answers."""
    await stage.step(
        "A server that talks out of turn, and one that does not talk",
        """The first prints a greeting on stdout before it serves. The second reads everything and
        never answers.""",
    )
    try:
        greeting = open_connection(CHATTY)
        async with stage.entering("connecting one that prints a greeting", greeting) as chatty:
            answer = said(await chatty.call("lookup", {"key": "-32601"}))
        outcome = "the line is skipped"
    except ConnectFailed as fault:
        answer, outcome = fault.code, "the connection ends"
    stage.table(["server", "answer"], ["prints a greeting first", answer])
    stage.claim("c02.stray-line", outcome)

    before = running_children()
    outcome = "an empty list of tools"
    try:
        async with stage.entering("connecting one that never answers", open_connection(SILENT)):
            pass
    except ConnectTimedOut as fault:
        gone = not running_children() - before
        outcome = f"{fault.code}, and its process {'is stopped' if gone else 'lives on'}"
        stage.table(["server", "code", "sentence"], ["never answers", fault.code, fault])
    stage.claim("c02.silent-server", outcome)

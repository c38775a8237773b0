"""The agent loop, small and whole.

The snapshot rule: the tools of a request and of its reply are one immutable set. A tool that
appears while a reply is carried out is there from the next request on; one that vanishes is still
named by the snapshot, and its call says that the connection is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chapters.c05.model import Message, Reply, Request, shown

if TYPE_CHECKING:
    from chapters.c03 import RegistrySnapshot
    from chapters.c04 import Envelope, ExposedTool, Invoker
    from chapters.c05.model import Model

ROUNDS = 20

Snapshot = Callable[[], "RegistrySnapshot[ExposedTool]"]


@dataclass(frozen=True)
class Round:
    """One turn of the loop: a request, its reply, and the outcome of each call in it."""

    request: Request
    reply: Reply
    outcomes: tuple[Envelope, ...]


class OutOfRounds(Exception):  # noqa: N818 - it ran out; nothing is in error
    """The model kept calling tools until the bound on rounds."""


# --8<-- [start:loop]
async def run_loop(
    model: Model,
    invoker: Invoker,
    snapshot: Snapshot,
    messages: list[Message],
    *,
    notices: Callable[[], list[Message]] = list,
    on_round: Callable[[Round], None] = lambda _: None,
    rounds: int = ROUNDS,
) -> str:
    """Ask the model, carry out its calls in order, and ask again until it has no more.

    ``messages`` grows by everything that is said. ``notices`` are put before each request.
    Returns the last text. Raises :class:`OutOfRounds` after ``rounds`` requests.
    """
    for number in range(1, rounds + 1):
        messages += notices()
        tools = snapshot()
        request = Request(number, tuple(messages), shown(tools))
        reply = await model.reply(request)
        messages.append(Message("assistant", reply.text, reply.calls))
        outcomes = []
        for call in reply.calls:
            outcome = await invoker.invoke(tools, call.name, call.arguments)
            messages.append(Message("tool", outcome.for_model(), call_id=call.id))
            outcomes.append(outcome)
        on_round(Round(request, reply, tuple(outcomes)))
        if not reply.calls:
            return reply.text
    raise OutOfRounds(f"the model still called tools after {rounds} requests")
    # --8<-- [end:loop]

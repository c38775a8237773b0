"""Which of a server's published tools admission would refuse, so that a draft can set them aside.

One bad tool must not cost a server, and nobody but its owner may decide to go without it. So each
tool is tried as admission will try it: with the steps that those before it have left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio.lowlevel

from chapters.c03 import NameCollision, NameRefused, local_name
from chapters.c04.admission import SchemaFault, expose
from chapters.c04.gate import READING_STEPS, Budget, BudgetError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chapters.c02 import Connection


async def to_set_aside(connection: Connection) -> dict[str, str]:
    """Return the reason for each tool that would be refused, by its published name.

    It holds words of the server's, for the operator. What is left is admitted as it stands.
    """
    names, reasons = names_and_reasons(connection.alias, [tool.name for tool in connection.tools])
    left = READING_STEPS
    for tool in connection.tools:
        if tool.name in reasons:
            continue
        await anyio.lowlevel.checkpoint()  # a person may be waiting, with a finger on Ctrl-C
        budget = Budget(left)
        try:
            expose(
                connection,
                connection.call,
                tool,
                name=names[tool.name],
                effect="write",
                pinned=None,
                budget=budget,
            )
        except SchemaFault as fault:
            reasons[tool.name] = fault.detail
        except BudgetError:
            reasons[tool.name] = "there is too much work in reading it after those before it"
        else:
            left -= budget.spent
    return reasons


def names_and_reasons(alias: str, tools: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the local name of each tool or prompt that can have one, and why others cannot.

    Of those that would share a name none gets it: nothing here says which of them is meant.
    """
    sharing: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for tool in tools:
        try:
            sharing.setdefault(local_name(alias, tool), []).append(tool)
        except NameRefused as refused:
            reasons[tool] = f"{refused.sentence} {refused.detail}"
    for name, those in sharing.items():
        if len(those) > 1:
            reasons |= dict.fromkeys(those, f"{NameCollision.sentence} It is {name}")
    return {those[0]: name for name, those in sharing.items()}, reasons

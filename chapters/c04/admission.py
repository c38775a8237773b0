"""The strict admission that c03's pool is handed: all of a connection's tools, or none.

The published set is the policy's. Of the tools that it does not withhold, every name makes a local
one and every schema passes the gate. Whatever fails refuses the whole connection: half a server is
one that nobody has looked at, unless its owner has, and has set the other half aside. All of it is
paid from one budget, so that no list of tools holds the event loop for more than 250 ms.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from chapters.c02 import Fault
from chapters.c02.results import LAST_HANDSHAKE_REVISION
from chapters.c03 import ResultUnreadable, local_names
from chapters.c04.cleaning import DESCRIPTION_CHARACTERS, cleaned, is_plain
from chapters.c04.exposed import ExposedTool
from chapters.c04.gate import (
    READING_STEPS,
    ArgumentCheck,
    Budget,
    BudgetError,
    SchemaRefused,
    compile_schema,
    with_words,
)
from chapters.c04.results import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chapters.c02 import Connection, PublishedTool
    from chapters.c03 import Call, Owner
    from chapters.c04.policy import AllowedServer, Effect

CHARACTERS_A_STEP = 8  # of cleaning a text one character at a time


class SchemaFault(Fault):
    """One of the server's schemas did not pass the gate."""

    code = "mcp_schema_refused"
    sentence = "The schema of one of the server's tools was refused."


def strict_admission(
    servers: Mapping[str, AllowedServer],
) -> Callable[[Connection, Owner[Any]], Sequence[ExposedTool]]:
    """Return the admission step for these servers.

    It raises :class:`~chapters.c04.policy.PolicyMismatch`, :class:`~chapters.c03.NameRefused`,
    :class:`~chapters.c03.NameCollision` or :class:`SchemaFault`.
    """

    # --8<-- [start:admission]
    def admit(connection: Connection, owner: Owner[Any]) -> Sequence[ExposedTool]:
        policy = servers[connection.alias]
        published = {tool.name: tool for tool in connection.tools}
        policy.require_exactly(published)
        effects = policy.effects()
        wanted = [tool.name for tool in connection.tools if tool.name in effects]
        names = local_names(connection.alias, wanted)
        budget = Budget(READING_STEPS)
        try:
            return [
                expose(
                    connection,
                    owner.call,
                    published[raw],
                    name=local,
                    effect=effects[raw],
                    pinned=policy.tools[raw].description,
                    budget=budget,
                )
                for local, raw in names.items()
            ]
        except BudgetError:
            detail = "there is too much work in reading all its tools"
            raise SchemaFault(connection.alias, detail) from None
        # --8<-- [end:admission]

    return admit


def expose(
    connection: Connection,
    call: Call,
    tool: PublishedTool,
    *,
    name: str,
    effect: Effect,
    pinned: str | None,
    budget: Budget,
) -> ExposedTool:
    """Make an exposed tool of a published one. ``pinned`` is the policy's description, if any.

    Raises :class:`SchemaFault`, or BudgetError when the steps of ``budget`` are spent.
    """

    def clean(text: str) -> str:
        if not is_plain(part := text[:DESCRIPTION_CHARACTERS]):
            budget.spend(1 + len(part) // CHARACTERS_A_STEP)
        return cleaned(text, DESCRIPTION_CHARACTERS)

    check = _compiled(connection, tool, "inputSchema", tool.input_schema, "object", budget=budget)
    output = None
    if tool.output_schema is not None:
        older = connection.protocol_version <= LAST_HANDSHAKE_REVISION
        top: Literal["object", "any"] = "object" if older else "any"
        output = _compiled(connection, tool, "outputSchema", tool.output_schema, top, budget=budget)
    description = pinned
    if description is None:
        description = f"[external, from {connection.alias}] {clean(tool.description)}"
    return ExposedTool(
        name=name,
        description=description,
        input_schema=with_words(tool.input_schema, clean),
        effect=effect,
        alias=connection.alias,
        check=check,
        call=partial(_called, connection.alias, call, tool.name, output),
    )


def _compiled(
    connection: Connection,
    tool: PublishedTool,
    which: str,
    schema: Mapping[str, Any],
    top: Literal["object", "any"],
    *,
    budget: Budget,
) -> ArgumentCheck:
    try:
        return compile_schema(schema, top=top, budget=budget)
    except SchemaRefused as refused:
        detail = f"{tool.name!r:.100}, {which} at {refused.place or 'the top'}: {refused.reason}"
        raise SchemaFault(connection.alias, detail) from refused


async def _called(
    alias: str, call: Call, raw_name: str, output: ArgumentCheck | None, arguments: dict[str, Any]
) -> str:
    """Call a server's tool and return its text; what breaks its output schema cannot be used."""
    result = await call(raw_name, arguments)
    if output and (bad := output.check(result.structured_content)):
        raise ResultUnreadable(alias, f"{raw_name!r:.100} breaks its output schema: {bad}")
    try:
        return text_of(result)
    except ValueError as error:
        detail = f"{raw_name!r:.100} returned what is no JSON: {error}"
        raise ResultUnreadable(alias, detail) from error

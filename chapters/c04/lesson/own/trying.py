"""Connecting one's own servers side by side, calling their tools, and closing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c02 import Fault
from chapters.c03 import ConnectionLost, Registry, open_pool
from chapters.c04.admission import strict_admission
from chapters.c04.invoker import Invoker
from chapters.c04.lesson.own.reasons import reason_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chapters.c02 import Connection, Spec
    from chapters.c03 import Owner, Pool
    from chapters.c04.exposed import ExposedTool
    from chapters.c04.lesson.own.telling import Telling
    from chapters.c04.policy import AllowedServer


@dataclass(frozen=True)
class Wanted:
    """What the learner asked for on the command line."""

    calls: Sequence[tuple[str, str]] = ()
    """Local name and JSON text, in order."""
    approve: bool = False


async def try_servers(
    servers: Mapping[str, AllowedServer], wanted: Wanted, telling: Telling
) -> int:
    """Connect all servers side by side, make the calls, close; return the exit status."""
    registry: Registry[ExposedTool] = Registry()
    admit = strict_admission(servers)

    def noted(connection: Connection, owner: Owner[Any]) -> Sequence[ExposedTool]:
        telling.published[connection.alias] = [tool.name for tool in connection.tools]
        return admit(connection, owner)

    specs = [server.spec for server in servers.values()]
    async with open_pool(specs, registry, noted, on_lost=telling.lost) as pool:
        async with anyio.create_task_group() as group:
            for spec in specs:
                group.start_soon(_connect, pool, registry, telling, spec)
        invoker = Invoker(_always if wanted.approve else None)
        for name, arguments in wanted.calls:
            envelope = await invoker.invoke(registry.snapshot(), name, arguments)
            telling.result(name, envelope)
            if envelope.alias and envelope.code == ConnectionLost.code:
                telling.lost(envelope.alias)
    telling.event("end", "Closed." if telling.well else "Closed. Not everything went well.")
    return 0 if telling.well else 1


async def _connect(
    pool: Pool[ExposedTool], registry: Registry[ExposedTool], telling: Telling, spec: Spec
) -> None:
    alias = spec.alias
    try:
        await pool.connect(alias)
    except Fault as fault:
        telling.refused(alias, fault.code, reason_of(fault, spec))
    else:
        telling.connected(alias, [tool for tool in registry.snapshot() if tool.alias == alias])


async def _always(*_: object) -> bool:
    return True

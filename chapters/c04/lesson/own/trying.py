"""Connecting one's own servers side by side, calling their tools, and closing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import anyio

from chapters.c02 import Fault
from chapters.c03 import Registry, open_in_its_own_group, open_pool
from chapters.c04.admission import strict_admission
from chapters.c04.invoker import Invoker
from chapters.c04.lesson.own.reasons import reason_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from chapters.c02 import Connection, Spec
    from chapters.c03 import Owner, Pool, RegistrySnapshot
    from chapters.c03.owner import Admit, Opener
    from chapters.c04.exposed import ExposedTool
    from chapters.c04.lesson.own.telling import Telling
    from chapters.c04.policy import AllowedServer


class OfAServer(Protocol):
    """What is published here, local tools too, and known by its server's alias."""

    @property
    def name(self) -> str:
        """Its name in a snapshot."""
        ...

    @property
    def alias(self) -> str | None:
        """The server's, or None."""
        ...


T = TypeVar("T", bound=OfAServer)


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
    admit = strict_admission(servers)

    def noted(connection: Connection, owner: Owner[Any]) -> Sequence[ExposedTool]:
        telling.published[connection.alias] = [tool.name for tool in connection.tools]
        return admit(connection, owner)

    async def ask(registry: Registry[ExposedTool]) -> None:
        await call_all(registry.snapshot, wanted, telling)

    return await with_servers(servers, noted, ask, telling, telling.connected)


async def with_servers(
    servers: Mapping[str, AllowedServer],
    admit: Admit[T],
    ask: Callable[[Registry[T]], Awaitable[None]],
    telling: Telling,
    connected: Callable[[str, Sequence[T]], None],
    *,
    opener: Opener = open_in_its_own_group,
    reason: Callable[[Fault, Spec], str] = reason_of,
) -> int:
    """Connect all servers side by side, ask them something, close; return the exit status.

    ``connected`` shows what is exposed of a server; ``reason`` says why one was not connected.
    """
    registry: Registry[T] = Registry()

    async def connect(pool: Pool[T], spec: Spec) -> None:
        try:
            await pool.connect(spec.alias)
        except Fault as fault:
            telling.refused(spec.alias, fault.code, reason(fault, spec))
        else:
            mine = [each for each in registry.snapshot() if each.alias == spec.alias]
            connected(spec.alias, mine)

    specs = [server.spec for server in servers.values()]
    async with open_pool(specs, registry, admit, opener=opener, on_lost=telling.lost) as pool:
        async with anyio.create_task_group() as group:
            for spec in specs:
                group.start_soon(connect, pool, spec)
        await ask(registry)
    telling.event("end", "Closed." if telling.well else "Closed. Not everything went well.")
    return 0 if telling.well else 1


async def call_all(
    snapshot: Callable[[], RegistrySnapshot[ExposedTool]], wanted: Wanted, telling: Telling
) -> None:
    """Make the calls in order, each against the ``snapshot`` of its moment."""
    invoker = Invoker(_always if wanted.approve else None)
    for name, arguments in wanted.calls:
        telling.result(name, await invoker.invoke(snapshot(), name, arguments))


async def _always(*_: object) -> bool:
    return True

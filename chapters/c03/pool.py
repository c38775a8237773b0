"""The pool: connect and disconnect by alias, over a fixed set of specs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Generic

import anyio

from chapters.c02 import Connection, Fault, Frame, Spec, SpecError
from chapters.c03.leftovers import open_in_its_own_group
from chapters.c03.owner import Admit, Opener, Owner
from chapters.c03.registry import Registry, T

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from anyio.abc import TaskGroup

    Observer = Callable[[str, Frame], None]


class UnknownAlias(Fault):
    """No spec has this alias."""

    code = "mcp_unknown_alias"
    sentence = "There is no server of that name."


class AlreadyConnected(Fault):
    """The alias is connected; nothing was changed."""

    code = "mcp_already_connected"
    sentence = "The server is connected already."


class NotConnected(Fault):
    """The alias is not connected; nothing was changed."""

    code = "mcp_not_connected"
    sentence = "The server is not connected."


class Pool(Generic[T]):
    """The connections there are, by alias. Made by :func:`open_pool`."""

    def __init__(self, group: TaskGroup, make_owner: dict[str, Callable[[], Owner[T]]]) -> None:
        self._group = group
        self._make_owner = make_owner
        self.owners: dict[str, Owner[T]] = {}

    @property
    def aliases(self) -> tuple[str, ...]:
        """The aliases that can be connected."""
        return tuple(self._make_owner)

    @property
    def connected(self) -> tuple[str, ...]:
        """The aliases that are connected now."""
        return tuple(alias for alias, owner in self.owners.items() if owner.connection)

    async def connect(self, alias: str) -> Connection:
        """Connect an alias, publish its tools, and return once they are there.

        A second call at the same moment waits for the first one's connection. Raises a
        :class:`~chapters.c02.faults.Fault`, and then nothing is left of the attempt.
        """
        if alias not in self._make_owner:
            raise UnknownAlias(alias)
        owner = self.owners.get(alias)
        if owner is None:
            owner = self._make_owner[alias]()
            self._group.start_soon(owner.run)  # refused once the pool is closed
            self.owners[alias] = owner
        elif owner.connection:
            raise AlreadyConnected(alias)
        return await owner.connected()

    async def disconnect(self, alias: str) -> None:
        """Revoke an alias's tools at once, and return when its server is stopped.

        Raises :class:`UnknownAlias` and :class:`NotConnected`.
        """
        if alias not in self._make_owner:
            raise UnknownAlias(alias)
        owner = self.owners.get(alias)
        if owner is None:
            raise NotConnected(alias)
        owner.drop()
        await owner.gone.wait()


@asynccontextmanager
async def open_pool(
    specs: Iterable[Spec],
    registry: Registry[T],
    admit: Admit[T],
    *,
    opener: Opener = open_in_its_own_group,
    on_lost: Callable[[str], None] | None = None,
    observer: Observer | None = None,
) -> AsyncIterator[Pool[T]]:
    """Open a pool whose connections publish in ``registry`` what ``admit`` makes of their tools.

    ``opener`` opens a spec's connection; the default knows stdio servers. ``on_lost`` is told the
    alias of a server that died while nobody called it. ``observer`` is shown each frame with its
    alias. However the context is left, every connection is stopped, side by side, before it is
    over. What the body raises comes out as it was raised.
    """
    by_alias = _by_alias(specs)
    raised: Exception | None = None
    async with anyio.create_task_group() as group:

        def ended(owner: Owner[T], lost_while_idle: bool) -> None:
            if pool.owners.get(owner.spec.alias) is owner:
                del pool.owners[owner.spec.alias]
            if on_lost and lost_while_idle:
                on_lost(owner.spec.alias)

        def maker(spec: Spec) -> Callable[[], Owner[T]]:
            watch = (lambda frame: observer(spec.alias, frame)) if observer else None
            return lambda: Owner(spec, opener, registry, admit=admit, on_end=ended, observer=watch)

        pool: Pool[T] = Pool(group, {alias: maker(spec) for alias, spec in by_alias.items()})
        try:
            yield pool
        except Exception as error:
            raised = error
        group.cancel_scope.cancel()
    if raised is not None:
        raise raised


def _by_alias(specs: Iterable[Spec]) -> dict[str, Spec]:
    by_alias: dict[str, Spec] = {}
    for spec in specs:
        if by_alias.setdefault(spec.alias, spec) is not spec:
            raise SpecError(f"two specs have the alias {spec.alias!r}.")
    return by_alias

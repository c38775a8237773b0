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

    def __init__(
        self,
        group: TaskGroup,
        specs: dict[str, Spec],
        registry: Registry[T],
        admit: Admit[T],
        *,
        opener: Opener,
        on_lost: Callable[[str], None] | None,
        observer: Observer | None,
    ) -> None:
        self._group = group
        self._specs = specs
        self._registry = registry
        self._admit = admit
        self._opener = opener
        self._on_lost = on_lost
        self._observer = observer
        self._owners: dict[str, Owner[T]] = {}

    @property
    def aliases(self) -> tuple[str, ...]:
        """The aliases that can be connected."""
        return tuple(self._specs)

    @property
    def connected(self) -> tuple[str, ...]:
        """The aliases that are connected now."""
        return tuple(alias for alias, owner in self._owners.items() if owner.connection)

    async def connect(self, alias: str) -> Connection:
        """Connect an alias, publish its tools, and return once they are there.

        A second call at the same moment waits for the first one's connection. Raises a
        :class:`~chapters.c02.faults.Fault`, and then nothing is left of the attempt.
        """
        if alias not in self._specs:
            raise UnknownAlias(alias)
        owner = self._owners.get(alias)
        if owner is None:
            owner = self._owner_of(self._specs[alias])
            self._group.start_soon(owner.run)  # refused once the pool is closed
            self._owners[alias] = owner
        elif owner.connection:
            raise AlreadyConnected(alias)
        return await owner.connected()

    async def disconnect(self, alias: str) -> None:
        """Revoke an alias's tools at once, and return when its server is stopped.

        Raises :class:`UnknownAlias` and :class:`NotConnected`.
        """
        if alias not in self._specs:
            raise UnknownAlias(alias)
        owner = self._owners.get(alias)
        if owner is None:
            raise NotConnected(alias)
        owner.drop()
        await owner.gone.wait()

    def _owner_of(self, spec: Spec) -> Owner[T]:
        show = self._observer
        return Owner(
            spec,
            self._opener,
            self._registry,
            admit=self._admit,
            on_end=self._ended,
            observer=(lambda frame: show(spec.alias, frame)) if show else None,
        )

    def _ended(self, owner: Owner[T], lost_while_idle: bool) -> None:
        alias = owner.spec.alias
        if self._owners.get(alias) is owner:
            del self._owners[alias]
        if self._on_lost and lost_while_idle:
            self._on_lost(alias)


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
        pool = Pool(
            group, by_alias, registry, admit, opener=opener, on_lost=on_lost, observer=observer
        )
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

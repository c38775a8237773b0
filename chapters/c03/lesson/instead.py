"""What c03's wrong answers put in the place of its mechanisms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from chapters.c02 import Connection, ServerSpec
from chapters.c02.connection import stdio_transport
from chapters.c03.calls import CallTimedOut, ConnectionLost, RemoteError, call_once
from chapters.c03.names import local_name
from chapters.c03.owner import Owner
from chapters.c03.registry import Registry, RegistrySnapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import CallResult
    from chapters.c02.wire import Streams
    from chapters.c03.pool import Pool


def dotted_name(alias: str, tool: str) -> str:
    return f"{alias}.{tool}"


async def disconnect_everything(self: Pool[Any], _alias: str) -> None:
    for owner in list(self._owners.values()):
        owner.drop()
        await owner.gone.wait()


_call = Owner.call
_connected = Owner.connected
_revoke = Registry.revoke


async def call_and_drop(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    try:
        return await _call(self, tool, arguments)
    except RemoteError:
        self.drop()
        raise


async def call_and_keep(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    if self.connection is None or self.connection.wire.ended.is_set():
        raise ConnectionLost(self.spec.alias)
    return await call_once(self.connection, tool, arguments)


async def call_by_the_clock(
    connection: Connection, tool: str, arguments: dict[str, Any]
) -> CallResult:
    try:
        return await call_once(connection, tool, arguments)
    except ConnectionLost as lost:
        raise CallTimedOut(lost.alias, lost.detail) from lost


async def call_by_the_peers_word(
    connection: Connection, tool: str, arguments: dict[str, Any]
) -> CallResult:
    try:
        return await call_once(connection, tool, arguments)
    except RemoteError as error:
        if error.detail.startswith("-32001"):  # which some peers mean as "request timeout"
            raise CallTimedOut(error.alias, error.detail) from error
        raise


async def poll_once_a_minute(owner: Owner[Any], connection: Connection) -> None:
    looked = anyio.current_time()
    while not owner._released:  # what is given up here needs no looking for
        await anyio.sleep(0.1)
        if anyio.current_time() - looked > 60:
            looked = anyio.current_time()
            if connection.wire.ended.is_set():
                return


def revoke_by_name(self: Registry[Any], owner: object) -> None:
    if not isinstance(owner, Connection):
        _revoke(self, owner)
        return
    names = {local_name(owner.alias, tool.name) for tool in owner.tools}
    for share in self._shares:
        if names & share.tools.keys():
            _revoke(self, share.owner)


_snapshot = Registry.snapshot


class _Live(Mapping[str, Any]):
    def __init__(self, registry: Registry[Any]) -> None:
        self._registry = registry

    def _tools(self) -> Mapping[str, Any]:
        return _snapshot(self._registry).tools

    def __getitem__(self, name: str) -> Any:
        return self._tools()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools())

    def __len__(self) -> int:
        return len(self._tools())


def live_snapshot(self: Registry[Any]) -> RegistrySnapshot[Any]:
    return RegistrySnapshot(_Live(self))


_CURRENT: dict[str, Owner[Any]] = {}


async def connected_and_current(self: Owner[Any]) -> Connection:
    connection = await _connected(self)
    _CURRENT[self.spec.alias] = self
    return connection


async def call_the_current(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    return await _call(_CURRENT[self.spec.alias], tool, arguments)


_TURN = anyio.Lock()


@asynccontextmanager
async def transport_that_waits_its_turn(spec: ServerSpec) -> AsyncIterator[Streams]:
    with ExitStack() as when_closed:
        async with stdio_transport(spec) as streams:
            try:
                yield streams
            finally:
                with anyio.CancelScope(shield=True):
                    await _TURN.acquire()
                when_closed.callback(_TURN.release)

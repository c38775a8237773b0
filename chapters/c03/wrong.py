"""c03's wrong answers."""

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
from chapters.c03.pool import Pool
from chapters.c03.registry import Registry, RegistrySnapshot
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import CallResult
    from chapters.c02.wire import Streams


def _dotted(alias: str, tool: str) -> str:
    return f"{alias}.{tool}"


async def _disconnect_everything(self: Pool[Any], _alias: str) -> None:
    for owner in list(self._owners.values()):
        owner.drop()
        await owner.gone.wait()


_call = Owner.call
_connected = Owner.connected
_revoke = Registry.revoke


async def _call_and_drop(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    try:
        return await _call(self, tool, arguments)
    except RemoteError:
        self.drop()
        raise


async def _call_and_keep(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    if self.connection is None or self.connection.wire.ended.is_set():
        raise ConnectionLost(self.spec.alias)
    return await call_once(self.connection, tool, arguments)


async def _call_by_the_clock(
    connection: Connection, tool: str, arguments: dict[str, Any]
) -> CallResult:
    try:
        return await call_once(connection, tool, arguments)
    except ConnectionLost as lost:
        raise CallTimedOut(lost.alias, lost.detail) from lost


async def _call_by_the_peers_word(
    connection: Connection, tool: str, arguments: dict[str, Any]
) -> CallResult:
    try:
        return await call_once(connection, tool, arguments)
    except RemoteError as error:
        if error.detail.startswith("-32001"):  # which some peers mean as "request timeout"
            raise CallTimedOut(error.alias, error.detail) from error
        raise


async def _poll(owner: Owner[Any], connection: Connection) -> None:
    looked = anyio.current_time()
    while not owner._released:  # what is given up here needs no looking for
        await anyio.sleep(0.1)
        if anyio.current_time() - looked > 60:
            looked = anyio.current_time()
            if connection.wire.ended.is_set():
                return


def _revoke_by_name(self: Registry[Any], owner: object) -> None:
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


def _view(self: Registry[Any]) -> RegistrySnapshot[Any]:
    return RegistrySnapshot(_Live(self))


_CURRENT: dict[str, Owner[Any]] = {}


async def _connected_and_current(self: Owner[Any]) -> Connection:
    connection = await _connected(self)
    _CURRENT[self.spec.alias] = self
    return connection


async def _call_the_current(self: Owner[Any], tool: str, arguments: dict[str, Any]) -> CallResult:
    return await _call(_CURRENT[self.spec.alias], tool, arguments)


_TURN = anyio.Lock()


@asynccontextmanager
async def _transport_that_waits_its_turn(spec: ServerSpec) -> AsyncIterator[Streams]:
    with ExitStack() as when_closed:
        async with stdio_transport(spec) as streams:
            try:
                yield streams
            finally:
                with anyio.CancelScope(shield=True):
                    await _TURN.acquire()
                when_closed.callback(_TURN.release)


WRONG_ANSWERS = [
    WrongAnswer(
        "dotted-names",
        ("c03.local-names",),
        belief="alias, dot, tool is how one names a thing in a thing.",
        cost="A model provider that takes letters, digits and _ refuses the whole request.",
        instead=((local_name, _dotted),),
    ),
    WrongAnswer(
        "one-scope-for-all",
        ("c03.beta-survives",),
        belief="connections that are opened together may be closed together.",
        cost="Whoever disconnects one server disconnects all.",
        instead=((Pool.disconnect, _disconnect_everything),),
    ),
    WrongAnswer(
        "error-means-broken",
        ("c03.business-error",),
        belief="a call that ends in an error says that the server is no good any more.",
        cost="A typing error in an argument takes away every tool of the server.",
        instead=((Owner.call, _call_and_drop),),
    ),
    WrongAnswer(
        "peers-word",
        ("c03.peers-code",),
        belief="error code -32001 means that the request has timed out.",
        cost="A server that answers is dropped, on its own word.",
        instead=((call_once, _call_by_the_peers_word),),
    ),
    WrongAnswer(
        "timeout-keeps",
        ("c03.timeout",),
        belief="a slow call is no reason to lose the connection.",
        cost="The next calls wait behind one that may never end, on a server in an unknown state.",
        instead=((Owner.call, _call_and_keep),),
    ),
    WrongAnswer(
        "everything-is-a-timeout",
        ("c03.exit-during-call",),
        belief="a call that gets no answer has timed out, whatever the reason.",
        cost="""The operator looks for a slow server where there is a crashed one; taken by the
        letter, every caller also waits for the whole deadline.""",
        instead=((call_once, _call_by_the_clock),),
    ),
    WrongAnswer(
        "poll-once-a-minute",
        ("c03.exit-while-idle",),
        belief="somebody has to look from time to time whether the server is still there.",
        cost="For up to a minute the model is offered tools that are gone.",
        instead=((Owner._watch, _poll),),
    ),
    WrongAnswer(
        "revoke-by-name",
        ("c03.late-revoke",),
        belief="a tool is its name, so whoever published a name may remove it.",
        cost="An old connection's late clean-up takes the tools of its successor away.",
        instead=((Registry.revoke, _revoke_by_name),),
    ),
    WrongAnswer(
        "live-view",
        ("c03.old-snapshot", "c05.same-reply", "c05.disconnected"),
        belief="a view of the registry is as good as a snapshot, and always up to date.",
        cost="""Tools appear and vanish between two calls of one reply, and the model is held to
        tools that it was never shown.""",
        instead=((Registry.snapshot, _view),),
    ),
    WrongAnswer(
        "call-by-alias",
        ("c03.old-snapshot-call", "c05.reconnected"),
        belief="a tool belongs to its server, whichever connection that has at the moment.",
        cost="A call that was decided on for one server process is carried out by another.",
        instead=((Owner.connected, _connected_and_current), (Owner.call, _call_the_current)),
    ),
    WrongAnswer(
        "one-after-the-other",
        ("c03.stopping",),
        belief="a loop over the connections closes them all.",
        cost="Twenty servers that take four seconds each to stop hold Ctrl-C up for eighty.",
        instead=((stdio_transport, _transport_that_waits_its_turn),),
    ),
]

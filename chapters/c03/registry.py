"""The registry: one immutable snapshot, replaced in one assignment.

All of an owner's tools appear together and vanish together, and whoever took a snapshot earlier
keeps exactly what it listed. An owner is an object, and is known by its identity: revoking a dead
connection cannot take away what its successor has published under the same names.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Named(Protocol):
    """What the registry needs to know of a tool."""

    @property
    def name(self) -> str:
        """The local name, unique in a snapshot."""
        ...


T = TypeVar("T", bound=Named)


class PublishError(Exception):
    """A name is taken, or the owner has published already. The registry is unchanged."""


@dataclass(frozen=True)
class RegistrySnapshot(Generic[T]):
    """The set of tools that one model request and its reply share. It never changes.

    It iterates over its tools in a stable order: local ones first, then by alias and name.
    """

    tools: Mapping[str, T]

    def get(self, name: str) -> T | None:
        """Return the tool with this local name, or None."""
        return self.tools.get(name)

    def __iter__(self) -> Iterator[T]:
        return iter(self.tools.values())

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: str) -> bool:
        return name in self.tools


@dataclass(frozen=True)
class _Share(Generic[T]):
    """One owner's share of the registry."""

    owner: object
    alias: str
    tools: dict[str, T]


class Registry(Generic[T]):
    """Who has published which tools."""

    def __init__(self) -> None:
        self._shares: tuple[_Share[T], ...] = ()
        self._snapshot: RegistrySnapshot[T] = RegistrySnapshot(MappingProxyType({}))

    def snapshot(self) -> RegistrySnapshot[T]:
        """Return the current snapshot; it costs nothing, whatever the registry holds."""
        return self._snapshot

    # --8<-- [start:publish-and-revoke]
    def publish(self, owner: object, tools: Iterable[T], alias: str = "") -> None:
        """Add all of an owner's tools at once.

        ``alias`` is the server's, and empty for local tools, which so come first.
        Raises :class:`PublishError`, with nothing changed, for a name that is taken and for an
        owner that has published already.
        """
        if any(share.owner is owner for share in self._shares):
            raise PublishError("this owner has published already: revoke first")
        mine: dict[str, T] = {}
        for tool in sorted(tools, key=lambda tool: tool.name):
            if tool.name in mine or tool.name in self._snapshot:
                raise PublishError(f"the name {tool.name} is taken")
            mine[tool.name] = tool
        share = _Share(owner, alias, mine)
        self._swap(tuple(sorted((*self._shares, share), key=lambda share: share.alias)))

    def revoke(self, owner: object) -> None:
        """Remove all of an owner's tools at once; an owner that has none is no error."""
        left = tuple(share for share in self._shares if share.owner is not owner)
        if len(left) < len(self._shares):
            self._swap(left)

    def _swap(self, shares: tuple[_Share[T], ...]) -> None:
        merged: dict[str, T] = {}
        for share in shares:
            merged |= share.tools
        self._shares = shares
        self._snapshot = RegistrySnapshot(MappingProxyType(merged))
        # --8<-- [end:publish-and-revoke]

"""The registry against a simple model, in any order of events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from chapters.c03 import PublishError, Registry, RegistrySnapshot


@dataclass(frozen=True)
class Tool:
    name: str


class Owner:
    """An owner that claims to equal every other one. Only its identity counts."""

    def __init__(self, alias: str) -> None:
        self.alias = alias

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class RegistryMachine(RuleBasedStateMachine):
    """Publishes, revokes and takes snapshots, beside a list of (alias, owner, names)."""

    owners = Bundle("owners")
    snapshots: Bundle[tuple[RegistrySnapshot[Tool], list[str]]] = Bundle("snapshots")

    def __init__(self) -> None:
        super().__init__()
        self.registry: Registry[Tool] = Registry()
        self.model: list[tuple[str, Owner, list[str]]] = []

    def names(self) -> list[str]:
        return [
            name
            for _, _, names in sorted(self.model, key=lambda share: share[0])
            for name in sorted(names)
        ]

    @rule(target=owners, alias=st.sampled_from(["", "a", "b", "b_c"]))
    def connect(self, alias: str) -> Owner:
        return Owner(alias)

    @rule(owner=owners, tools=st.lists(st.sampled_from("xyz"), max_size=4))
    def publish(self, owner: Owner, tools: list[str]) -> None:
        names = [f"{owner.alias}__{tool}" for tool in tools]
        has_published = any(other is owner for _, other, _ in self.model)
        taken = len(set(names)) < len(names) or set(names) & set(self.names())
        before = self.registry.snapshot()
        try:
            self.registry.publish(owner, [Tool(name) for name in names], owner.alias)
        except PublishError:
            assert has_published or taken
            assert self.registry.snapshot() is before
        else:
            assert not has_published
            assert not taken
            self.model.append((owner.alias, owner, names))

    @rule(owner=owners)
    def revoke(self, owner: Owner) -> None:
        self.registry.revoke(owner)
        self.model = [share for share in self.model if share[1] is not owner]

    @rule(target=snapshots)
    def take(self) -> tuple[RegistrySnapshot[Tool], list[str]]:
        return self.registry.snapshot(), self.names()

    @rule(taken=consumes(snapshots))
    def an_earlier_snapshot_never_changed(
        self, taken: tuple[RegistrySnapshot[Tool], list[str]]
    ) -> None:
        snapshot, names = taken
        assert [tool.name for tool in snapshot] == names

    @invariant()
    def the_snapshot_is_what_the_model_says(self) -> None:
        assert [tool.name for tool in self.registry.snapshot()] == self.names()


TestRegistry: Any = RegistryMachine.TestCase


def test_a_snapshot_cannot_be_written_to() -> None:
    registry: Registry[Tool] = Registry()
    registry.publish(object(), [Tool("a")])
    with pytest.raises(TypeError):
        registry.snapshot().tools["b"] = Tool("b")  # type: ignore[index]  # it must not work


def test_taking_a_snapshot_is_handing_out_the_same_object() -> None:
    registry: Registry[Tool] = Registry()
    assert registry.snapshot() is registry.snapshot()

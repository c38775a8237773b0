"""A spec is frozen and validated."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from chapters.c02 import ServerSpec, SpecError


@pytest.mark.parametrize("alias", ["a", "demo_alpha", "time2", "2", "a" * 24, "a_1_b"])
def test_an_alias_is_words_joined_by_single_underscores(alias: str) -> None:
    assert ServerSpec(alias, "server").alias == alias


@pytest.mark.parametrize(
    "alias",
    ["", "A", "a b", "a-b", "a__b", "_a", "a_", "a\n", "é", "\uff41", "\u0663", "a.b", "a" * 25],
)
def test_any_other_alias_is_refused(alias: str) -> None:
    with pytest.raises(SpecError, match="cannot be an alias"):
        ServerSpec(alias, "server")


@pytest.mark.parametrize("command", ["", " ", "\t\n"])
def test_an_empty_command_is_refused(command: str) -> None:
    with pytest.raises(SpecError, match="command is empty"):
        ServerSpec("a", command)


@pytest.mark.parametrize(
    "spec",
    [
        {"command": "a\0b"},
        {"command": "a", "args": ("\0",)},
        {"command": "a", "env": {"A": "\0"}},
        {"command": "a", "cwd": "\0"},
    ],
)
def test_a_nul_character_is_refused(spec: dict[str, object]) -> None:
    with pytest.raises(SpecError, match="NUL"):
        ServerSpec("a", **spec)  # type: ignore[arg-type]  # one of several fields


def test_arguments_as_one_text_are_refused() -> None:
    with pytest.raises(SpecError, match="sequence"):
        ServerSpec("a", "server", args="-m x")  # type: ignore[arg-type]  # which is what is refused


@pytest.mark.parametrize(
    "spec",
    [
        {"alias": 3, "command": "a"},
        {"alias": "a", "command": 3},
        {"alias": "a", "command": "a", "args": (3,)},
        {"alias": "a", "command": "a", "env": {"A": None}},
    ],
)
def test_what_is_no_text_is_refused(spec: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        ServerSpec(**spec)  # type: ignore[arg-type]  # which is what is refused


@pytest.mark.parametrize("name", ["", "A=B"])
def test_a_variable_needs_a_name_that_can_be_one(name: str) -> None:
    with pytest.raises(SpecError, match="environment variable"):
        ServerSpec("a", "server", env={name: "x"})


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, 10**400, "5", None])
@pytest.mark.parametrize("name", ["connect_timeout", "call_timeout"])
def test_a_timeout_is_a_time_that_can_pass(name: str, seconds: object) -> None:
    with pytest.raises(SpecError, match=f"{name} should be a number of seconds"):
        ServerSpec("a", "server", **{name: seconds})  # type: ignore[arg-type]  # either timeout


def test_frozen_means_frozen() -> None:
    env = {"A": "1"}
    spec = ServerSpec("a", "server", env=env)
    env["B"] = "2"
    assert dict(spec.env) == {"A": "1"}
    with pytest.raises(TypeError):
        spec.env["B"] = "2"  # type: ignore[index]  # which is what must not work
    with pytest.raises(FrozenInstanceError):
        spec.alias = "b"  # type: ignore[misc]  # which is what must not work

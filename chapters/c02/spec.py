"""A server's spec: what is started under which alias. Written locally, never by a server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

ALIAS = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
ALIAS_LENGTH = 24
LONGEST_SECONDS = 24 * 60 * 60


class Spec(Protocol):
    """What every spec has, whatever it takes to reach its server. Times are in seconds."""

    @property
    def alias(self) -> str:
        """The local name that stands for the server."""
        ...

    @property
    def connect_timeout(self) -> float:
        """How long connecting may take, the last page of tools included."""
        ...

    @property
    def call_timeout(self) -> float:
        """How long one call may take."""
        ...


class SpecError(ValueError):
    """A spec makes no sense; the text says which field and why."""


@dataclass(frozen=True)
class ServerSpec:
    """How to start one stdio server, and how patient to be with it.

    ``alias`` is the local name: lower-case words joined by single underscores, at most 24
    characters, so that no two pairs of alias and tool can make the same local name. ``env`` is
    added to the short list of safe variables that a child gets. Timeouts are in seconds.

    Raises :class:`SpecError` for anything that could not be meant.
    """

    alias: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    connect_timeout: float = 15.0
    call_timeout: float = 30.0

    def __post_init__(self) -> None:
        check_alias(self.alias)
        args: object = self.args
        if isinstance(args, str):
            raise SpecError(f"{self.alias}: the arguments should be a sequence, not one text.")
        texts: tuple[object, ...] = (
            self.command, *self.args, *self.env, *self.env.values(), self.cwd or ""
        )  # fmt: skip
        for text in texts:
            if not isinstance(text, str):
                raise SpecError(f"{self.alias}: {text!r:.80} should be a text.")
            if "\0" in text:
                raise SpecError(f"{self.alias}: a NUL character cannot be handed to a program.")
        if not self.command.strip():
            raise SpecError(f"{self.alias}: the command is empty.")
        for name in self.env:
            if not name or "=" in name:
                raise SpecError(f"{self.alias}: {name!r} cannot name an environment variable.")
        check_timeout(self.alias, "connect_timeout", self.connect_timeout)
        check_timeout(self.alias, "call_timeout", self.call_timeout)
        # Frozen means frozen: later changes to the caller's containers are not ours.
        object.__setattr__(self, "args", tuple(self.args))
        object.__setattr__(self, "env", MappingProxyType(dict(self.env)))


def check_alias(alias: object) -> None:
    """Raise :class:`SpecError` unless ``alias`` follows the rule."""
    if not isinstance(alias, str) or len(alias) > ALIAS_LENGTH or not ALIAS.fullmatch(alias):
        raise SpecError(
            f"{alias!r:.80} cannot be an alias: use lower-case words and digits joined by single "
            f"underscores, at most {ALIAS_LENGTH} characters."
        )


def check_timeout(alias: str, name: str, seconds: object) -> None:
    """Raise :class:`SpecError` unless ``seconds`` is a time that somebody would wait."""
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not (number and 0 < cast("float", seconds) <= LONGEST_SECONDS):
        raise SpecError(
            f"{alias}: {name} should be a number of seconds above 0 and at most {LONGEST_SECONDS}, "
            f"not {seconds!r:.40}."
        )

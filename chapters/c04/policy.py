"""The allowlist: which servers there are and what each of their tools may do. Local, and trusted.

An alias is all that anybody can choose at run time. Were a command, an argument, a directory, a
variable or a URL taken from a model or a server, connecting would be a second shell.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from chapters.c02 import Fault, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chapters.c02 import Spec

Effect = Literal["read", "write"]
"""What an exposed tool may do: one that only reads runs unasked."""

Decision = Effect | Literal["withheld"]
"""What a policy says of a published tool: how it is exposed, or that it is known and set aside."""


class PolicyMismatch(Fault):
    """The server does not publish exactly the tools that the policy names."""

    code = "mcp_policy_mismatch"
    sentence = "The server does not publish exactly what the local policy names."


@dataclass(frozen=True)
class ToolPolicy:
    """What the local owner says about one remote tool.

    ``effect`` decides whether it runs unasked. A tool that is ``"withheld"`` has to be published
    like any other, and is otherwise not there: it has no local name, its schemas are not read, and
    nobody can call it. A ``description`` that is given here is shown to the model instead of the
    server's.
    """

    effect: Decision
    description: str | None = None


# --8<-- [start:allowed-server]
@dataclass(frozen=True)
class AllowedServer:
    """A server on the allowlist: how to reach it, and the policy for each of its tools by name."""

    spec: Spec
    tools: Mapping[str, ToolPolicy]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", MappingProxyType(dict(self.tools)))

    def effects(self) -> dict[str, Effect]:
        """Return the effect of each tool that is to be exposed, by its published name."""
        return {name: rule.effect for name, rule in self.tools.items() if rule.effect != "withheld"}

    def withholds(self, tool: str) -> bool:
        """Tell whether a published tool is set aside."""
        return tool in self.tools and self.tools[tool].effect == "withheld"

    def require_exactly(self, published: Iterable[str]) -> None:
        """Raise :class:`PolicyMismatch` unless the published names are the policy's.

        One too many could be a tool that nobody looked at; one too few says that this is not the
        server that the owner looked at. The detail tells the operator which.
        """
        names = set(published)
        if names != set(self.tools):
            raise PolicyMismatch(
                self.spec.alias,
                f"published and not in the policy: {sorted(names - set(self.tools))!r:.500}; "
                f"in the policy and not published: {sorted(set(self.tools) - names)!r:.500}",
            )
        # --8<-- [end:allowed-server]


def allowlist(servers: Iterable[AllowedServer]) -> Mapping[str, AllowedServer]:
    """Return the servers by alias. Raises :class:`SpecError` for an alias that comes twice."""
    by_alias: dict[str, AllowedServer] = {}
    for server in servers:
        if server.spec.alias in by_alias:
            raise SpecError(f"the alias {server.spec.alias!r} is on the allowlist twice.")
        by_alias[server.spec.alias] = server
    return MappingProxyType(by_alias)

"""What the local owner says of a server's resources, templates and prompts.

It is as for tools in c04: the policy names everything that is published, exactly, and what is
withheld has to be published and is otherwise not there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from chapters.c04 import PolicyMismatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chapters.c02 import Published

Reading = Literal["read", "withheld"]
"""What a policy says of a resource or template."""

Loading = Literal["load", "withheld"]
"""What a policy says of a prompt: a person may load it, or nobody."""


@dataclass(frozen=True)
class TemplatePolicy:
    """What the local owner says of a template, and of the values that may fill its variables."""

    reading: Reading = "read"
    values: Mapping[str, str] = field(default_factory=dict)
    """An RE2 pattern for each variable that is to be narrower than c07's own rules. It has to
    match the whole value."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


# --8<-- [start:policy]
@dataclass(frozen=True)
class AllowedLists:
    """The policy for what a server publishes beside its tools."""

    resources: Mapping[str, Reading] = field(default_factory=dict)
    """By exact URI."""
    templates: Mapping[str, TemplatePolicy] = field(default_factory=dict)
    """By URI template, as the server writes it."""
    prompts: Mapping[str, Loading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("resources", "templates", "prompts"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def require_exactly(self, alias: str, published: Published) -> None:
        """Raise :class:`~chapters.c04.PolicyMismatch` unless each list is the policy's."""
        _same(alias, "resources", self.resources, [each.uri for each in published.resources])
        readings = {text: rule.reading for text, rule in self.templates.items()}
        templates = [each.uri_template for each in published.templates]
        _same(alias, "templates", readings, templates)
        _same(alias, "prompts", self.prompts, [each.name for each in published.prompts])


def _same(alias: str, what: str, named: Mapping[str, str], published: list[str]) -> None:
    """One that is listed twice is refused too, unless it is withheld anyway."""
    names = set(published)
    counts = Counter(published)
    twice = sorted(name for name in counts if counts[name] > 1 and named.get(name) != "withheld")
    if names != set(named) or twice:
        raise PolicyMismatch(
            alias,
            f"{what} published and not in the policy: {sorted(names - set(named))!r:.500}; "
            f"in the policy and not published: {sorted(set(named) - names)!r:.500}; "
            f"published twice: {twice!r:.500}",
        )
    # --8<-- [end:policy]

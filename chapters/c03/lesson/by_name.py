"""The wrong way: a registry that knows tools by name alone.

It is what one writes first, and it works until a connection dies late. Then its clean-up removes
what its successor has published under the same names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from chapters.c03.registry import T

if TYPE_CHECKING:
    from collections.abc import Iterable


# --8<-- [start:by-name]
class RegistryByName(Generic[T]):
    """Tools by name, without an owner."""

    def __init__(self) -> None:
        self.tools: dict[str, T] = {}

    def publish(self, tools: Iterable[T]) -> None:
        """Add tools, whosever they are."""
        self.tools |= {tool.name: tool for tool in tools}

    def revoke(self, names: Iterable[str]) -> None:
        """Remove tools, whosever they are."""
        for name in names:
            self.tools.pop(name, None)
        # --8<-- [end:by-name]

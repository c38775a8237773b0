"""What of a registry snapshot is in a model's request: its tools, and nothing of the rest.

Connecting a server puts none of its resources or prompts into the model's context. The two tools
for resources are always there, and always the same bytes.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from chapters.c03 import RegistrySnapshot
from chapters.c04 import ExposedTool
from chapters.c07.resources import resource_tools

if TYPE_CHECKING:
    from chapters.c07.exposed import Exposed


# --8<-- [start:view]
def for_the_lead(snapshot: RegistrySnapshot[Exposed]) -> RegistrySnapshot[ExposedTool]:
    """Return the tools of a snapshot, with the two that read the resources of that very snapshot.

    A reply is so carried out against what its request saw, for resources too.
    """
    tools = {tool.name: tool for tool in resource_tools(snapshot)}
    tools |= {each.name: each for each in snapshot if isinstance(each, ExposedTool)}
    return RegistrySnapshot(MappingProxyType(tools))
    # --8<-- [end:view]

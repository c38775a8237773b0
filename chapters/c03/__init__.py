"""c03: prefix, publish, revoke.

Local names; a registry whose tools appear and vanish together; connections that are tasks; three
faults and three transitions; a watchdog that does not poll; and closing that leaves nothing.
"""

from chapters.c03.calls import (
    Answered,
    CallTimedOut,
    ConnectionLost,
    InputRequired,
    RemoteError,
    ResultUnreadable,
)
from chapters.c03.leftovers import open_in_its_own_group
from chapters.c03.named import NamedTool, name_tools
from chapters.c03.names import NameCollision, NameRefused, local_name, local_names
from chapters.c03.owner import Admit, Call, Opener, Owner
from chapters.c03.pool import AlreadyConnected, NotConnected, Pool, UnknownAlias, open_pool
from chapters.c03.registry import PublishError, Registry, RegistrySnapshot

__all__ = [
    "Admit",
    "AlreadyConnected",
    "Answered",
    "Call",
    "CallTimedOut",
    "ConnectionLost",
    "InputRequired",
    "NameCollision",
    "NameRefused",
    "NamedTool",
    "NotConnected",
    "Opener",
    "Owner",
    "Pool",
    "PublishError",
    "Registry",
    "RegistrySnapshot",
    "RemoteError",
    "ResultUnreadable",
    "UnknownAlias",
    "local_name",
    "local_names",
    "name_tools",
    "open_in_its_own_group",
    "open_pool",
]

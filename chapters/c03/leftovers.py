"""A server's own children go when the server goes.

The SDK starts a server as the leader of a process group, and signals the group only where it has
to kill. A server that exits by itself so leaves its children behind. A shell that runs the server
and then kills its own group closes that gap. It lets go of the pipes, so that their ends are the
server's alone: hence the detour over descriptor 3, since a shell gives what it runs in the
background no input of its own.

What means to escape can: a child that starts a session of its own is in another group, and a server
that kills the shell is not ended by it. Only a container or a control group would hold those.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from chapters.c02 import Connection, Frame, ServerSpec, Spec, open_connection, published_tools

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from chapters.c02.connection import Walk

RUN_THEN_END_THE_GROUP = 'exec 3<&0; "$@" <&3 3<&- & exec <&- 3<&- >&-; wait; kill -KILL 0'


def in_its_own_group(spec: ServerSpec) -> ServerSpec:
    """Return the spec, run by a shell that ends the process group after it.

    On Windows, where the SDK puts a server and its children in one job, it is the spec as it was.
    """
    if os.name == "nt":
        return spec
    shell = ("-c", RUN_THEN_END_THE_GROUP, "sh", spec.command, *spec.args)
    return replace(spec, command="/bin/sh", args=shell)


def open_in_its_own_group(
    spec: Spec, observer: Callable[[Frame], None] | None, *, walk: Walk = published_tools
) -> AbstractAsyncContextManager[Connection]:
    """Open a stdio server's connection so that the server's children go when it goes.

    ``walk`` reads its lists.

    Raises TypeError for a spec of another kind: whoever has those hands in an opener for them.
    """
    if not isinstance(spec, ServerSpec):
        raise TypeError(f"{spec.alias}: there is no way here to open a {type(spec).__name__}")
    return open_connection(in_its_own_group(spec), walk=walk, observer=observer)

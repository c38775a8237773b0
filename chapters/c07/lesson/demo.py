"""The specs and policies of the runbook and the wiki, and how the lesson connects them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from chapters.c02 import ServerSpec, open_connection
from chapters.c02.lesson.demo import ROOT
from chapters.c03.leftovers import in_its_own_group
from chapters.c04 import AllowedServer, ToolPolicy
from chapters.c07 import AllowedLists, TemplatePolicy, published_lists

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Literal

    from chapters.c02 import Connection, Frame, Spec
    from chapters.c03 import Opener

READ = ToolPolicy("read")
INDEX = "runbook://index"

THE_RUNBOOK = ServerSpec("runbook", sys.executable, ("-m", "demo_servers.runbook"), cwd=ROOT)
RUNBOOK = AllowedServer(THE_RUNBOOK, {"search_runbook": READ})
WIKI = AllowedServer(
    ServerSpec("wiki", sys.executable, ("-m", "demo_servers.wiki"), cwd=ROOT),
    {"find_page": READ},
)
LISTS = {
    "runbook": AllowedLists(
        resources={INDEX: "read", "runbook://topology": "read", "runbook://diagram": "read"},
        templates={"runbook://page/{slug}": TemplatePolicy()},
        prompts={"triage": "load", "handover": "load"},
    ),
    "wiki": AllowedLists(resources={INDEX: "read"}),
}
"""The runbook's slugs have no pattern of their own here: c07's rules for values hold alone."""


def opening(mode: Literal["auto", "legacy"] = "auto") -> Opener:
    """Return what opens a stdio server in an era, and walks all its lists."""

    def opened(
        spec: Spec, observer: Callable[[Frame], None] | None
    ) -> AbstractAsyncContextManager[Connection]:
        if not isinstance(spec, ServerSpec):
            raise TypeError(f"{spec.alias} is no stdio server")
        own = in_its_own_group(spec)
        return open_connection(own, mode=mode, walk=published_lists, observer=observer)

    return opened

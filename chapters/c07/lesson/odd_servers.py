"""Servers that publish whatever they are told to: a shelf of any length, and a link to anywhere."""

from __future__ import annotations

import json
import sys
from typing import Any

from chapters.c02 import ServerSpec
from chapters.c04 import AllowedServer, ToolPolicy
from chapters.c07 import AllowedLists

ANSWER = """
import json, sys
results = json.loads(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]}
        print(json.dumps(answer), flush=True)
"""

COMPLETE = {"resultType": "complete"}
MORE = {**COMPLETE, "ttlMs": 0, "cacheScope": "private"}


def shelf(resources: int) -> tuple[AllowedServer, AllowedLists]:
    """Return a server that publishes a tool and this many resources, and the policies for it."""
    uris = [f"shelf://{number}" for number in range(resources)]
    listed = [{"uri": uri, "name": uri, "description": "A book on the shelf."} for uri in uris]
    return _answering("shelf", [], listed), AllowedLists(dict.fromkeys(uris, "read"))


def linking(uri: str) -> tuple[AllowedServer, AllowedLists]:
    """Return a server whose tool answers with a link to ``uri``, and the policies for it."""
    link = {"type": "resource_link", "name": "more", "uri": uri}
    return _answering("linking", [link], []), AllowedLists()


def _answering(
    alias: str, content: list[dict[str, Any]], resources: list[dict[str, Any]]
) -> AllowedServer:
    results = {
        "server/discover": {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}, "resources": {}},
            **MORE,
        },
        "tools/list": {"tools": [{"name": "look", "inputSchema": {"type": "object"}}], **MORE},
        "tools/call": {"content": content, **COMPLETE},
        "resources/list": {"resources": resources, **MORE},
        "resources/templates/list": {"resourceTemplates": [], **MORE},
    }
    spec = ServerSpec(alias, sys.executable, ("-c", ANSWER, json.dumps(results)))
    return AllowedServer(spec, {"look": ToolPolicy("read")})

"""A server that publishes whatever it is told to, as a dozen lines of real process.

The lesson needs servers that are wrong in one place each, and nobody publishes those.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from chapters.c02 import ServerSpec

PUBLISH = """
import json, sys
tools = json.loads(sys.argv[1])
more = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
results = {
    "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **more},
    "tools/list": {"tools": tools, **more},
    "tools/call": {"content": [{"type": "text", "text": "called"}], "resultType": "complete"},
}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]}
        print(json.dumps(answer), flush=True)
"""

OBJECT: dict[str, Any] = {"type": "object"}


def publishing(alias: str, tools: dict[str, dict[str, Any]]) -> ServerSpec:
    """Return the spec of a server that publishes these tools: input schemas by name."""
    listed = [{"name": name, "inputSchema": schema} for name, schema in tools.items()]
    return ServerSpec(alias, sys.executable, ("-c", PUBLISH, json.dumps(listed)))

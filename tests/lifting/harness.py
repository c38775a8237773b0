"""The book's modules in a program of its own: three servers, one allowlist, six calls.

Copy it anywhere and run it with the book's folder on PYTHONPATH. It asks before a tool writes, and
keeps the details of what goes wrong in harness.log.
"""

# --8<-- [start:allowlist]
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

import anyio.to_thread

from chapters.c02.faults import Fault
from chapters.c02.spec import ServerSpec
from chapters.c03.pool import open_pool
from chapters.c03.registry import Registry
from chapters.c04.admission import strict_admission
from chapters.c04.exposed import ExposedTool
from chapters.c04.invoker import Invoker
from chapters.c04.policy import AllowedServer, ToolPolicy, allowlist

READ, WRITE = ToolPolicy("read"), ToolPolicy("write")
# A server gets no variable of this process but a few safe ones and those that stand here.
ENVIRONMENT = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}


def demo(alias: str, module: str, tools: Mapping[str, ToolPolicy]) -> AllowedServer:
    """Put a demo server on the allowlist, under an alias of ours."""
    arguments = ("-m", f"demo_servers.{module}")
    return AllowedServer(ServerSpec(alias, sys.executable, arguments, ENVIRONMENT), tools)


TERMS = {"lookup": READ, "wait": READ, "fail": READ, "crash": WRITE, "witness": READ}
SERVERS = allowlist(
    [
        demo("terms", "demo_alpha", TERMS),
        demo("codes", "demo_beta", {"lookup": READ, "history": WRITE}),
        demo("stale", "demo_beta", {"lookup": READ}),  # written before the server got history
    ]
)
# --8<-- [end:allowlist]
# --8<-- [start:program]
CALLS: list[tuple[str, object]] = [
    ("mcp__terms__lookup", {"key": "envelope"}),
    ("mcp__terms__lookup", '{"key": 3}'),
    ("mcp__terms__fail", {}),
    ("mcp__codes__history", {}),
    ("mcp__terms__shell", {}),
]


async def ask(tool: ExposedTool, arguments: Mapping[str, Any]) -> bool:
    """Ask whoever sits at the terminal."""
    question = f"May {tool.name} run with {dict(arguments)}? Type yes or no.\n"
    return await anyio.to_thread.run_sync(input, question, abandon_on_cancel=True) == "yes"


async def main() -> int:
    """Connect, call, disconnect, and call once more by the snapshot of before."""
    registry: Registry[ExposedTool] = Registry()
    invoker = Invoker(ask)
    specs = [server.spec for server in SERVERS.values()]
    async with open_pool(specs, registry, strict_admission(SERVERS)) as pool:
        for alias in pool.aliases:
            try:
                await pool.connect(alias)
            except Fault as fault:
                print(f"{alias}: {fault.code}: {fault.sentence}")
        snapshot = registry.snapshot()
        for tool in snapshot:
            print(f"{tool.name} may {tool.effect}")
        for name, arguments in CALLS:
            print((await invoker.invoke(snapshot, name, arguments)).content)
        await pool.disconnect("terms")
        print((await invoker.invoke(snapshot, *CALLS[0])).content)
    return len(registry.snapshot())  # 0: with the pool every tool is gone


if __name__ == "__main__":
    logging.basicConfig(filename="harness.log", level=logging.INFO)
    sys.exit(anyio.run(main))
    # --8<-- [end:program]

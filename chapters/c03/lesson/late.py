"""What comes late: a dead connection's revoke, and a call by an old snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c03.lesson.by_name import RegistryByName
from chapters.c03.lesson.looking import connect, outcome_of, tool_of, tools_of

if TYPE_CHECKING:
    from chapters.c03 import NamedTool, Pool, Registry
    from chapters.stage import Stage


async def revoking_late(stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]) -> None:
    """Let a dead connection revoke after its successor has published: by name, then by owner."""
    await stage.step(
        "A late revoke",
        """demo_alpha reconnects. Then its old connection cleans up once more, too late. A registry
        that goes by names now loses the successor's tools. Ours goes by owner, and the old
        connection owns nothing any more.""",
    )
    if "demo_alpha" in pool.connected:
        await pool.disconnect("demo_alpha")
    old = await stage.wait_for("connecting demo_alpha", pool.connect("demo_alpha"))
    wrong: RegistryByName[NamedTool] = RegistryByName()
    names = [tool.name for tool in tools_of(registry, "demo_alpha")]
    wrong.publish(registry.snapshot())
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    wrong.revoke(names)
    await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
    wrong.publish(registry.snapshot())

    by_name, by_owner = len(wrong.tools), len(registry.snapshot())
    wrong.revoke(names)
    registry.revoke(old)
    removed = by_owner - len(registry.snapshot())
    stage.table(
        ["revoking goes by", "tools before", "tools after the late revoke"],
        ["name (wrong)", by_name, len(wrong.tools)],
        ["owner", by_owner, len(registry.snapshot())],
    )
    stage.claim("c03.late-revoke", removed)


async def an_old_snapshot(
    stage: Stage, registry: Registry[NamedTool], pool: Pool[NamedTool]
) -> None:
    """Take a snapshot, replace the connection behind it, and use the snapshot."""
    await stage.step(
        "An old snapshot",
        """We take a snapshot. Then we disconnect demo_alpha and connect it again. The registry now
        holds the same names, but they belong to another connection.""",
    )
    old = registry.snapshot()
    tool = tool_of(old, "demo_alpha", "lookup")
    await stage.wait_for("disconnecting demo_alpha", pool.disconnect("demo_alpha"))
    listed = "yes" if tool_of(old, "demo_alpha", "lookup") else "no"
    await stage.wait_for("connecting demo_alpha again", connect(pool, "demo_alpha"))
    _, code = await outcome_of(tool, {"key": "connection"})
    given = code or "the answer of the new connection"
    stage.table(["old snapshot", ""], ["lists demo_alpha's lookup", listed], ["calling it", given])
    stage.claim("c03.old-snapshot", listed)
    stage.claim("c03.old-snapshot-call", given)

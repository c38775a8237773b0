"""Published is not exposed, and a server's claims decide nothing."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING

from chapters.c04 import ExposedTool, Invoker
from chapters.c04.lesson.demo import BETA

if TYPE_CHECKING:
    from chapters.c02 import PublishedTool
    from chapters.c03 import Pool, Registry
    from chapters.stage import Stage


LOOKUP = "mcp__demo_beta__lookup"


HISTORY = "mcp__demo_beta__history"


async def published_and_exposed(
    stage: Stage, registry: Registry[ExposedTool], pool: Pool[ExposedTool]
) -> None:
    """Connect demo_beta and hold what it published against what is exposed."""
    await stage.step(
        "Published is not exposed",
        """demo_beta publishes two tools. Its policy, written here by somebody who has looked, names
        both and gives each an effect. Only that makes them tools of this harness.""",
    )
    connection = await stage.wait_for("connecting demo_beta", pool.connect("demo_beta"))
    exposed = {tool.name: tool for tool in registry.snapshot()}
    stage.table(
        ["published", "its claims", "exposed as", "effect"],
        *(
            [tool.name, claims_of(tool), local.name, local.effect]
            for tool in connection.tools
            for local in exposed.values()
            if local.name.endswith(f"__{tool.name}")
        ),
    )
    policy = {f"mcp__demo_beta__{name}": rule.effect for name, rule in BETA.tools.items()}
    decided_here = {name: tool.effect for name, tool in exposed.items()} == policy
    stage.claim(
        "c04.published-exposed",
        "a local policy and local checks" if decided_here else "the server's annotations",
    )
    chosen = [name for name in inspect.signature(pool.connect).parameters if name != "alias"]
    stage.say(
        f"""connect takes an alias from the allowlist and nothing else, whoever asks. On it stand
        {", ".join(pool.aliases)}."""
    )
    stage.claim("c04.connect-takes", ", ".join(chosen) or "nothing")


def claims_of(tool: PublishedTool) -> str:
    """Return what a server claims about a tool."""
    return ", ".join(f"{name} {json.dumps(said)}" for name, said in tool.claims.items()) or "none"


async def a_claim_decides_nothing(stage: Stage, registry: Registry[ExposedTool]) -> None:
    """Call the tool that claims to read, without and with an approver."""
    await stage.step(
        "A claim decides nothing",
        """demo_beta claims readOnlyHint for history. In truth it clears the history that it shows,
        so its owner here calls it a write. First one code is looked up, so that there is a history:
        -32601, which is JSON-RPC's error code for a method that is not found.""",
    )
    asked: list[str] = []

    async def approve(tool: ExposedTool, _: object) -> bool:
        asked.append(tool.name)
        return True

    snapshot = registry.snapshot()
    await Invoker().invoke(snapshot, LOOKUP, {"key": "-32601"})
    unasked = await Invoker().invoke(snapshot, HISTORY, {})
    first = await Invoker(approve).invoke(snapshot, HISTORY, {})
    second = await Invoker(approve).invoke(snapshot, HISTORY, {})
    stage.table(
        ["history is called", "outcome"],
        ["without an approver", unasked.code],
        ["approved", first.content],
        ["approved again", second.content],
    )
    stage.claim("c04.read-only-claim", "yes" if unasked.ok or not asked else "no")

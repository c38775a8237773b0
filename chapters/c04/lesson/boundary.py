"""What is refused: arguments, whole servers, and a server's own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chapters.c02 import Fault, Frame, said
from chapters.c04 import ExposedTool, Invoker
from chapters.c04.lesson.exposure import LOOKUP

if TYPE_CHECKING:
    from chapters.c03 import Pool, Registry
    from chapters.stage import Stage


async def bad_arguments(stage: Stage, registry: Registry[ExposedTool], sent: list[Frame]) -> None:
    """Call lookup with arguments that break its schema, and count the frames."""
    await stage.step(
        "The schema is a boundary",
        "Arguments are checked here, before anything is sent. These break lookup's schema:",
    )
    before = len(sent)
    rows = []
    for arguments in ({}, {"key": 7}, {"key": "-32601", "extra": True}, '{"key": 1, "key": "a"}'):
        envelope = await Invoker().invoke(registry.snapshot(), LOOKUP, arguments)
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        rows.append([text, envelope.content])
    stage.table(["arguments", "what the model is told"], *rows)
    stage.claim("c04.bad-arguments", len(sent) - before)


async def refusals(stage: Stage, registry: Registry[ExposedTool], pool: Pool[ExposedTool]) -> None:
    """Connect four servers that are wrong in one place each."""
    await stage.step(
        "All or nothing",
        """Four servers, each wrong in one place. A refusal refuses the whole connection, and leaves
        nothing behind. The operator is told the reason; a model gets the code and the sentence.""",
    )
    outcome = {}
    for alias in ("one_more", "one_fewer", "outside_ref", "one_name"):
        outcome[alias] = await _refusal(stage, registry, pool, alias)
    stage.table(["server", "code", "exposed", "for the operator"], *outcome.values())
    stage.claim("c04.one-more", outcome["one_more"][2])
    stage.claim("c04.one-fewer", outcome["one_fewer"][2])
    stage.claim("c04.external-ref", outcome["outside_ref"][1])
    stage.claim("c04.one-name", outcome["one_name"][1])


async def _refusal(
    stage: Stage, registry: Registry[ExposedTool], pool: Pool[ExposedTool], alias: str
) -> tuple[str, str, int, str]:
    try:
        await stage.wait_for(f"connecting {alias}", pool.connect(alias))
        code, detail = "connected", ""
    except Fault as fault:
        code, detail = fault.code, fault.detail
    exposed = sum(tool.alias == alias for tool in registry.snapshot())
    return alias, code, exposed, detail


async def an_envelope(
    stage: Stage, registry: Registry[ExposedTool], pool: Pool[ExposedTool]
) -> None:
    """Call demo_alpha's failing tool, and hold the envelope against what the server said."""
    await stage.step(
        "An envelope is written here",
        "demo_alpha's fail reports a business error whose text holds a private path and a token.",
    )
    connection = await stage.wait_for("connecting demo_alpha", pool.connect("demo_alpha"))
    words = said(await connection.call("fail", {}))
    envelope = await Invoker().invoke(registry.snapshot(), "mcp__demo_alpha__fail", {})
    told = envelope.for_model()
    stage.table(["who", "gets"], ["the wire", words], ["the model", told])
    leaked = [word for word in words.split() if "/" in word or "sk-" in word]
    kept_back = leaked and not any(word in told for word in leaked)
    stage.claim("c04.private-path", "nothing" if kept_back else "all of it")

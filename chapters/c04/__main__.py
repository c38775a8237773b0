"""The lesson of c04, and a learner's own servers under the same policy."""

from __future__ import annotations

import inspect
import json
import sys
from typing import TYPE_CHECKING

from chapters.c02 import Fault, Frame, said
from chapters.c03 import Pool, Registry, open_pool
from chapters.c04 import (
    AllowedServer,
    ExposedTool,
    Invoker,
    allowlist,
    strict_admission,
)
from chapters.c04.demo import ALPHA, BETA, READ
from chapters.c04.odd_servers import OBJECT, publishing
from chapters.c04.own.command import add_options, own_servers
from chapters.stage import Stage, find_chapter, option_parser, read_options, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import PublishedTool

LOOKUP = "mcp__demo_beta__lookup"
HISTORY = "mcp__demo_beta__history"
EXTERNAL = {"type": "object", "$defs": {"unused": {"$ref": "http://127.0.0.1:9/schema.json"}}}


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    registry: Registry[ExposedTool] = Registry()
    sent: list[Frame] = []

    def observe(alias: str, frame: Frame) -> None:
        if frame.direction == "sent":
            sent.append(frame)
        stage.watch(alias)(frame)

    servers = allowlist(
        [
            ALPHA,
            BETA,
            AllowedServer(publishing("one_more", {"a": OBJECT, "b": OBJECT}), {"a": READ}),
            AllowedServer(publishing("one_fewer", {"a": OBJECT}), {"a": READ, "b": READ}),
            AllowedServer(publishing("outside_ref", {"a": EXTERNAL}), {"a": READ}),
            AllowedServer(
                publishing("one_name", {"look-up": OBJECT, "look_up": OBJECT}),
                {"look-up": READ, "look_up": READ},
            ),
        ]
    )
    async with open_pool(
        [server.spec for server in servers.values()],
        registry,
        strict_admission(servers),
        observer=observe,
    ) as pool:
        await published_and_exposed(stage, registry, pool)
        await a_claim_decides_nothing(stage, registry)
        await bad_arguments(stage, registry, sent)
        await refusals(stage, registry, pool)
        await an_envelope(stage, registry, pool)


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


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or try the learner's own servers; return the exit status."""
    parser = option_parser(find_chapter("c04"))
    add_options(parser)
    arguments = parser.parse_args(argv)
    status = own_servers(parser, arguments)
    return run("c04", tell, read_options(arguments)) if status is None else status


if __name__ == "__main__":
    sys.exit(main())

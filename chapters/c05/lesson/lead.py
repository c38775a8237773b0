"""A scripted lead at work, whose every request is looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psutil

from chapters.c04 import allowlist
from chapters.c04.lesson.demo import ALPHA, BETA
from chapters.c05 import Cast, Reply, ScriptedModel, calling, open_runner
from chapters.c05.lesson.helpers import LOOKUP, WATCHDOG, Watched
from chapters.c05.lesson.local import COUNT_WORDS
from chapters.c05.lesson.transcript import first_request_with, in_brief, outcome_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chapters.c05 import Request, Round, Runner
    from chapters.stage import Stage

ALPHA_ALIAS = {"alias": "demo_alpha"}
FIRST = calling(
    ("ask_subagent", {"text": "What can you see?"}),
    ("ask_teammate", {"text": "What can you see?"}),
    ("connect_mcp", ALPHA_ALIAS),
    (LOOKUP, WATCHDOG),
)
SECOND = calling(
    (LOOKUP, WATCHDOG),
    ("disconnect_mcp", ALPHA_ALIAS),
    (LOOKUP, WATCHDOG),
    ("connect_mcp", ALPHA_ALIAS),
    (LOOKUP, WATCHDOG),
)
THIRD = calling(
    (LOOKUP, WATCHDOG),
    ("ask_subagent", {"text": "Look up watchdog."}),
    ("ask_teammate", {"text": "Look up watchdog."}),
    ("mcp__demo_alpha__witness", {}),
)


async def one_snapshot_a_request(stage: Stage, helpers: Mapping[str, Watched]) -> Sequence[Round]:
    """Let a scripted lead connect, call, disconnect and delegate; return every round of it."""
    await stage.step(
        "One snapshot a request",
        """A scripted model plays the lead. Each of its requests shows the tools of one registry
        snapshot. When the model replies, we carry the reply out against that same snapshot.""",
    )

    async def fourth(_: Request) -> Reply:
        await lose_alpha(runner)
        return calling(("count_words", {"text": "nothing to do with demo_alpha"}))

    lead = ScriptedModel([FIRST, SECOND, THIRD, fourth])
    cast = Cast(lead, helpers["subagent"].model, helpers["teammate"].model())
    async with open_runner(
        allowlist([ALPHA, BETA]),
        [COUNT_WORDS],
        cast,
        observer=lambda alias, frame: stage.watch(alias)(frame),
    ) as runner:
        await stage.wait_for("the lead is at work", runner.run("Find out what a watchdog is."))
    transcript = runner.transcript
    stage.table(["request", "tools", "calls in the reply", "outcome"], *in_brief(transcript))
    first, second, *_ = transcript
    stage.claim("c05.same-reply", outcome_of(first, 3))
    stage.claim("c05.first-request", first_request_with(transcript, LOOKUP))
    stage.claim("c05.disconnected", outcome_of(second, 2))
    stage.claim("c05.reconnected", outcome_of(second, 4))
    return transcript


async def lose_alpha(runner: Runner) -> None:
    """Kill demo_alpha while nobody calls it, and return once the watchdog has seen it."""
    witness = runner.transcript[-1].outcomes[-1]
    if witness.ok:
        psutil.Process(json.loads(witness.content)["pid"]).kill()
        await runner.notices.posted.wait()


async def subagents_and_teammates(stage: Stage, helpers: Mapping[str, Watched]) -> None:
    """Look at what the others were shown, and at what came of their calls."""
    await stage.step(
        "Subagents and teammates",
        """The lead asked both of them before and after it connected demo_alpha, and both already
        know the name of demo_alpha's tool. You see the tools that each was shown, and what its
        calls returned.""",
    )
    rows = [
        (who, number, tools, code) for who, w in helpers.items() for number, tools, code in w.seen
    ]
    stage.table(["who", "asked", "tools it was shown", "calling demo_alpha's lookup"], *rows)
    shown = {name for _, _, tools, _ in rows for name in tools.split(", ")}
    stage.claim("c05.others-see", sum(name.startswith("mcp__") for name in shown))
    stage.claim("c05.others-call", " or ".join(sorted({code for *_, code in rows[1::2]})))


async def a_notice(stage: Stage, transcript: Sequence[Round]) -> None:
    """Look at what stood at the top of the request that followed the server's death."""
    await stage.step(
        "A notice",
        """While the lead was thinking about request 4, we killed demo_alpha. No call was waiting
        for an answer. The watchdog revoked the tools, and request 5 began with a notice:""",
    )
    last = transcript[-1].request
    notices = [message.content for message in last.messages if message.role == "harness"]
    stage.table(["request", "notice"], *([last.number, notice] for notice in notices))
    told = notices and LOOKUP not in last.tool_names
    stage.claim("c05.notice", "a notice at the top of its next request" if told else "nothing")

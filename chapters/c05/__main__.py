"""The lesson of c05: a scripted lead whose every request is looked at; or you as the model."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING

import anyio
import psutil

from chapters.c01 import running_children
from chapters.c04 import allowlist
from chapters.c04.demo import ALPHA, BETA
from chapters.c05 import Cast, Reply, Round, ScriptedModel, calling, open_runner
from chapters.c05.local import COUNT_WORDS
from chapters.c05.play import TypedModel, ask_permission
from chapters.stage import (
    Stage,
    find_chapter,
    option_parser,
    read_options,
    refuse_lesson_options,
    run,
    run_program,
)
from chapters.stage.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import Frame
    from chapters.c05 import Request

LOOKUP = "mcp__demo_alpha__lookup"
WATCHDOG = {"key": "watchdog"}
BRIEF = 27
"""How many characters of a result the transcript has room for."""

ALPHA_ALIAS = {"alias": "demo_alpha"}


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    await a_run_of_the_lead(stage)
    await closing_in_the_middle(stage)


async def a_run_of_the_lead(stage: Stage) -> None:
    """Let a scripted lead connect, call, disconnect and delegate, and look at every request."""
    await stage.step(
        "One snapshot a request",
        """A scripted model plays the lead. Each of its requests shows the tools of one registry
        snapshot, and its reply is carried out against that same snapshot.""",
    )
    helpers = {"subagent": Watched(), "teammate": Watched()}

    async def lose_alpha(_: Request) -> Reply:
        """Kill demo_alpha while nobody calls it, before the reply is given."""
        witness = runner.transcript[-1].outcomes[-1]
        if witness.ok:
            psutil.Process(json.loads(witness.content)["pid"]).kill()
            await runner.notices.posted.wait()
        return calling(("count_words", {"text": "nothing to do with demo_alpha"}))

    lead = ScriptedModel(
        [
            calling(
                ("ask_subagent", {"text": "What can you see?"}),
                ("ask_teammate", {"text": "What can you see?"}),
                ("connect_mcp", ALPHA_ALIAS),
                (LOOKUP, WATCHDOG),
            ),
            calling(
                (LOOKUP, WATCHDOG),
                ("disconnect_mcp", ALPHA_ALIAS),
                (LOOKUP, WATCHDOG),
                ("connect_mcp", ALPHA_ALIAS),
                (LOOKUP, WATCHDOG),
            ),
            calling(
                (LOOKUP, WATCHDOG),
                ("ask_subagent", {"text": "Look up watchdog."}),
                ("ask_teammate", {"text": "Look up watchdog."}),
                ("mcp__demo_alpha__witness", {}),
            ),
            lose_alpha,
        ]
    )
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

    await stage.step(
        "Subagents and teammates",
        """Both were asked before and after the lead connected demo_alpha, and both were told its
        tool's name. This is what their own models were shown, and what came of their calls.""",
    )
    rows = [
        (who, number, tools, code) for who, w in helpers.items() for number, tools, code in w.seen
    ]
    stage.table(["who", "asked", "tools it was shown", "calling demo_alpha's lookup"], *rows)
    shown = {name for _, _, tools, _ in rows for name in tools.split(", ")}
    stage.claim("c05.others-see", sum(name.startswith("mcp__") for name in shown))
    stage.claim("c05.others-call", " or ".join(sorted({code for *_, code in rows[1::2]})))

    await stage.step(
        "A notice",
        """While the lead was thinking about request 4, demo_alpha was killed, and no call was there
        to be answered. The watchdog revoked its tools. This stood at the top of request 5:""",
    )
    last = transcript[-1].request
    notices = [message.content for message in last.messages if message.role == "harness"]
    stage.table(["request", "notice"], *([last.number, notice] for notice in notices))
    told = notices and LOOKUP not in last.tool_names
    stage.claim("c05.notice", "a notice at the top of its next request" if told else "nothing")


async def closing_in_the_middle(stage: Stage) -> None:
    """Leave the runner while the lead's call is under way."""
    await stage.step(
        "Closing in the middle of a call",
        "The lead calls a tool that takes a minute, and the runner is left while it waits.",
    )
    before = running_children()
    calling_now = anyio.Event()
    lead = ScriptedModel(
        [
            calling(("connect_mcp", ALPHA_ALIAS)),
            calling(("mcp__demo_alpha__wait", {"seconds": 60})),
        ]
    )

    def observe(alias: str, frame: Frame) -> None:
        stage.watch(alias)(frame)
        if frame.method == "tools/call":
            calling_now.set()

    cast = Cast(lead, lambda: ScriptedModel([]), ScriptedModel([]))

    async def leave() -> int:
        async with (
            open_runner(allowlist([ALPHA]), [COUNT_WORDS], cast, observer=observe) as runner,
            anyio.create_task_group() as group,
        ):

            async def work() -> None:
                await runner.run("Wait.")
                calling_now.set()  # it is over, for there was nothing to wait for

            group.start_soon(work)
            await calling_now.wait()
            during = len(running_children() - before)
            group.cancel_scope.cancel()
        return during

    during = await stage.wait_for("the lead waits for demo_alpha", leave())
    left = len(running_children() - before)
    stage.table(["when", "processes"], ["during the call", during], ["after closing", left])
    stage.claim("c05.closing", left)


class Watched:
    """Scripts for a subagent or teammate, and what they were shown and got."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []

    def model(self) -> ScriptedModel:
        """Return a model that calls demo_alpha's lookup by name and then reports, twice."""

        async def call(_: Request) -> Reply:
            return calling((LOOKUP, WATCHDOG))

        async def report(request: Request) -> Reply:
            code = code_of(request.messages[-1].content)
            when = "before" if not self.seen else "after"
            self.seen.append((when, ", ".join(request.tool_names), code))
            return Reply(f"I was told: {code}")

        return ScriptedModel([call, report, call, report])


def code_of(content: str) -> str:
    """Return the code that a tool's message tells a model of, or ``its answer``."""
    told = json.loads(content) if content.startswith("{") else {}
    return str(told.get("error", "its answer"))


def in_brief(transcript: Sequence[Round]) -> list[list[object]]:
    """Return a transcript as rows: a request's number and tools once, then call by call."""
    rows: list[list[object]] = []
    for turn in transcript:
        remote = sum(name.startswith("mcp__") for name in turn.request.tool_names)
        tools = f"{len(turn.request.tools) - remote} local, {remote} MCP"
        head: list[object] = [turn.request.number, tools]
        for call, outcome in zip(turn.reply.calls, turn.outcomes, strict=True):
            said = outcome.code or outcome.content
            rows.append(
                [*head, call.name, said if len(said) <= BRIEF else f"{said[: BRIEF - 3]}..."]
            )
            head = ["", ""]
        if not turn.reply.calls:
            rows.append([*head, "(none)", turn.reply.text])
    return rows


def outcome_of(turn: Round, number: int) -> str:
    """Return what a call in a reply gave, counted from 0: its failure's code, or its answer."""
    return turn.outcomes[number].code or "its answer"


def first_request_with(transcript: Sequence[Round], tool: str) -> int:
    """Return the number of the first request that shows a tool; 0 for none."""
    return next((t.request.number for t in transcript if tool in t.request.tool_names), 0)


async def play() -> int:
    """Let the reader be the lead's model, over both demo servers."""
    keyboard = Keyboard()
    cast = Cast(TypedModel(keyboard), lambda: ScriptedModel([]), ScriptedModel([]))
    approve = partial(ask_permission, keyboard)
    servers = allowlist([ALPHA, BETA])
    async with open_runner(servers, [COUNT_WORDS], cast, approve=approve) as runner:
        await runner.run("Find out what a watchdog is, and what error code -32601 means.")
    print("\nThe play is over, and every server is stopped.")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Tell the lesson, or play; return the exit status."""
    parser = option_parser(find_chapter("c05"))
    parser.add_argument("--play", action="store_true", help="you are the model: type the calls")
    arguments = parser.parse_args(argv)
    if arguments.play:
        if arguments.json:
            parser.error("--play is told in text: no --json")
        refuse_lesson_options(parser, arguments, "--play")
        return run_program(lambda _: play())
    return run("c05", tell, read_options(arguments))


if __name__ == "__main__":
    sys.exit(main())

"""Prompts: who can load one, and what becomes of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c04 import Invoker
from chapters.c07 import for_the_lead
from chapters.c07.lesson.looking import code_or, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c03 import Registry, RegistrySnapshot
    from chapters.c05 import Message
    from chapters.c07 import Exposed
    from chapters.stage import Stage

TRIAGE = "mcp__runbook__triage"
CHECKOUT = {"service": "checkout", "severity": "high"}
LINE = f"/{TRIAGE} service=checkout severity=high"
SHOWN = 28
"""How many characters of a message the table has room for."""


async def who_loads(stage: Stage, registry: Registry[Exposed]) -> None:
    """Try to load a prompt as a model, under both its names, and as a person."""
    await stage.step(
        "A prompt is a person's",
        """A model has heard of the prompt triage, and calls it under both its names. Then a person
        types its name.""",
    )
    snapshot = registry.snapshot()
    rows = [["the model", name, code] for name, code in (await called(snapshot)).items()]
    messages, code = await typed(snapshot, LINE)
    rows.append(["a person", f"/{TRIAGE}", code or f"{len(messages)} messages"])
    stage.table(["who", "asks for", "and gets"], *rows)
    by_model = any(code == "its messages" for _, _, code in rows)
    stage.claim("c07.who-loads", who(by_model, bool(messages)))


async def called(snapshot: RegistrySnapshot[Exposed]) -> dict[str, str]:
    """Call a prompt as a model would; return what it gets, by the name it tries."""
    lead = for_the_lead(snapshot)
    return {
        name: code_or(await Invoker().invoke(lead, name, CHECKOUT), "its messages")
        for name in (TRIAGE, f"/{TRIAGE}")
    }


def who(model: bool, person: bool) -> str:
    """Return who was able to load a prompt, in the words of the question."""
    match model, person:
        case True, True:
            return "a model or a person"
        case True, False:
            return "a model"
        case False, True:
            return "a person"
    return "nobody"


async def the_words(stage: Stage, registry: Registry[Exposed]) -> None:
    """Load a prompt and look at its messages, one by one."""
    await stage.step(
        "Whose words they are",
        """These are the messages that the person has loaded. The server wrote them, and the lead
        reads them as part of its conversation.""",
    )
    messages, _ = await typed(registry.snapshot(), LINE)
    stage.table(
        ["role", "begins with the line", "and goes on"], *([m.role, *in_brief(m)] for m in messages)
    )
    stage.claim("c07.prompt-role", roles_of(messages))


def in_brief(message: Message) -> list[str]:
    """Return a message's first line, and the beginning of the rest on one line."""
    first, _, rest = message.content.partition("\n")
    line = " ".join(rest.split())
    return [first, line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."]


def roles_of(messages: Sequence[Message]) -> str:
    """Return as what the messages come, in the words of the question."""
    marked = all(message.content.startswith("[external, from ") for message in messages)
    roles = {message.role for message in messages}
    if marked and roles == {"user", "assistant"}:
        return "user and assistant, marked as external"
    return "the harness itself" if "harness" in roles else "something else"

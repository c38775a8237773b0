"""c04's wrong answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c02 import Connection, Fault, ServerSpec
from chapters.c03 import Pool, local_name
from chapters.c04.admission import strict_admission
from chapters.c04.envelope import Envelope, failed, faulted
from chapters.c04.gate.reading import Reading, follow_references
from chapters.c04.invoker import Invoker
from chapters.c04.policy import AllowedServer
from chapters.stage.gallery import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chapters.c03 import Owner, RegistrySnapshot
    from chapters.c04.exposed import ExposedTool

    Admission = Callable[[Connection, Owner[Any]], Sequence[ExposedTool]]

_connect = Pool.connect
_invoke = Invoker.invoke


def _admission_by_hint(servers: Mapping[str, AllowedServer]) -> Admission:
    admit = strict_admission(servers)

    def trusting(connection: Connection, owner: Owner[Any]) -> Sequence[ExposedTool]:
        reads = {
            local_name(connection.alias, tool.name)
            for tool in connection.tools
            if tool.claims.get("readOnlyHint")
        }
        return [
            replace(tool, effect="read") if tool.name in reads else tool
            for tool in admit(connection, owner)
        ]

    return trusting


async def _connect_to_anything(
    self: Pool[Any], alias: str, command: str | None = None, env: dict[str, str] | None = None
) -> Connection:
    if command:  # whoever asks says what runs
        self._specs[alias] = ServerSpec(alias, command, env=env or {})
    return await _connect(self, alias)


def _require_nothing(_server: AllowedServer, _published: Iterable[str]) -> None:
    pass


# --8<-- [start:check-after-sending]
async def _invoke_and_check(
    self: Invoker, snapshot: RegistrySnapshot[ExposedTool], name: str, arguments: object
) -> Envelope:
    tool = snapshot.get(name)
    if tool and isinstance(arguments, dict):
        with suppress(Fault, ValueError):
            await tool.call(arguments)
    return await _invoke(self, snapshot, name, arguments)
    # --8<-- [end:check-after-sending]


def _follow_what_is_here(reading: Reading) -> None:
    for pointer, reference in list(reading.references.items()):
        if not reference.startswith("#"):
            # It will be fetched when a call gets there.
            del reading.references[pointer], reading.ready[pointer]["$ref"]
    follow_references(reading)


def _name_with_hyphens(alias: str, tool: str) -> str:
    return f"mcp__{alias}__{tool}"


def _fault_in_its_own_words(fault: Fault, tool: str | None = None) -> Envelope:
    return failed(fault.code, fault.detail, fault.detail, tool, fault.alias)


WRONG_ANSWERS = [
    WrongAnswer(
        "trust-the-hint",
        ("c04.published-exposed", "c04.read-only-claim"),
        belief="readOnlyHint says whether a tool only reads.",
        cost="The server decides which tools need no approval, and beta's history erases itself.",
        instead=((strict_admission, _admission_by_hint),),
    ),
    WrongAnswer(
        "connect-to-anything",
        ("c04.connect-takes",),
        belief="if a model may connect servers, it should be able to say which ones.",
        cost="Anybody who can talk to the model can run any command they like.",
        instead=((Pool.connect, _connect_to_anything),),
    ),
    WrongAnswer(
        "intersection",
        ("c04.one-more", "c04.one-fewer"),
        belief="a tool that is both published and allowed is safe to expose.",
        cost="The server has changed since its owner looked at it, and nobody notices.",
        instead=((AllowedServer.require_exactly, _require_nothing),),
    ),
    WrongAnswer(
        "check-after-sending",
        ("c04.bad-arguments",),
        belief="it is enough to find out in the end that the arguments were bad.",
        cost="By then the server has already acted on them.",
        instead=((Invoker.invoke, _invoke_and_check),),
    ),
    WrongAnswer(
        "fetch-when-reached",
        ("c04.external-ref",),
        belief="if no call reaches a reference, it does no harm.",
        cost="""A server decides what this process fetches, and when. One call with the right
        arguments, and the harness asks any address that it can reach.""",
        instead=((follow_references, _follow_what_is_here),),
    ),
    WrongAnswer(
        "hyphen-left-alone",
        ("c04.one-name",),
        belief="a name that is legal in MCP is legal everywhere.",
        cost="Two tools differ by one character. Some providers refuse it, and people overlook it.",
        instead=((local_name, _name_with_hyphens),),
    ),
    WrongAnswer(
        "pass-it-on",
        ("c04.private-path",),
        belief="the model helps itself best when it can read the server's own error.",
        cost="The server's paths, tokens and instructions end up in the model's context.",
        instead=((faulted, _fault_in_its_own_words),),
    ),
]

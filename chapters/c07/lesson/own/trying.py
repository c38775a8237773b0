"""Connecting one's own servers with all their lists, and asking them for what is wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from chapters.c02 import Fault
from chapters.c03 import open_in_its_own_group
from chapters.c04.envelope import Envelope, faulted, succeeded
from chapters.c04.invoker import Invoker
from chapters.c04.lesson.own.reasons import reason_of
from chapters.c04.lesson.own.telling import Telling
from chapters.c04.lesson.own.trying import call_all, with_servers
from chapters.c07.admission import admission_of_lists
from chapters.c07.lesson.own.telling import TellingLists
from chapters.c07.prompts import PromptRefused, load_prompt
from chapters.c07.resources import ResourceRefused
from chapters.c07.view import for_the_lead
from chapters.c07.walk import published_lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chapters.c02 import Connection, Spec
    from chapters.c03 import Owner, Registry, RegistrySnapshot
    from chapters.c04.lesson.own.trying import Wanted
    from chapters.c07.exposed import Exposed
    from chapters.c07.lesson.own.servers_file import ServerWithLists


async def try_servers(
    servers: Mapping[str, ServerWithLists],
    wanted: Wanted,
    reads: Sequence[tuple[str, str]],
    prompts: Sequence[tuple[str, Mapping[str, str]]],
    *,
    json: bool,
) -> int:
    """Connect all servers, call, read and load in this order, close; return the exit status.

    A read takes the way of a model's: through the local tool, its checks and its envelope. A prompt
    is loaded as a person does it.
    """
    telling = Telling(json=json)
    lists = TellingLists(telling)
    admit = admission_of_lists(servers, {alias: server.lists for alias, server in servers.items()})

    def noted(connection: Connection, owner: Owner[Any]) -> Sequence[Exposed]:
        lists.published(connection)
        return admit(connection, owner)

    async def ask(registry: Registry[Exposed]) -> None:
        def tools() -> RegistrySnapshot[Any]:
            return for_the_lead(registry.snapshot())

        await call_all(tools, wanted, telling)
        for alias, uri in reads:
            arguments = {"alias": alias, "uri": uri}
            envelope = await Invoker().invoke(tools(), "read_mcp_resource", arguments)
            telling.result(f"{alias} {uri}", envelope, "resource")
        for name, values in prompts:
            telling.result(name, await _loaded(registry.snapshot(), name, values), "prompt")

    return await with_servers(
        servers,
        noted,
        ask,
        telling,
        lambda alias, exposed: lists.connected(servers[alias], exposed),
        opener=partial(open_in_its_own_group, walk=published_lists),
        reason=_reason,
    )


async def _loaded(
    snapshot: RegistrySnapshot[Exposed], name: str, values: Mapping[str, str]
) -> Envelope:
    try:
        messages = await load_prompt(snapshot, name, values)
    except Fault as fault:
        return faulted(fault, name)
    return succeeded(name, None, "\n".join(f"{each.role}: {each.content}" for each in messages))


def _reason(fault: Fault, spec: Spec) -> str:
    if isinstance(fault, ResourceRefused | PromptRefused):
        return (
            "One of the server's resources, templates or prompts cannot be offered here. "
            f"--draft {spec.alias} prints a policy that sets such ones aside."
        )
    return reason_of(fault, spec)

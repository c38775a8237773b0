"""Admission of all that a connection published: its tools as in c04, and its other lists too.

It is all or nothing, as for tools alone: one list that is not the policy's refuses the connection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.types import (
    GetPromptResult,
    InputRequiredResult,
    ReadResourceResult,
)

from chapters.c02 import Connection, NeedsInput
from chapters.c03 import Owner, local_names
from chapters.c03.calls import ask_once
from chapters.c03.names import NAME_LENGTH
from chapters.c04 import strict_admission
from chapters.c07.exposed import (
    Exposed,
    ExposedArgument,
    ExposedPrompt,
    ExposedResource,
    ExposedTemplate,
)
from chapters.c07.policy import AllowedLists
from chapters.c07.prompts import PromptRefused
from chapters.c07.resources import ResourceRefused
from chapters.c07.uris import URI_CHARACTERS, UriError, read_template
from chapters.stage.sight import all_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mcp.types import Prompt, PromptArgument, Resource, ResourceTemplate

    from chapters.c04 import AllowedServer
    from chapters.c07.exposed import Load, Read

ARGUMENTS = 50
"""How many arguments a prompt may declare: a person has to fill them in."""


# --8<-- [start:admission]
def admission_of_lists(
    servers: Mapping[str, AllowedServer], lists: Mapping[str, AllowedLists]
) -> Callable[[Connection, Owner[Any]], Sequence[Exposed]]:
    """Return the admission step for these servers; one that is not in ``lists`` has tools alone.

    It raises as c04's does, and :class:`~chapters.c07.resources.ResourceRefused` or
    :class:`~chapters.c07.prompts.PromptRefused` for what could not be offered safely.
    """
    admit_tools = strict_admission(servers)

    def admit(connection: Connection, owner: Owner[Any]) -> Sequence[Exposed]:
        policy = lists.get(connection.alias, AllowedLists())
        policy.require_exactly(connection.alias, connection.published)
        return [
            *admit_tools(connection, owner),
            *_resources(connection, owner, policy),
            *_prompts(connection, owner, policy),
        ]
        # --8<-- [end:admission]

    return admit


def _resources(
    connection: Connection, owner: Owner[Any], policy: AllowedLists
) -> Iterator[Exposed]:
    alias, read = connection.alias, _reader(owner)
    withheld = [uri for uri, reading in policy.resources.items() if reading == "withheld"]
    withheld += [text for text, rule in policy.templates.items() if rule.reading == "withheld"]
    for resource in connection.published.resources:
        if policy.resources[resource.uri] != "withheld":
            yield expose_resource(alias, resource, read)
    for template in connection.published.templates:
        rule = policy.templates[template.uri_template]
        if rule.reading != "withheld":
            yield expose_template(alias, template, rule.values, read, withheld)


def _prompts(connection: Connection, owner: Owner[Any], policy: AllowedLists) -> Iterator[Exposed]:
    alias = connection.alias
    offered = [p for p in connection.published.prompts if policy.prompts[p.name] != "withheld"]
    names = {raw: name for name, raw in local_names(alias, [p.name for p in offered]).items()}
    for prompt in offered:
        yield expose_prompt(alias, names[prompt.name], prompt, _loader(owner, prompt))


def expose_resource(alias: str, resource: Resource, read: Read) -> ExposedResource:
    """Return what is offered of a resource. Raises :class:`ResourceRefused`."""
    if len(resource.uri) > URI_CHARACTERS:
        raise ResourceRefused(alias, f"a URI is too long: {resource.uri!r:.200}")
    said = _said(resource.title or resource.name, resource.description)
    return ExposedResource(said, alias, resource.uri, read)


def expose_template(
    alias: str,
    published: ResourceTemplate,
    values: Mapping[str, str],
    read: Read,
    withheld: Sequence[str] = (),
) -> ExposedTemplate:
    """Return what is offered of a template. Raises :class:`ResourceRefused`."""
    try:
        template = read_template(published.uri_template, values, withheld)
    except UriError as error:
        raise ResourceRefused(alias, str(error)) from error
    said = _said(published.title or published.name, published.description)
    return ExposedTemplate(said, alias, template, read)


def expose_prompt(alias: str, name: str, prompt: Prompt, load: Load) -> ExposedPrompt:
    """Return what is offered of a prompt under a local name. Raises :class:`PromptRefused`."""
    try:
        arguments = _arguments(prompt.arguments or [])
    except ValueError as error:
        raise PromptRefused(alias, f"{prompt.name!r:.100}: {error}") from error
    said = _said(prompt.title or "", prompt.description)
    return ExposedPrompt(said, f"/{name}", alias, prompt.name, arguments, load)


def _arguments(declared: Sequence[PromptArgument]) -> tuple[ExposedArgument, ...]:
    """Return a prompt's arguments. Raises ValueError for what nobody could type."""
    if len(declared) > ARGUMENTS or len({each.name for each in declared}) < len(declared):
        raise ValueError("it declares too many arguments, or one twice")
    for each in declared:
        if not 0 < len(each.name) <= NAME_LENGTH or "=" in each.name or not all_seen(each.name):
            raise ValueError(f"nobody can type the argument {each.name!r:.100}")
    return tuple(
        ExposedArgument(_said(each.title or "", each.description), each.name, bool(each.required))
        for each in declared
    )


def _said(title: str, description: str | None) -> str:
    return ": ".join(filter(None, [title, description]))


def _reader(owner: Owner[Any]) -> Read:
    async def read(uri: str) -> ReadResourceResult:
        return await owner.ask(lambda connection: ask_once(connection, uri, _read(connection, uri)))

    return read


async def _read(connection: Connection, uri: str) -> ReadResourceResult:
    session = connection.client.session
    result = await session.read_resource(uri, allow_input_required=True)
    if isinstance(result, InputRequiredResult):
        raise NeedsInput("it asks for input")
    return result


def _loader(owner: Owner[Any], prompt: Prompt) -> Load:
    async def load(arguments: Mapping[str, str]) -> GetPromptResult:
        return await owner.ask(
            lambda connection: ask_once(
                connection, prompt.name, _get(connection, prompt.name, dict(arguments))
            )
        )

    return load


async def _get(connection: Connection, name: str, arguments: dict[str, str]) -> GetPromptResult:
    session = connection.client.session
    result = await session.get_prompt(name, arguments, allow_input_required=True)
    if isinstance(result, InputRequiredResult):
        raise NeedsInput("it asks for input")
    return result

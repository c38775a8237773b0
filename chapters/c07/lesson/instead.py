"""What c07's wrong answers put in place of the book's."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
from mcp.types import EmptyResult, SubscribeRequest, SubscribeRequestParams

from chapters.c03 import RegistrySnapshot
from chapters.c04 import ExposedTool, local_tool, strict_admission
from chapters.c07.exposed import ExposedPrompt, ExposedResource, ExposedTemplate
from chapters.c07.prompts import load_prompt
from chapters.c07.resources import list_resources, read_resource
from chapters.c07.view import for_the_lead

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from chapters.c02 import Connection
    from chapters.c03 import Owner, Registry
    from chapters.c04 import AllowedServer
    from chapters.c05 import Message
    from chapters.c07.exposed import Exposed
    from chapters.c07.policy import AllowedLists
    from chapters.c07.uris import Template

Snapshot = RegistrySnapshot[Any]


def admission_of_tools(
    servers: Mapping[str, AllowedServer], _: Mapping[str, AllowedLists]
) -> Callable[[Connection, Owner[Any]], Sequence[Exposed]]:
    return strict_admission(servers)


def with_all_resources(snapshot: Snapshot) -> Snapshot:
    tools = {tool.name: tool for tool in for_the_lead(snapshot)}
    reader = tools["read_mcp_resource"]
    inlined = f"{reader.description}\n{list_resources(snapshot)}"
    tools[reader.name] = replace(reader, description=inlined)
    return RegistrySnapshot(MappingProxyType(tools))


# --8<-- [start:without-alias]
def find_by_uri(
    snapshot: Snapshot, _alias: str, uri: str
) -> ExposedResource | ExposedTemplate | None:
    for each in snapshot:
        if isinstance(each, ExposedResource) and each.uri == uri:
            return each
        if isinstance(each, ExposedTemplate) and each.template.filled_by(uri):
            return each
    return None
    # --8<-- [end:without-alias]


def with_prompts_as_tools(snapshot: Snapshot) -> Snapshot:
    tools = {tool.name: tool for tool in for_the_lead(snapshot)}
    for each in snapshot:
        if isinstance(each, ExposedPrompt):
            tool = _prompt_as_tool(snapshot, each)
            tools[tool.name] = tool
    return RegistrySnapshot(MappingProxyType(tools))


def _prompt_as_tool(snapshot: Snapshot, prompt: ExposedPrompt) -> ExposedTool:
    async def load(arguments: dict[str, Any]) -> str:
        messages = await load_prompt(snapshot, prompt.name, arguments)
        return "\n".join(message.content for message in messages)

    name = prompt.name.removeprefix("/")
    return local_tool(name, prompt.description, {"type": "object"}, "read", load)


async def load_as_the_harness(
    snapshot: Snapshot, name: str, arguments: Mapping[str, str]
) -> list[Message]:
    messages = await load_prompt(snapshot, name, arguments)
    return [message._replace(role="harness") for message in messages]


async def read_or_fetch(snapshot: Snapshot, alias: str, uri: str) -> str:
    where = urlsplit(uri)
    if where.scheme != "http":
        return await read_resource(snapshot, alias, uri)
    async with await anyio.connect_tcp(where.hostname or "", where.port or 80) as stream:
        await stream.send(f"GET {where.path} HTTP/1.0\r\n\r\n".encode())
        return (await stream.receive()).decode()


def revoke_the_tools(self: Registry[Any], owner: object) -> None:
    self._swap(
        tuple(
            replace(share, tools=_without_tools(share.tools)) if share.owner is owner else share
            for share in self._shares
        )
    )


def _without_tools(entries: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in entries.items() if not isinstance(each, ExposedTool)}


def filled_by_anything(self: Template, uri: str) -> bool:
    return self.values_in(uri) is not None


_KEPT: dict[tuple[str, str], str] = {}


async def read_once(snapshot: Snapshot, alias: str, uri: str) -> str:
    if (alias, uri) not in _KEPT:
        _KEPT[alias, uri] = await read_resource(snapshot, alias, uri)
    return _KEPT[alias, uri]


async def subscribe(connection: Connection, uri: str) -> AsyncIterator[None]:
    request = SubscribeRequest(params=SubscribeRequestParams(uri=uri))
    await connection.client.session.send_request(request, EmptyResult)
    yield

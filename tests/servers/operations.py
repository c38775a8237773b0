"""The runbook and the wiki, connected: what the tests of both share."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ResourceUpdatedNotification, TextResourceContents

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = Path(__file__).parent.parent.parent
TOPOLOGY = "runbook://topology"

Mode = Literal["auto", "legacy"]


class Heard:
    """The URIs of the resources that a server said have changed, one for each notification."""

    def __init__(self) -> None:
        self.uris: list[str] = []
        self._something = anyio.Event()

    async def note(self, message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.uris.append(message.params.uri)
            self._something.set()

    async def something(self) -> None:
        """Wait for a notification that was not waited for before."""
        with anyio.fail_after(10):
            await self._something.wait()
        self._something = anyio.Event()


@dataclass(frozen=True)
class Operations:
    """The two servers in one era of the protocol."""

    mode: Mode
    runbook: Client
    wiki: Client
    heard: Heard


@asynccontextmanager
async def operations(mode: Mode, log: TextIO) -> AsyncIterator[Operations]:
    """Connect both over stdio; ``log`` gets what they write to stderr."""
    heard = Heard()

    def client(name: str) -> Client:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", f"demo_servers.{name}"], cwd=ROOT
        )
        return Client(stdio_client(server, errlog=log), mode=mode, message_handler=heard.note)

    async with client("runbook") as runbook, client("wiki") as wiki:
        yield Operations(mode, runbook, wiki, heard)


async def pages(client: Client, kind: str) -> list[list[str]]:
    """Return the names on each page of a list: tools, resources, templates or prompts."""
    lists: dict[str, tuple[Any, str]] = {
        "tools": (client.list_tools, "tools"),
        "resources": (client.list_resources, "resources"),
        "templates": (client.list_resource_templates, "resource_templates"),
        "prompts": (client.list_prompts, "prompts"),
    }
    list_page, field = lists[kind]
    found = []
    cursor = None
    while True:
        page = await list_page(cursor=cursor, cache_mode="bypass")
        found.append([item.name for item in getattr(page, field)])
        if (cursor := page.next_cursor) is None:
            return found


async def text_of(client: Client, uri: str) -> str:
    """Return the text of a resource that has nothing else."""
    (contents,) = (await client.read_resource(uri, cache_mode="bypass")).contents
    assert isinstance(contents, TextResourceContents)
    assert contents.uri == uri
    return contents.text

"""The demo servers, as a client sees them: each a process that is started once for this file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import anyio
import jsonschema
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent, Tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

ROOT = Path(__file__).parent.parent.parent
SERVERS = ["demo_alpha", "demo_beta"]
KNOWN_KEY = {"demo_alpha": "registry snapshot", "demo_beta": "-32022"}

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.xdist_group("demo_servers"),  # so that they are started once and not per worker
]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TextIO]:
    """Return where both servers' stderr goes. Nothing should be there in the end."""
    path = tmp_path_factory.mktemp("demo_servers") / "stderr"
    with path.open("w", encoding="utf-8") as file:
        yield file
    assert path.read_text(encoding="utf-8") == ""


@pytest.fixture(scope="module", params=["auto", "legacy"])
async def clients(request: pytest.FixtureRequest, log: TextIO) -> AsyncIterator[dict[str, Client]]:
    """Connect both servers in one protocol era: 2026-07-28, or 2025-11-25."""

    def client(name: str) -> Client:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", f"demo_servers.{name}"], cwd=ROOT
        )
        return Client(stdio_client(server, errlog=log), mode=request.param)

    async with client("demo_alpha") as alpha, client("demo_beta") as beta:
        yield {"demo_alpha": alpha, "demo_beta": beta}


async def pages(client: Client) -> list[list[Tool]]:
    """Return the tools, page by page."""
    found = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor, cache_mode="bypass")
        found.append(page.tools)
        if (cursor := page.next_cursor) is None:
            return found


def said(result: CallToolResult) -> str:
    """Return the text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def witness(client: Client) -> dict[str, Any]:
    """Return what alpha saw of itself."""
    seen: dict[str, Any] = json.loads(said(await client.call_tool("witness", {})))
    return seen


async def test_alpha_lists_two_tools_a_page(clients: dict[str, Client]) -> None:
    names = [[tool.name for tool in page] for page in await pages(clients["demo_alpha"])]
    assert names == [["lookup", "wait"], ["fail", "crash"], ["witness"]]


async def test_beta_lists_one_tool_a_page(clients: dict[str, Client]) -> None:
    names = [[tool.name for tool in page] for page in await pages(clients["demo_beta"])]
    assert names == [["lookup"], ["history"]]


@pytest.mark.parametrize("server", SERVERS)
async def test_a_cursor_of_nobodys_is_refused(clients: dict[str, Client], server: str) -> None:
    with pytest.raises(MCPError) as refusal:
        await clients[server].list_tools(cursor="made-up", cache_mode="bypass")
    assert refusal.value.code == INVALID_PARAMS


@pytest.mark.parametrize("server", SERVERS)
async def test_every_schema_is_valid_and_closed(clients: dict[str, Client], server: str) -> None:
    for tool in [tool for page in await pages(clients[server]) for tool in page]:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize("server", SERVERS)
async def test_a_known_key_is_explained(clients: dict[str, Client], server: str) -> None:
    result = await clients[server].call_tool("lookup", {"key": KNOWN_KEY[server]})
    assert not result.is_error
    assert len(said(result)) > 20


@pytest.mark.parametrize("server", SERVERS)
async def test_an_unknown_key_is_answered_with_the_known_ones(
    clients: dict[str, Client], server: str
) -> None:
    result = await clients[server].call_tool("lookup", {"key": "no such key"})
    assert result.is_error
    assert KNOWN_KEY[server] in said(result)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("arguments", [{}, {"key": 5}, {"key": None}, {"key": ["a"]}])
async def test_a_key_that_is_no_string_is_a_business_error(
    clients: dict[str, Client], server: str, arguments: dict[str, Any]
) -> None:
    result = await clients[server].call_tool("lookup", arguments)
    assert (result.is_error, said(result)) == (True, "key should be a string.")


@pytest.mark.parametrize("server", SERVERS)
async def test_an_unknown_tool_is_a_protocol_error(clients: dict[str, Client], server: str) -> None:
    with pytest.raises(MCPError) as refusal:
        await clients[server].call_tool("no_such_tool", {})
    assert refusal.value.code == INVALID_PARAMS


@pytest.mark.parametrize("seconds", [-1, 61, "1", True, None, 10**400])
async def test_what_is_no_number_of_seconds_is_not_waited_for(
    clients: dict[str, Client], seconds: object
) -> None:
    result = await clients["demo_alpha"].call_tool("wait", {"seconds": seconds})
    assert (result.is_error, said(result)) == (True, "seconds should be a number from 0 to 60.")


async def test_waiting_ends_with_an_answer(clients: dict[str, Client]) -> None:
    assert said(await clients["demo_alpha"].call_tool("wait", {"seconds": 0})) == "waited 0 seconds"


async def test_a_failure_says_more_than_it_should(clients: dict[str, Client]) -> None:
    result = await clients["demo_alpha"].call_tool("fail", {})
    assert result.is_error
    assert "/srv/alpha/private/" in said(result)
    assert "sk-demo-0000" in said(result)


async def test_the_witness_is_another_process(clients: dict[str, Client]) -> None:
    pid = (await witness(clients["demo_alpha"]))["pid"]
    assert psutil.Process(pid).ppid() == os.getpid()


async def test_the_witness_counts_every_call(clients: dict[str, Client]) -> None:
    alpha = clients["demo_alpha"]
    before = (await witness(alpha))["calls"]
    await alpha.call_tool("lookup", {"key": "owner"})
    assert (await witness(alpha))["calls"] == before + 2  # the look-up, and this one


async def test_the_witness_counts_a_cancelled_wait(clients: dict[str, Client]) -> None:
    alpha = clients["demo_alpha"]
    before = (await witness(alpha))["cancelled"]
    with anyio.move_on_after(0.2):
        await alpha.call_tool("wait", {"seconds": 60})
    assert (await witness(alpha))["cancelled"] == before + 1


async def test_the_witness_says_the_same_in_text_and_in_structure(
    clients: dict[str, Client],
) -> None:
    result = await clients["demo_alpha"].call_tool("witness", {})
    assert result.structured_content == json.loads(said(result))


async def test_the_witness_tells_the_names_of_its_variables_and_no_values(
    clients: dict[str, Client],
) -> None:
    names = (await witness(clients["demo_alpha"]))["environment"]
    assert "PATH" in names
    assert os.environ["PATH"] not in json.dumps(names)


async def test_betas_history_claims_to_only_read_and_clears(clients: dict[str, Client]) -> None:
    beta = clients["demo_beta"]
    (tool,) = (await pages(beta))[1]
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint is True
    await beta.call_tool("history", {})
    await beta.call_tool("lookup", {"key": "-32700"})
    assert said(await beta.call_tool("history", {})) == "-32700"
    assert said(await beta.call_tool("history", {})) == "(nothing)"

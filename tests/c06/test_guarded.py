"""Honest clients through every layer: the SDK's own, and a plain one with the token."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

import httpx2
import pytest
from mcp import Client, types
from mcp.server.lowlevel import Server

from chapters.c02 import Wire
from chapters.c06.bearer import BearerToken, new_token
from chapters.c06.guarded import guarded_app
from chapters.c06.http_client import http_transport
from chapters.c06.http_spec import AuthRequired, HttpServerSpec, open_http
from chapters.c06.lesson.victim import TOOL, victim_server
from chapters.c06.serving import Parser, bound_socket, serving
from tests.c06.conftest import PARSERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.context import ServerRequestContext

pytestmark = pytest.mark.anyio

Mode = Literal["auto", "legacy"]
MODES: list[Mode] = ["auto", "legacy"]


@asynccontextmanager
async def server_url(
    server: Server[Any], token: BearerToken, parser: Parser = "h11"
) -> AsyncIterator[str]:
    sock = bound_socket()
    app = guarded_app(server, port=sock.getsockname()[1], token=token)
    async with serving(app, sock, parser=parser) as port:
        yield f"http://localhost:{port}/mcp"


def counting_server() -> Server[Any]:
    """Return a server whose one tool reports its progress: its answer has to stream."""

    async def call_tool(
        ctx: ServerRequestContext[Any], _params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        for step in (1.0, 2.0, 3.0):
            await ctx.session.report_progress(step, 3.0)
        return types.CallToolResult(content=[types.TextContent(type="text", text="counted")])

    async def list_tools(
        _ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool(name="count", input_schema={"type": "object"})]
        )

    return Server("counting", on_list_tools=list_tools, on_call_tool=call_tool)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("parser", PARSERS)
async def test_the_official_client_works_in_both_eras(parser: Parser, mode: Mode) -> None:
    token = new_token()
    async with server_url(victim_server("found"), token, parser) as url:
        transport = http_transport(url, token, Wire(), rejected=AuthRequired)
        async with Client(transport, mode=mode) as client:
            assert (client.protocol_version == "2025-11-25") == (mode == "legacy")
            assert [tool.name for tool in (await client.list_tools()).tools] == [TOOL]
            result = await client.call_tool(TOOL, {"key": "any"})
    assert isinstance(result.content[0], types.TextContent)
    assert result.content[0].text == "found"


@pytest.mark.parametrize("mode", MODES)
async def test_answers_stream_through_the_layers(mode: Mode) -> None:
    token = new_token()
    seen: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001 - the SDK names them
        seen.append(progress)

    async with (
        server_url(counting_server(), token) as url,
        Client(http_transport(url, token, Wire(), rejected=AuthRequired), mode=mode) as client,
    ):
        await client.call_tool("count", progress_callback=note)
    assert seen == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_plain_client_works_in_both_eras(version: str) -> None:
    token = new_token()
    params: dict[str, Any] = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "plain", "version": "1"},
    }
    method = "initialize"
    if version == "2026-07-28":
        meta = {"protocolVersion": version, "clientCapabilities": {}}
        method = "server/discover"
        params = {"_meta": {f"io.modelcontextprotocol/{key}": meta[key] for key in meta}}
    headers = {
        **token.header(),
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        "Mcp-Method": method,
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    async with (
        server_url(victim_server("found"), token) as url,
        httpx2.AsyncClient(headers=headers, trust_env=False) as client,
    ):
        answer = await client.post(url, json=message)
        assert answer.status_code == 200
        assert "victim" in answer.text
        without = await client.post(url, json=message, headers={"Authorization": "Bearer no"})
        assert without.status_code == 401


async def test_a_rejected_token_is_a_fault_of_its_own() -> None:
    """The SDK's own error says only that the server returned an error response."""
    async with server_url(victim_server("found"), new_token()) as url:
        with pytest.raises(AuthRequired) as caught:
            async with open_http(HttpServerSpec("victim", url, new_token())):
                pass
    assert caught.value.code == "mcp_auth_required"

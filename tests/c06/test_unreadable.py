"""Over HTTP too, a call that was answered was not refused: an odd answer is told as that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from chapters.c03 import Registry, open_pool
from chapters.c04 import (
    AllowedServer,
    ExposedTool,
    Invoker,
    ToolPolicy,
    allowlist,
    strict_admission,
)
from chapters.c06 import HttpServerSpec, bound_socket, open_any, serving
from tests.servers.hostile import CACHED, Server, tool

if TYPE_CHECKING:
    from starlette.requests import Request

    from chapters.c04 import Envelope

pytestmark = pytest.mark.anyio

RESPONSE = '{"jsonrpc":"2.0","id":ID,"result":%s}'
JSON = "application/json"


async def told(answer: str, media_type: str) -> Envelope:
    """Return the envelope of a call that is answered so over HTTP."""

    async def mcp(request: Request) -> Response:
        message = await request.json()
        if "id" not in message:
            return Response(status_code=202)
        if message["method"] == "tools/call":
            return Response(answer.replace("ID", str(message["id"])), media_type=media_type)
        result = {"tools": [tool("echo")], **CACHED}
        if message["method"] == "server/discover":
            result = Server().server_discover({}, message) or {}
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result})

    app = Starlette(routes=[Route("/mcp", mcp, methods=["POST"])])
    registry: Registry[ExposedTool] = Registry()
    async with serving(app, bound_socket()) as port:
        spec = HttpServerSpec("odd", f"http://127.0.0.1:{port}/mcp", call_timeout=5)
        admit = strict_admission(allowlist([AllowedServer(spec, {"echo": ToolPolicy("read")})]))
        async with open_pool([spec], registry, admit, opener=open_any) as pool:
            await pool.connect("odd")
            return await Invoker().invoke(registry.snapshot(), "mcp__odd__echo", {})


@pytest.mark.parametrize(
    ("answer", "media_type"),
    [
        (RESPONSE % '"done"', JSON),
        (RESPONSE % '{"content": [{"type": "text", "text": "\\ud83d"}]}', JSON),
        ("done", JSON),
        ("", JSON),
        ("done", "text/plain"),
        (f"data: {RESPONSE % 7}\n\n", "text/event-stream"),
    ],
)
async def test_an_answer_that_is_no_message_is_told_as_that(answer: str, media_type: str) -> None:
    assert (await told(answer, media_type)).code == "mcp_result_unreadable"


async def test_an_error_is_told_as_that() -> None:
    error = '{"jsonrpc":"2.0","id":ID,"error":{"code":-32700,"message":"Parse error"}}'
    assert (await told(error, JSON)).code == "mcp_remote_error"

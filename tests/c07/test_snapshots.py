"""All of a server's capabilities are there, or none is; and none is in a request unasked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import psutil
import pytest

from chapters.c03 import Registry
from chapters.c04 import ExposedTool, Invoker, local_tool
from chapters.c05 import Message, Reply, ScriptedModel, Subagent, calling
from chapters.c05.loop import run_loop
from chapters.c07 import (
    ExposedPrompt,
    ExposedResource,
    ExposedTemplate,
    for_the_lead,
    load_prompt,
)
from tests.c07.publishing import GOOD, publishing, resource

if TYPE_CHECKING:
    from chapters.c03 import RegistrySnapshot
    from chapters.c07 import Exposed

pytestmark = pytest.mark.anyio

KINDS: set[type] = {ExposedTool, ExposedResource, ExposedTemplate, ExposedPrompt}
ALL = {**GOOD, "tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
ALL["resources"] = [*GOOD["resources"], resource("x://pid")]


async def test_every_snapshot_has_all_of_a_servers_kinds_or_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[object, int, set[type]]] = []

    def sample(registry: Registry[Exposed]) -> None:
        mine = [each for each in registry.snapshot() if each.alias == "bad"]
        seen.append((registry.snapshot(), len(mine), {type(each) for each in mine}))

    swap = Registry._swap

    def sampled_swap(registry: Registry[Any], shares: Any) -> None:
        sample(registry)
        swap(registry, shares)
        sample(registry)

    async def sample_always(registry: Registry[Exposed]) -> None:
        while True:
            sample(registry)
            await anyio.lowlevel.checkpoint()

    monkeypatch.setattr(Registry, "_swap", sampled_swap)
    async with publishing(ALL) as both, anyio.create_task_group() as group:
        group.start_soon(sample_always, both.registry)
        for _ in range(5):
            assert await both.connect() is None
            before = both.registry.snapshot()
            pid = int((await both.read("x://pid")).content.rpartition("\n")[2])
            psutil.Process(pid).kill()
            while both.of("bad"):
                await anyio.lowlevel.checkpoint()
            read = for_the_lead(before)
            arguments = {"alias": "bad", "uri": "x://one"}
            told = await Invoker().invoke(read, "read_mcp_resource", arguments)
            assert told.code == "mcp_connection_lost"
        group.cancel_scope.cancel()
    assert {(count, frozenset(kinds)) for _, count, kinds in seen} == {
        (0, frozenset()),
        (5, frozenset(KINDS)),
    }


async def request_bytes(snapshot: RegistrySnapshot[Exposed], *calls: Reply) -> list[str]:
    """Play a loop over a snapshot and return its requests as JSON."""
    model = ScriptedModel(calls)
    said = [Message("user", "go")]
    await run_loop(model, Invoker(), lambda: for_the_lead(snapshot), said)
    return [json.dumps([request.messages, request.tools]) for request in model.requests]


async def test_a_request_is_the_same_bytes_however_much_is_published_until_it_is_read() -> None:
    tools = {"tools": ALL["tools"]}
    read = calling(("read_mcp_resource", {"alias": "bad", "uri": "x://r0"}))
    asked = {}
    for many in (0, 1, 200):
        async with publishing({**tools, "many": many}) as both:
            assert await both.connect() is None
            assert len(both.of("bad")) == 1 + 2 * many
            asked[many] = await request_bytes(both.registry.snapshot(), read)
    assert asked[0][0] == asked[1][0] == asked[200][0]
    assert "x://" not in asked[200][0]
    assert asked[1] == asked[200]
    assert "of x://r0" in asked[1][1]
    assert "of x://r0" not in asked[0][1]


async def test_a_prompt_is_no_tool_of_a_model_and_is_loaded_by_its_name() -> None:
    async with publishing(ALL) as both:
        await both.connect()
        snapshot = both.registry.snapshot()
        lead = for_the_lead(snapshot)
        assert not [tool.name for tool in lead if "greet" in tool.name]
        for name in ("/mcp__bad__greet", "mcp__bad__greet", "bad x://one"):
            assert (await Invoker().invoke(lead, name, {"who": "x"})).code == "unknown_tool"
        [message] = await load_prompt(snapshot, "/mcp__bad__greet", {"who": "x"})
        assert message.role == "user"


async def test_no_agent_but_the_lead_can_read_a_resource() -> None:
    async def nothing(_: dict[str, Any]) -> str:
        return "done"

    tool = local_tool("local", "Does nothing.", {"type": "object"}, "read", nothing)
    model = ScriptedModel([calling(("read_mcp_resource", {"alias": "a", "uri": "x://one"}))])
    await Subagent(model, [tool]).run("read")
    assert model.requests[0].tool_names == ("local",)
    assert "unknown_tool" in model.requests[1].messages[-1].content

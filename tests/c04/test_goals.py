"""The answers to c04's questions, observed."""

from __future__ import annotations

import inspect
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from chapters.c02 import Fault, said
from chapters.c03 import Pool, Registry, open_pool
from chapters.c04 import (
    AllowedServer,
    ExposedTool,
    Invoker,
    ToolPolicy,
    allowlist,
    strict_admission,
)
from chapters.c04.lesson.demo import ALPHA, BETA
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c02 import Frame
    from tests.conftest import Observe

pytestmark = pytest.mark.anyio

READ = ToolPolicy("read")


class Harness:
    """A pool with the strict admission, its registry, and the frames that it has sent."""

    def __init__(self, pool: Pool[ExposedTool], registry: Registry[ExposedTool]) -> None:
        self.pool = pool
        self.registry = registry
        self.sent: list[Frame] = []

    async def connect(self, alias: str) -> str:
        """Connect an alias and return the code of what went wrong, or ``connected``."""
        try:
            await self.pool.connect(alias)
        except Fault as fault:
            return fault.code
        return "connected"


@asynccontextmanager
async def harness(*servers: AllowedServer) -> AsyncIterator[Harness]:
    registry: Registry[ExposedTool] = Registry()
    allowed = allowlist(servers)
    specs = [server.spec for server in servers]
    sent: list[Frame] = []
    async with open_pool(
        specs,
        registry,
        strict_admission(allowed),
        observer=lambda _, frame: sent.append(frame) if frame.direction == "sent" else None,
    ) as pool:
        opened = Harness(pool, registry)
        opened.sent = sent
        yield opened


def publishing(*tools: str, policy: list[str]) -> AllowedServer:
    return AllowedServer(hostile_spec("publishes", *tools), dict.fromkeys(policy, READ))


@pytest.mark.goal("c04.published-exposed")
async def test_a_published_tool_is_exposed_by_policy_and_checks(observe: Observe) -> None:
    async with harness(BETA) as opened:
        connection = await opened.pool.connect("demo_beta")
        effects = {tool.name: tool.effect for tool in opened.registry.snapshot()}
    claims = {tool.name: dict(tool.claims) for tool in connection.tools}
    by_policy = {f"mcp__demo_beta__{name}": rule.effect for name, rule in BETA.tools.items()}
    decided_here = effects == by_policy
    observe("a local policy and local checks" if decided_here else "the server's annotations")
    assert claims["history"]["readOnlyHint"] is True


@pytest.mark.goal("c04.connect-takes")
async def test_connect_takes_an_alias_and_nothing_else(observe: Observe) -> None:
    async with harness(BETA) as opened:
        parameters = inspect.signature(opened.pool.connect).parameters
    observe(", ".join(name for name in parameters if name != "alias") or "nothing")


@pytest.mark.goal("c04.read-only-claim")
async def test_a_tool_that_claims_to_read_does_not_run_unasked(observe: Observe) -> None:
    async with harness(BETA) as opened:
        await opened.pool.connect("demo_beta")
        before = len(opened.sent)
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__demo_beta__history", {})
        sent = len(opened.sent) - before
    observe("yes" if sent else "no")
    assert envelope.code == "permission_denied"


@pytest.mark.goal("c04.one-more")
async def test_one_tool_too_many_refuses_all(observe: Observe) -> None:
    async with harness(publishing("a", "b", policy=["a"])) as opened:
        code = await opened.connect("bad")
        exposed = len(opened.registry.snapshot())
    observe(exposed)
    assert code == "mcp_policy_mismatch"


@pytest.mark.goal("c04.one-fewer")
async def test_one_tool_too_few_refuses_all(observe: Observe) -> None:
    async with harness(publishing("a", policy=["a", "b"])) as opened:
        code = await opened.connect("bad")
        exposed = len(opened.registry.snapshot())
    observe(exposed)
    assert code == "mcp_policy_mismatch"


@pytest.mark.goal("c04.bad-arguments")
async def test_bad_arguments_never_reach_the_wire(observe: Observe) -> None:
    async with harness(BETA) as opened:
        await opened.pool.connect("demo_beta")
        snapshot = opened.registry.snapshot()
        before = len(opened.sent)
        broken: list[object] = [
            {},
            {"key": 1},
            {"key": "a", "b": 1},
            [],
            None,
            "{",
            {"key": "\ud800"},
        ]
        for arguments in broken:
            envelope = await Invoker().invoke(snapshot, "mcp__demo_beta__lookup", arguments)
            assert envelope.code == "invalid_arguments"
        sent = len(opened.sent) - before
    observe(sent)


@pytest.mark.goal("c04.external-ref")
async def test_a_reference_that_no_call_reaches_is_found_by_reading(observe: Observe) -> None:
    schema = '{"type": "object", "$defs": {"unused": {"$ref": "http://127.0.0.1:9/x"}}}'
    server = AllowedServer(hostile_spec("odd-schema", schema), {"echo": READ})
    async with harness(server) as opened:
        code = await opened.connect("bad")
    observe(code)


@pytest.mark.goal("c04.one-name")
async def test_two_names_that_become_one_refuse_both(observe: Observe) -> None:
    both = ["look-up", "look_up"]
    async with harness(publishing(*both, policy=both)) as opened:
        code = await opened.connect("bad")
    observe(code)


@pytest.mark.goal("c04.private-path")
async def test_nothing_of_a_business_errors_text_reaches_the_model(observe: Observe) -> None:
    async with harness(ALPHA) as opened:
        connection = await opened.pool.connect("demo_alpha")
        words = said(await connection.call("fail", {}))
        assert "/srv/alpha/private" in words
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__demo_alpha__fail", {})
    told = [word for word in words.split() if len(word) > 4 and word in envelope.for_model()]
    observe("all of it" if told else "nothing")

"""Everything of c03 to c05 holds over HTTP too: names, policy, snapshots, faults, closing."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import psutil
import pytest

from chapters.c02 import Fault, SpecError
from chapters.c02.lesson.demo import DEMO_BETA
from chapters.c03 import Registry, open_pool
from chapters.c04 import AllowedServer, ExposedTool, Invoker, allowlist, strict_admission
from chapters.c04.lesson.demo import ALPHA, BETA
from chapters.c05 import Cast, ScriptedModel, calling, open_runner
from chapters.c05.lesson.local import COUNT_WORDS
from chapters.c06 import HttpServerSpec, new_token, open_any
from chapters.c06.lesson.processes import guarded_demo, unguarded_demo

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from chapters.c03 import Pool
    from chapters.c06.lesson.processes import Served

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def served() -> AsyncIterator[Served]:
    async with guarded_demo() as served:
        yield served


def spec_of(served: Served, call_timeout: float = 10.0) -> HttpServerSpec:
    return HttpServerSpec("demo_alpha", served.url, served.token, call_timeout=call_timeout)


@asynccontextmanager
async def pool_of(
    *servers: AllowedServer,
) -> AsyncIterator[tuple[Pool[ExposedTool], Registry[ExposedTool]]]:
    registry: Registry[ExposedTool] = Registry()
    admit = strict_admission(allowlist(servers))
    specs = [server.spec for server in servers]
    async with open_pool(specs, registry, admit, opener=open_any) as pool:
        yield pool, registry


async def code(registry: Registry[ExposedTool], tool: str, arguments: object = None) -> str | None:
    name = f"mcp__demo_alpha__{tool}"
    return (await Invoker().invoke(registry.snapshot(), name, arguments or {})).code


async def test_names_policy_and_neighbours_over_a_pipe_are_the_same(served: Served) -> None:
    alpha = AllowedServer(spec_of(served), ALPHA.tools)
    async with pool_of(alpha, AllowedServer(DEMO_BETA, BETA.tools)) as (pool, registry):
        await pool.connect("demo_beta")
        await pool.connect("demo_alpha")
        assert "mcp__demo_alpha__lookup" in registry.snapshot()
        assert await code(registry, "lookup", {"key": "effect"}) is None
        assert await code(registry, "lookup", {"key": 1}) == "invalid_arguments"
        assert await code(registry, "crash") == "permission_denied"
        assert await code(registry, "fail") == "mcp_remote_error"
        assert pool.connected == ("demo_beta", "demo_alpha")
        await pool.disconnect("demo_alpha")
        assert [tool.alias for tool in registry.snapshot()] == ["demo_beta", "demo_beta"]


async def test_a_timeout_drops_the_connection(served: Served) -> None:
    async with pool_of(AllowedServer(spec_of(served, 0.3), ALPHA.tools)) as (pool, registry):
        await pool.connect("demo_alpha")
        assert await code(registry, "wait", {"seconds": 30}) == "mcp_timeout"
        assert pool.connected == ()
        assert len(registry.snapshot()) == 0


async def test_a_mismatch_refuses_the_connection(served: Served) -> None:
    some = {name: ALPHA.tools[name] for name in ("lookup", "wait")}
    async with pool_of(AllowedServer(spec_of(served), some)) as (pool, registry):
        with pytest.raises(Fault) as caught:
            await pool.connect("demo_alpha")
        assert caught.value.code == "mcp_policy_mismatch"
        assert len(registry.snapshot()) == 0


async def test_a_server_that_dies_is_noticed_at_the_next_call_and_answers_all_in_flight() -> None:
    codes: list[str | None] = []
    async with (
        guarded_demo() as served,
        pool_of(AllowedServer(spec_of(served), ALPHA.tools)) as (pool, registry),
    ):
        await pool.connect("demo_alpha")
        snapshot = registry.snapshot()

        async def wait() -> None:
            name = "mcp__demo_alpha__wait"
            codes.append((await Invoker().invoke(snapshot, name, {"seconds": 60})).code)

        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            await anyio.sleep(0.2)  # nothing here says that a request has reached the server
            psutil.Process(served.pid).kill()
        assert codes == ["mcp_connection_lost"] * 2
        assert pool.connected == ()
        assert len(registry.snapshot()) == 0


async def test_an_idle_death_is_noticed_at_the_next_call() -> None:
    async with (
        guarded_demo() as served,
        pool_of(AllowedServer(spec_of(served), ALPHA.tools)) as (pool, registry),
    ):
        await pool.connect("demo_alpha")
        psutil.Process(served.pid).kill()
        assert await code(registry, "lookup", {"key": "effect"}) == "mcp_connection_lost"
        assert pool.connected == ()


async def test_nothing_that_listens_is_a_failed_connect() -> None:
    nobody = HttpServerSpec("demo_alpha", "http://127.0.0.1:9/mcp")
    async with pool_of(AllowedServer(nobody, ALPHA.tools)) as (pool, _):
        with pytest.raises(Fault) as caught:
            await pool.connect("demo_alpha")
        assert caught.value.code == "mcp_connect_failed"


async def test_the_lead_connects_over_http_and_hears_of_a_wrong_token(served: Served) -> None:
    wrong = replace(spec_of(served), alias="wrong", token=new_token())
    servers = allowlist(
        [AllowedServer(spec_of(served), ALPHA.tools), AllowedServer(wrong, ALPHA.tools)]
    )
    lead = ScriptedModel(
        [
            calling(("connect_mcp", {"alias": "demo_alpha"}), ("connect_mcp", {"alias": "wrong"})),
            calling(("mcp__demo_alpha__lookup", {"key": "owner"})),
        ]
    )
    cast = Cast(lead, lambda: ScriptedModel([]), ScriptedModel([]))
    async with open_runner(servers, [COUNT_WORDS], cast, opener=open_any) as runner:
        await runner.run("go")
    first, second, _ = runner.transcript
    assert [outcome.code for outcome in first.outcomes] == [None, "mcp_auth_required"]
    assert second.outcomes[0].ok


async def test_the_demo_server_checks_the_host_unless_it_is_told_not_to() -> None:
    async with (
        unguarded_demo() as served,
        pool_of(AllowedServer(HttpServerSpec("demo_alpha", served.url), ALPHA.tools)) as (
            pool,
            registry,
        ),
    ):
        await pool.connect("demo_alpha")
        assert await code(registry, "lookup", {"key": "effect"}) is None


@pytest.mark.parametrize(
    "url",
    [
        "", "mcp", "http://example.com/mcp", "http://127.0.0.1.example.com/", "ftp://localhost/",
        "http://user:pw@localhost/mcp", "http://localhost:99999/mcp", "http://0.0.0.0/mcp", "http://[::/",
    ],
)  # fmt: skip
def test_a_url_that_could_not_be_meant_is_refused(url: str) -> None:
    with pytest.raises(SpecError):
        HttpServerSpec("a", url)


def test_a_token_is_not_in_a_specs_repr() -> None:
    token = new_token()
    assert token.value not in repr(HttpServerSpec("a", "http://localhost:1/mcp", token))

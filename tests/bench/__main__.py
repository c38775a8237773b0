"""``make bench``: what things cost, as medians of interleaved runs, printed and never asserted.

Times on one machine say little about another, so where a promise is a ratio, both sides of it are
measured in the same run.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import psutil
from mcp import Client, StdioServerParameters, stdio_client

from chapters.c02 import Connection, said
from chapters.c02.lesson.demo import DEMO_ALPHA
from chapters.c03 import NamedTool, Registry, name_tools, open_pool
from chapters.c04 import AllowedServer, ExposedTool, Invoker, allowlist, strict_admission
from chapters.c04.lesson.demo import ALPHA
from chapters.c07 import admission_of_lists, for_the_lead
from tests.c07.publishing import open_with_lists, policy_of, spec_of
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from chapters.c02 import ServerSpec
    from chapters.c07 import Exposed
    from tests.c07.publishing import Json

RUNS = 7


@dataclass(frozen=True)
class Tool:
    """As much of a tool as the registry looks at."""

    name: str


def main() -> None:
    """Print the table."""
    print(f"{'what':58} {'median':>12}   promise")
    for line in registry_lines():
        print(line)
    for lines in (pool_lines, call_lines, cpu_lines, list_lines, read_lines):
        for line in anyio.run(lines):
            print(line)
    for line in chapter_lines():
        print(line)


def row(what: str, median: str, promise: str = "") -> str:
    """Lay out one line of the table."""
    return f"{what:58} {median:>12}   {promise}".rstrip()


def median_of(action: Callable[[], object], times: int = 1) -> float:
    """Return the median seconds of ``action`` over several runs of ``times`` each."""
    seconds = []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(times):
            action()
        seconds.append((time.perf_counter() - began) / times)
    return statistics.median(seconds)


def registry_lines() -> list[str]:
    """Measure snapshot, publish and revoke in registries of three sizes."""
    lines = []
    for size in (10, 1_000, 10_000):
        registry: Registry[Tool] = Registry()
        for n in range(0, size, 10):
            registry.publish(object(), [Tool(f"mcp__a{n}__t{i}") for i in range(10)], f"a{n}")
        twenty = [Tool(f"mcp__new__t{i}") for i in range(20)]
        owner = object()
        publishing, revoking = [], []
        for _ in range(20):
            began = time.perf_counter()
            registry.publish(owner, twenty, "new")
            published = time.perf_counter()
            registry.revoke(owner)
            publishing.append(published - began)
            revoking.append(time.perf_counter() - published)
        snapshot = median_of(registry.snapshot, 10_000)
        among = f"among {size:,} tools"
        lines += [
            row(f"snapshot {among}", f"{snapshot * 1e9:.0f} ns", "under 1 us"),
            row(
                f"publish 20 {among}", f"{statistics.median(publishing) * 1e6:.0f} us", "under 1 ms"
            ),
            row(f"revoke 20 {among}", f"{statistics.median(revoking) * 1e6:.0f} us", "under 1 ms"),
        ]
    return lines


async def pool_lines() -> list[str]:
    """Measure connecting side by side, closing, and noticing a death."""
    one, eight = [], []
    for _ in range(RUNS):
        one.append(await connecting([hostile_spec("slow-start", alias="a")]))
        eight.append(
            await connecting([hostile_spec("slow-start", alias=f"a{n}") for n in range(8)])
        )
    alone, together = statistics.median(one), statistics.median(eight)
    closing = await closing_twenty()
    noticed = statistics.median([await noticing() for _ in range(RUNS)])
    return [
        row("connect 1 server that takes half a second to start", f"{alone * 1e3:.0f} ms"),
        row("connect 8 of them side by side", f"{together * 1e3:.0f} ms"),
        row("  ratio of the two", f"{together / alone:.1f}", "about 1"),
        row("close 20 servers, half of which will not go", f"{closing:.1f} s", "about 5 s"),
        row("notice and revoke a server killed while idle", f"{noticed * 1e3:.0f} ms", "under 100"),
    ]


async def call_lines() -> list[str]:
    """Measure a call of demo_alpha through the whole path, and on the bare SDK client.

    Both have the same deadline, and are sent over the same connection.
    """
    registry: Registry[ExposedTool] = Registry()
    admit = strict_admission(allowlist([ALPHA]))
    invoker = Invoker()
    arguments = {"key": "registry snapshot"}
    async with open_pool([ALPHA.spec], registry, admit) as pool:
        connection = await pool.connect("demo_alpha")
        session = connection.client.session

        async def bare() -> None:
            await session.call_tool("lookup", arguments, read_timeout_seconds=30)

        async def whole() -> None:
            await invoker.invoke(registry.snapshot(), "mcp__demo_alpha__lookup", arguments)

        check = registry.snapshot().tools["mcp__demo_alpha__lookup"].check
        seconds = await interleaved(bare, whole, times=200)
    checking = median_of(lambda: check.check(arguments), 1000)
    ratio = statistics.median(b / a for a, b in zip(*seconds, strict=True))
    return [
        row("a call on the bare SDK client", f"{statistics.median(seconds[0]) * 1e6:.0f} us"),
        row("the same through the whole path", f"{statistics.median(seconds[1]) * 1e6:.0f} us"),
        row("  ratio of the two", f"{ratio:.2f}", "at most 1.05"),
        row("checking that call's arguments", f"{checking * 1e6:.0f} us"),
    ]


async def cpu_lines() -> list[str]:
    """Measure the processor time that a call takes of this process, and what of it is ours.

    The other side is the plain client of the SDK, over a connection of its own. What the servers
    do, and how long they are waited for, is in neither.
    """
    registry: Registry[ExposedTool] = Registry()
    invoker = Invoker()
    arguments = {"key": "registry snapshot"}
    parameters = StdioServerParameters(
        command=DEMO_ALPHA.command, args=list(DEMO_ALPHA.args), cwd=DEMO_ALPHA.cwd
    )
    async with (
        open_pool([ALPHA.spec], registry, strict_admission(allowlist([ALPHA]))) as pool,
        Client(stdio_client(parameters)) as client,
    ):
        await pool.connect("demo_alpha")

        async def bare() -> None:
            await client.call_tool("lookup", arguments, read_timeout_seconds=30)

        async def whole() -> None:
            await invoker.invoke(registry.snapshot(), "mcp__demo_alpha__lookup", arguments)

        seconds = await interleaved(bare, whole, times=200, clock=time.process_time)
    added = statistics.median(b - a for a, b in zip(*seconds, strict=True))
    return [
        row("processor time of a call on a plain SDK client", micro(statistics.median(seconds[0]))),
        row("the same through the whole path", micro(statistics.median(seconds[1]))),
        row("  what the harness adds, in its own process", micro(added)),
    ]


async def list_lines() -> list[str]:
    """Measure publishing and revoking what a connection with a thousand resources has."""
    registry: Registry[Exposed] = Registry()
    publishing, revoking = [], []
    async with open_lists({"many": 1_000}, registry):
        everything = tuple(registry.snapshot())
    for _ in range(3 * RUNS):
        owner = object()
        began = time.perf_counter()
        registry.publish(owner, everything, "a")
        published = time.perf_counter()
        registry.revoke(owner)
        publishing.append(published - began)
        revoking.append(time.perf_counter() - published)
    what = "1,000 resources and 1,000 prompts"
    return [
        row(f"publish {what}", micro(statistics.median(publishing))),
        row(f"revoke {what}", micro(statistics.median(revoking))),
    ]


async def read_lines() -> list[str]:
    """Measure reading a resource through the whole path, and on the bare SDK client.

    Both have the same deadline, and are sent over the same connection.
    """
    registry: Registry[Exposed] = Registry()
    invoker = Invoker()
    uri = "x://r0"
    async with open_lists({"many": 1_000}, registry) as connection:
        session = connection.client.session

        async def bare() -> None:
            with anyio.fail_after(30):
                await session.read_resource(uri)

        tools = for_the_lead(registry.snapshot())
        viewing = median_of(lambda: for_the_lead(registry.snapshot()), 100)

        async def whole() -> None:
            await invoker.invoke(tools, "read_mcp_resource", {"alias": "a", "uri": uri})

        seconds = await interleaved(bare, whole, times=200)
    ratio = statistics.median(b / a for a, b in zip(*seconds, strict=True))
    return [
        row("the lead's view, among 1,000 resources and 1,000 prompts", micro(viewing)),
        row("a read on the bare SDK client", micro(statistics.median(seconds[0]))),
        row("the same through the whole path", micro(statistics.median(seconds[1]))),
        row("  ratio of the two", f"{ratio:.2f}"),
    ]


@asynccontextmanager
async def open_lists(given: Json, registry: Registry[Exposed]) -> AsyncIterator[Connection]:
    """Connect a raw server that publishes what it is given, under a policy that admits it."""
    spec = spec_of("a", given)
    admit = admission_of_lists(allowlist([AllowedServer(spec, {})]), {"a": policy_of(given)})
    async with open_pool([spec], registry, admit, opener=open_with_lists) as pool:
        yield await pool.connect("a")


def micro(seconds: float) -> str:
    """Write a time in microseconds."""
    return f"{seconds * 1e6:.0f} us"


async def interleaved(
    one: Callable[[], Awaitable[None]],
    other: Callable[[], Awaitable[None]],
    times: int,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[float], list[float]]:
    """Return the seconds a call took by a clock, for two actions in turn, run by run."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(3 * RUNS):
        for action, seconds in zip((one, other), taken, strict=True):
            began = clock()
            for _ in range(times):
                await action()
            seconds.append((clock() - began) / times)
    return taken


def chapter_lines() -> list[str]:
    """Measure one chapter as a learner runs it: time, and the largest process's memory."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "chapters.c02", "--plain"], check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [
        row("python -m chapters.c02", f"{seconds:.1f} s"),
        row("  its largest process", f"{peak:.0f} MiB"),
    ]


async def connecting(specs: Sequence[ServerSpec]) -> float:
    """Return the seconds that it takes to connect all specs side by side."""
    async with open_pool(specs, Registry(), name_tools) as pool:
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            for spec in specs:
                group.start_soon(pool.connect, spec.alias)
        return time.perf_counter() - began


async def closing_twenty() -> float:
    """Return the seconds that closing takes when half of twenty servers ignore all requests."""
    specs = [
        hostile_spec("ignores-eof-and-sigterm" if n % 2 else "well-behaved", alias=f"a{n}")
        for n in range(20)
    ]
    async with open_pool(specs, Registry(), name_tools) as pool:
        async with anyio.create_task_group() as group:
            for spec in specs:
                group.start_soon(pool.connect, spec.alias)
        began = time.perf_counter()
    return time.perf_counter() - began


async def noticing() -> float:
    """Return the seconds from killing an idle server to its tools being gone."""
    registry: Registry[NamedTool] = Registry()
    noticed = anyio.Event()
    spec = hostile_spec("well-behaved", alias="a")
    async with open_pool([spec], registry, name_tools, on_lost=lambda _: noticed.set()) as pool:
        await pool.connect("a")
        tools = registry.snapshot().tools
        server = psutil.Process(int(said(await tools["mcp__a__whoami"].call({}))))
        began = time.perf_counter()
        server.kill()
        await noticed.wait()
        assert len(registry.snapshot()) == 0
        return time.perf_counter() - began


if __name__ == "__main__":
    main()

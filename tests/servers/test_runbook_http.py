"""The runbook over Streamable HTTP: one process, and a client of either era."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated

from tests.servers.operations import ROOT, TOPOLOGY, Mode, pages, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("runbook")]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Start the server; return where it says it is. It ends quietly."""
    process = subprocess.Popen(
        [sys.executable, "-m", "demo_servers.runbook", "--http"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.terminate()
    assert process.communicate(timeout=10) == ("", "")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_http_it_lists_reads_and_asks_the_same(url: str, mode: Mode) -> None:
    async with Client(url, mode=mode) as runbook:
        assert await pages(runbook, "tools") == [["search_runbook"]]
        assert await pages(runbook, "resources") == [["index", "topology"], ["diagram"]]
        assert await pages(runbook, "prompts") == [["triage"], ["handover"]]
        assert (await text_of(runbook, "runbook://page/dns")).startswith("# DNS\n")
        assert len((await runbook.get_prompt("handover")).messages) == 1


async def test_over_http_a_client_listens_and_another_makes_the_change(url: str) -> None:
    async with (
        Client(url) as runbook,
        Client(url) as another,
        runbook.listen(resource_subscriptions=[TOPOLOGY]) as listening,
    ):
        await another.call_tool("search_runbook", {"query": "topology"})
        with anyio.fail_after(10):
            assert await anext(listening) == ResourceUpdated(TOPOLOGY)

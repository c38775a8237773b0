"""The runbook and the wiki, as a client sees them over stdio, in both eras of the protocol."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, TextIO

import jsonschema
import pytest
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from tests.servers.operations import TOPOLOGY, Operations, operations, pages, text_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from mcp import Client

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.xdist_group("runbook"),  # so that they are started once and not per worker
]

NOT_FOUND = {"auto": INVALID_PARAMS, "legacy": -32002}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TextIO]:
    """Return where both servers' stderr goes. Nothing should be there in the end."""
    path = tmp_path_factory.mktemp("runbook") / "stderr"
    with path.open("w", encoding="utf-8") as file:
        yield file
    assert path.read_text(encoding="utf-8") == ""


@pytest.fixture(scope="module", params=["auto", "legacy"])
async def both(request: pytest.FixtureRequest, log: TextIO) -> AsyncIterator[Operations]:
    """Connect both servers in one protocol era: 2026-07-28, or 2025-11-25."""
    async with operations(request.param, log) as both:
        yield both


async def search(both: Operations, **arguments: object) -> CallToolResult:
    """Search the runbook."""
    return await both.runbook.call_tool("search_runbook", arguments)


def said(result: CallToolResult) -> str:
    """Return the text that a result begins with."""
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


async def refusal(client: Client, prompt: str, arguments: dict[str, str] | None) -> str:
    """Return what the refusal of a prompt says."""
    with pytest.raises(MCPError) as refusal:
        await client.get_prompt(prompt, arguments)
    assert refusal.value.code == INVALID_PARAMS
    return refusal.value.message


async def test_the_runbook_announces_three_capabilities(both: Operations) -> None:
    capabilities = both.runbook.server_capabilities
    assert capabilities.tools is not None
    assert capabilities.resources is not None
    assert capabilities.prompts is not None
    assert capabilities.resources.subscribe is True
    # The SDK derives this from whether subscriptions/listen is served, which the older era has not.
    assert capabilities.resources.list_changed is (both.mode == "auto")


async def test_the_wiki_announces_two_and_no_subscriptions(both: Operations) -> None:
    capabilities = both.wiki.server_capabilities
    assert capabilities.tools is not None
    assert capabilities.resources is not None
    assert capabilities.prompts is None
    assert capabilities.resources.subscribe is False


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("tools", [["search_runbook"]]),
        ("resources", [["index", "topology"], ["diagram"]]),
        ("templates", [["page"]]),
        ("prompts", [["triage"], ["handover"]]),
    ],
)
async def test_every_list_has_these_pages(
    both: Operations, kind: str, expected: list[list[str]]
) -> None:
    assert await pages(both.runbook, kind) == expected


async def test_the_wiki_lists_one_tool_and_one_resource(both: Operations) -> None:
    assert await pages(both.wiki, "tools") == [["find_page"]]
    assert await pages(both.wiki, "resources") == [["index"]]
    assert await pages(both.wiki, "templates") == [[]]


async def test_a_cursor_of_nobodys_is_refused_by_every_list(both: Operations) -> None:
    runbook = both.runbook
    for list_page in (
        runbook.list_tools,
        runbook.list_resources,
        runbook.list_resource_templates,
        runbook.list_prompts,
    ):
        with pytest.raises(MCPError) as refusal:
            await list_page(cursor="made-up", cache_mode="bypass")
        assert refusal.value.code == INVALID_PARAMS


async def test_a_search_says_the_same_in_words_links_and_data(both: Operations) -> None:
    result = await search(both, query="failover", limit=2)
    assert result.structured_content is not None
    hits = result.structured_content["results"]
    assert hits[0] == {
        "slug": "database-failover",
        "title": "Database failover",
        "uri": "runbook://page/database-failover",
        "score": 2,
    }
    assert len(hits) == 2
    links = [block for block in result.content if isinstance(block, ResourceLink)]
    assert [link.uri for link in links] == [hit["uri"] for hit in hits]
    assert len(links) == len(result.content) - 1
    assert all(hit["title"] in said(result) for hit in hits)


async def test_data_keeps_to_the_output_schema(both: Operations) -> None:
    (tool,) = (await both.runbook.list_tools(cache_mode="bypass")).tools
    assert tool.output_schema is not None
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
    for query in ("database", "zebra"):
        result = await search(both, query=query)
        jsonschema.validate(result.structured_content, tool.output_schema)


async def test_every_link_of_a_search_can_be_read(both: Operations) -> None:
    for block in (await search(both, query="DATABASE", limit=10)).content[1:]:
        assert isinstance(block, ResourceLink)
        assert (await text_of(both.runbook, block.uri)).startswith(f"# {block.title}\n")


async def test_a_search_finds_five_pages_unless_told_how_many(both: Operations) -> None:
    assert len((await search(both, query="the")).content) == 1 + 5
    assert len((await search(both, query="the", limit=10.0)).content) == 1 + 10


async def test_a_search_without_a_hit_is_no_error(both: Operations) -> None:
    result = await search(both, query="zebra")
    assert not result.is_error
    assert said(result) == "No page has any of these words."
    assert result.structured_content == {"results": []}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "query should be a string."),
        ({"query": 5}, "query should be a string."),
        ({"query": " -- "}, "query should have a word in it."),
        *(
            ({"query": "dns", "limit": limit}, "limit should be a whole number from 1 to 10.")
            for limit in (0, 11, 1.5, True, "3", None, [1])
        ),
    ],
)
async def test_arguments_that_make_no_search_are_a_business_error(
    both: Operations, arguments: dict[str, Any], words: str
) -> None:
    result = await search(both, **arguments)
    assert (result.is_error, said(result)) == (True, words)


async def test_the_index_lists_pages_that_can_be_read(both: Operations) -> None:
    index = await text_of(both.runbook, "runbook://index")
    uris = [line.partition("](")[2].rstrip(")") for line in index.splitlines()[2:]]
    assert len(uris) > 15
    for uri in uris:
        assert (await text_of(both.runbook, uri)).startswith("# ")


async def test_the_topology_names_services_and_their_pages(both: Operations) -> None:
    services = json.loads(await text_of(both.runbook, TOPOLOGY))["services"]
    checkout = next(service for service in services if service["name"] == "checkout")
    assert checkout == {
        "name": "checkout",
        "depends_on": ["payments", "database", "cache", "queue"],
        "page": "runbook://page/checkout",
    }


async def test_the_diagram_is_a_png(both: Operations) -> None:
    (contents,) = (await both.runbook.read_resource("runbook://diagram")).contents
    assert isinstance(contents, BlobResourceContents)
    assert contents.mime_type == "image/png"
    assert base64.b64decode(contents.blob).startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("uri", ["runbook://page/nobody", "runbook://page/", "runbook://x", "dns"])
async def test_what_is_not_there_is_refused_with_the_code_of_the_era(
    both: Operations, uri: str
) -> None:
    for client in (both.runbook, both.wiki):
        with pytest.raises(MCPError) as refusal:
            await client.read_resource(uri)
        assert refusal.value.code == NOT_FOUND[both.mode]
        assert refusal.value.message == "Resource not found"
        assert refusal.value.data == {"uri": uri}


async def test_one_uri_has_two_contents_on_two_servers(both: Operations) -> None:
    runbook = await text_of(both.runbook, "runbook://index")
    wiki = await text_of(both.wiki, "runbook://index")
    assert (runbook.splitlines()[0], wiki.splitlines()[0]) == ("# Runbook", "# Office wiki")


async def test_the_wiki_finds_a_page(both: Operations) -> None:
    result = await both.wiki.call_tool("find_page", {"name": "office-network"})
    assert not result.is_error
    unknown = await both.wiki.call_tool("find_page", {"name": "dns"})
    assert unknown.is_error
    assert "office-network" in said(unknown)


async def test_a_triage_embeds_the_topology_and_asks(both: Operations) -> None:
    filled = await both.runbook.get_prompt("triage", {"service": "search", "severity": "high"})
    embedded, asked, begun = filled.messages
    assert [message.role for message in filled.messages] == ["user", "user", "assistant"]
    assert isinstance(embedded.content, EmbeddedResource)
    assert isinstance(embedded.content.resource, TextResourceContents)
    assert embedded.content.resource.text == await text_of(both.runbook, TOPOLOGY)
    assert isinstance(asked.content, TextContent)
    assert "search has an incident of high severity." in asked.content.text
    assert isinstance(begun.content, TextContent)


@pytest.mark.parametrize(("arguments", "words"), [(None, "the shift"), ({"shift": "late"}, "late")])
async def test_a_handover_needs_no_argument_and_takes_one(
    both: Operations, arguments: dict[str, str] | None, words: str
) -> None:
    (message,) = (await both.runbook.get_prompt("handover", arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    assert words in message.content.text


@pytest.mark.parametrize(
    ("prompt", "arguments", "words"),
    [
        ("nobody", None, "There is no prompt 'nobody'."),
        ("triage", None, "service is required."),
        ("triage", {"service": "search"}, "severity is required."),
        ("triage", {"service": "search", "severity": "some"}, "severity should be one of: "),
        ("triage", {"service": "dns", "severity": "low"}, "service should be one of: "),
        ("handover", {"who": "me"}, "There is no argument 'who'."),
        ("handover", {"shift": "long"}, "shift should be one of: "),
    ],
)
async def test_a_prompt_refuses_names_and_arguments_that_it_does_not_have(
    both: Operations, prompt: str, arguments: dict[str, str] | None, words: str
) -> None:
    assert (await refusal(both.runbook, prompt, arguments)).startswith(words)


async def test_a_search_for_the_topology_changes_it(both: Operations) -> None:
    before = json.loads(await text_of(both.runbook, TOPOLOGY))
    await search(both, query="what is the Topology?")
    after = json.loads(await text_of(both.runbook, TOPOLOGY))
    assert after == {**before, "revision": before["revision"] + 1}


async def test_nobody_hears_of_it_who_did_not_ask(both: Operations) -> None:
    before = list(both.heard.uris)
    await search(both, query="topology")
    await search(both, query="dns")
    assert both.heard.uris == before


async def test_who_asked_hears_of_it_exactly_once(both: Operations) -> None:
    both.heard.uris.clear()
    if both.mode == "auto":
        async with both.runbook.listen(resource_subscriptions=[TOPOLOGY]) as listening:
            assert listening.honored.resource_subscriptions == [TOPOLOGY]
            await search(both, query="topology")
            assert await anext(listening) == ResourceUpdated(TOPOLOGY)
            await both.heard.something()
            await search(both, query="dns")  # a second notification would come before this
    else:
        with pytest.warns(MCPDeprecationWarning):
            await both.runbook.subscribe_resource(TOPOLOGY)
        await search(both, query="topology")
        await both.heard.something()
        await search(both, query="dns")
        with pytest.warns(MCPDeprecationWarning):
            await both.runbook.unsubscribe_resource(TOPOLOGY)
        await search(both, query="topology")  # nobody is subscribed any more
        await search(both, query="dns")
    assert both.heard.uris == [TOPOLOGY]


async def test_subscribing_is_for_the_older_era_and_for_what_is_there(both: Operations) -> None:
    code = METHOD_NOT_FOUND if both.mode == "auto" else NOT_FOUND["legacy"]
    with pytest.warns(MCPDeprecationWarning), pytest.raises(MCPError) as refusal:
        await both.runbook.subscribe_resource("runbook://nobody")
    assert refusal.value.code == code

"""Lists that no client should take in: refused in a local sentence, and nothing is published."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from chapters.c07 import AllowedLists, TemplatePolicy
from tests.c07.publishing import GOOD, Json, policy_of, publishing, resource, template

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.anyio

TEMPLATES = "resources/templates/list"
LISTS = ["resources/list", TEMPLATES, "prompts/list", "tools/list"]
BAD: list[tuple[str, object]] = list(product(LISTS, ["endless", "repeat", "error", {}]))
LISTING = "The server gave no list that can be used here."
MISMATCH = "What the server publishes is not what the local policy names."
RESOURCE = "That resource is not one that may be read here. Nothing was sent."
PROMPT = "That prompt cannot be loaded, or not with these arguments. Nothing was sent."


async def refusal(given: Json, policy: AllowedLists | None = None) -> tuple[str | None, str]:
    """Connect a server; say its code and sentence, with nothing of it published."""
    async with publishing(given, policy) as both:
        code = await both.connect()
        assert both.of("bad") == []
        assert both.pool.connected == ("good",)
        assert both.fault
        return code, both.fault.sentence


@pytest.mark.parametrize(("method", "how"), [case for case in BAD if case != (TEMPLATES, "error")])
async def test_a_list_that_is_none_is_refused(method: str, how: object) -> None:
    given = {**GOOD, "on": {method: how}}
    assert await refusal(given) == ("mcp_listing_refused", LISTING)


async def test_a_server_that_knows_no_templates_has_none() -> None:
    """No capability announces templates: some servers with resources have never heard of them."""
    given = {**GOOD, "resourceTemplates": [], "on": {TEMPLATES: "error"}}
    async with publishing(given) as both:
        assert await both.connect() is None
        assert "bad x://one" in both.of("bad")


@pytest.mark.parametrize(
    "bad",
    [
        {"resources": [resource("x://one"), {"name": "no uri"}]},
        {"resources": [{"uri": "x://one"}]},
        {"resources": [None]},
        {"resourceTemplates": [{"name": "no template"}]},
        {"resourceTemplates": [{"uriTemplate": "x://page/{slug}"}]},
        {"prompts": [{"description": "no name"}]},
        {"prompts": [{"name": "p", "arguments": [{"description": "no name"}]}]},
        {"prompts": [{"name": 7}]},
    ],
)
async def test_an_entry_without_a_name_or_an_address_refuses_the_list(bad: Json) -> None:
    assert await refusal({**GOOD, **bad}, policy_of(GOOD)) == ("mcp_listing_refused", LISTING)


@pytest.mark.parametrize(
    "more",
    [
        {"resources": [resource("x://one")] * 2},
        {"resourceTemplates": [template("x://page/{slug}")] * 2},
        {"prompts": [{"name": "greet"}] * 2},
        {"resources": [resource("x://one"), resource("x://more")]},
        {"resourceTemplates": [template("x://page/{slug}"), template("x://more/{a}")]},
        {"prompts": [{"name": "greet"}, {"name": "more"}]},
        {"resources": []},
        {"resourceTemplates": []},
        {"prompts": []},
    ],
)
async def test_each_list_is_exactly_the_policys(more: Json) -> None:
    assert await refusal({**GOOD, **more}, policy_of(GOOD)) == ("mcp_policy_mismatch", MISMATCH)


@pytest.mark.parametrize(
    "bad",
    [
        "x://{+x}",
        "x://{?q}",
        "x://{a}{b}",
        "x://{a}/{a}",
        "x://none",
        "x://{a",
        "x://a}",
        "x://{a}}",
        "x://{{a}}",
        "x://{}",
        "{a}://x",
        "x://{a}" + "y" * 2000,
    ],
)
async def test_a_template_that_is_not_plain_is_refused(bad: str) -> None:
    given = {**GOOD, "resourceTemplates": [template(bad)]}
    assert await refusal(given) == ("mcp_resource_refused", RESOURCE)


@pytest.mark.parametrize("values", [{"slug": "("}, {"other": "a"}])
async def test_a_pattern_that_is_none_or_for_no_variable_is_refused(
    values: Mapping[str, str],
) -> None:
    good = policy_of(GOOD)
    rule = {"x://page/{slug}": TemplatePolicy(values=values)}
    policy = AllowedLists(good.resources, rule, good.prompts)
    assert await refusal(GOOD, policy) == ("mcp_resource_refused", RESOURCE)


async def test_a_uri_beyond_a_length_is_refused() -> None:
    given = {**GOOD, "resources": [resource("x://" + "a" * 2000)]}
    assert await refusal(given) == ("mcp_resource_refused", RESOURCE)


@pytest.mark.parametrize(
    "names",
    [
        10_000,
        ["twice", "twice"],
        [""],
        ["a=b"],
        ["\x1b[31m"],
        ["\u202e"],
        ["a\u200b"],
        ["a\u3164"],
        ["n" * 65],
    ],
)
async def test_arguments_that_nobody_can_type_refuse_the_prompt(names: list[str] | int) -> None:
    arguments = names if isinstance(names, int) else [{"name": name} for name in names]
    given = {**GOOD, "prompts": [{"name": "greet", "arguments": arguments}]}
    assert await refusal(given) == ("mcp_prompt_refused", PROMPT)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["a-b", "a_b"], "mcp_name_collision"),
        (["\x1b[31m"], "mcp_name_refused"),
        (["n" * 60], "mcp_name_refused"),
        (["---"], "mcp_name_refused"),
    ],
)
async def test_prompts_names_are_under_the_rules_for_tools(names: list[str], code: str) -> None:
    found, sentence = await refusal({**GOOD, "prompts": [{"name": name} for name in names]})
    assert found == code
    assert "tool" not in sentence


async def test_what_is_not_announced_is_not_asked_for() -> None:
    given = {"announces": ["tools"], "on": dict.fromkeys(LISTS[:3], "error")}
    async with publishing(given) as both:
        assert await both.connect() is None


async def test_a_template_and_a_resource_never_have_one_name() -> None:
    given = {
        "resources": [resource(f"{word}x://{{a}}") for word in ("template ", "", "} ", " ")],
        "resourceTemplates": [template("x://{a}")],
    }
    async with publishing(given) as both:
        assert await both.connect() is None
        assert len(both.of("bad")) == 5

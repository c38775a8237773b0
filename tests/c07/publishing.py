"""A pool of one server that publishes what a test says and one good neighbour."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from chapters.c02 import Fault, ServerSpec, open_connection
from chapters.c03 import Pool, Registry, open_pool
from chapters.c04 import AllowedServer, Envelope, Invoker, ToolPolicy, allowlist
from chapters.c07 import (
    AllowedLists,
    Exposed,
    TemplatePolicy,
    admission_of_lists,
    for_the_lead,
    load_prompt,
    published_lists,
)
from tests.servers.harness import hostile_spec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from chapters.c02 import Connection, Frame, Spec
    from chapters.c05 import Message

Json = dict[str, Any]


def resource(uri: str, **more: object) -> Json:
    return {"uri": uri, "name": "n", **more}


def template(text: str, **more: object) -> Json:
    return {"uriTemplate": text, "name": "n", **more}


def spec_of(alias: str, given: Json, **more: float) -> ServerSpec:
    return hostile_spec("lists", json.dumps(given), alias=alias, **more)


def policy_of(given: Json) -> AllowedLists:
    """Return the policy that admits all of what a server is given to publish."""
    return AllowedLists(
        {
            **{each["uri"]: "read" for each in given.get("resources", [])},
            **{f"x://r{n}": "read" for n in range(given.get("many", 0))},
        },
        {each["uriTemplate"]: TemplatePolicy() for each in given.get("resourceTemplates", [])},
        {
            **{each["name"]: "load" for each in given.get("prompts", [])},
            **{f"p{n}": "load" for n in range(given.get("many", 0))},
        },
    )


GOOD: Json = {
    "resources": [resource("x://one")],
    "resourceTemplates": [template("x://page/{slug}")],
    "prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}],
}


class Published:
    """What the two have published, and what comes of using it."""

    def __init__(self, registry: Registry[Exposed], pool: Pool[Exposed]) -> None:
        self.registry = registry
        self.pool = pool
        self.fault: Fault | None = None

    def of(self, alias: str) -> list[str]:
        return [each.name for each in self.registry.snapshot() if each.alias == alias]

    async def connect(self, alias: str = "bad") -> str | None:
        try:
            await self.pool.connect(alias)
        except Fault as fault:
            self.fault = fault
            return fault.code
        return None

    async def read(self, uri: str, alias: str = "bad") -> Envelope:
        tools = for_the_lead(self.registry.snapshot())
        return await Invoker().invoke(tools, "read_mcp_resource", {"alias": alias, "uri": uri})

    async def load(self, prompt: str = "greet", **arguments: str) -> list[Message] | str:
        try:
            name = f"/mcp__bad__{prompt}"
            return await load_prompt(self.registry.snapshot(), name, arguments)
        except Fault as fault:
            self.fault = fault
            return fault.code


def open_with_lists(
    spec: Spec, observer: Callable[[Frame], None] | None = None
) -> AbstractAsyncContextManager[Connection]:
    """Open the connection of a raw server, and read all of its lists."""
    assert isinstance(spec, ServerSpec)
    return open_connection(spec, walk=published_lists, observer=observer)


@asynccontextmanager
async def publishing(
    given: Json, policy: AllowedLists | None = None, *, call_timeout: float = 5.0
) -> AsyncIterator[Published]:
    """Open ``bad``, which is not connected yet, and ``good``, which is and has to stay well."""
    bad = spec_of("bad", given, call_timeout=call_timeout)
    good = spec_of("good", GOOD)
    tools = [tool["name"] for tool in given.get("tools", [])]
    servers = allowlist(
        [
            AllowedServer(bad, dict.fromkeys(tools, ToolPolicy("read"))),
            AllowedServer(good, {}),
        ]
    )
    lists = {"bad": policy or policy_of(given), "good": policy_of(GOOD)}
    registry: Registry[Exposed] = Registry()
    async with open_pool(
        [bad, good],
        registry,
        admission_of_lists(servers, lists),
        opener=open_with_lists,
    ) as pool:
        both = Published(registry, pool)
        await both.pool.connect("good")
        yield both
        assert len(both.of("good")) == 3
        assert (await both.read("x://one", "good")).content.endswith("of x://one")


def answering(method: str, result: object, **more: object) -> Json:
    """Return what a good server is given, with one method that answers so."""
    return {**GOOD, **more, "on": {method: result}}

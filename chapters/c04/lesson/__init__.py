"""How c04 is told: from the list that a server published to an envelope of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c03 import Registry, open_pool
from chapters.c04 import (
    AllowedServer,
    ExposedTool,
    allowlist,
    strict_admission,
)
from chapters.c04.lesson.boundary import an_envelope, bad_arguments, refusals
from chapters.c04.lesson.demo import ALPHA, BETA, READ
from chapters.c04.lesson.exposure import a_claim_decides_nothing, published_and_exposed
from chapters.c04.lesson.odd_servers import OBJECT, publishing

if TYPE_CHECKING:
    from chapters.c02 import Frame
    from chapters.stage import Stage

EXTERNAL = {"type": "object", "$defs": {"unused": {"$ref": "http://127.0.0.1:9/schema.json"}}}


async def tell(stage: Stage) -> None:
    """Tell the lesson."""
    registry: Registry[ExposedTool] = Registry()
    sent: list[Frame] = []

    def observe(alias: str, frame: Frame) -> None:
        if frame.direction == "sent":
            sent.append(frame)
        stage.watch(alias)(frame)

    servers = allowlist(
        [
            ALPHA,
            BETA,
            AllowedServer(publishing("one_more", {"a": OBJECT, "b": OBJECT}), {"a": READ}),
            AllowedServer(publishing("one_fewer", {"a": OBJECT}), {"a": READ, "b": READ}),
            AllowedServer(publishing("outside_ref", {"a": EXTERNAL}), {"a": READ}),
            AllowedServer(
                publishing("one_name", {"look-up": OBJECT, "look_up": OBJECT}),
                {"look-up": READ, "look_up": READ},
            ),
        ]
    )
    async with open_pool(
        [server.spec for server in servers.values()],
        registry,
        strict_admission(servers),
        observer=observe,
    ) as pool:
        await published_and_exposed(stage, registry, pool)
        await a_claim_decides_nothing(stage, registry)
        await bad_arguments(stage, registry, sent)
        await refusals(stage, registry, pool)
        await an_envelope(stage, registry, pool)

"""What one connection publishes, and how much of it a model is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c04 import ExposedTool
from chapters.c07.lesson.looking import connected, first_request, in_full, kind, of
from chapters.c07.lesson.odd_servers import shelf

if TYPE_CHECKING:
    from chapters.c03 import Registry
    from chapters.c07 import Exposed
    from chapters.stage import Stage

WHOSE = {"tool": "the model", "prompt": "a person"}


async def three_lists(stage: Stage, registry: Registry[Exposed]) -> None:
    """Show everything that the runbook has in the snapshot."""
    await stage.step(
        "One connection, one snapshot",
        """The runbook publishes one tool, three resources, a template for more of them, and two
        prompts. Its policy names each of them. They all came in one assignment.""",
    )
    mine = of("runbook", registry.snapshot())
    stage.table(
        ["kind", "its name in the snapshot", "who asks for it"],
        *([kind(each), each.name, WHOSE.get(kind(each), "the application")] for each in mine),
    )
    stage.claim("c07.three-lists", len(mine))


async def the_first_request(stage: Stage, registry: Registry[Exposed]) -> None:
    """Look for what was published in the first request of a lead."""
    await stage.step(
        "What the model is shown",
        """A scripted model plays the lead. Both servers are connected. This is what its first
        request holds of the resources, templates and prompts that are in the snapshot:""",
    )
    request = await first_request(registry)
    text = in_full(request)
    rest = [each for each in registry.snapshot() if not isinstance(each, ExposedTool)]
    in_it = [each for each in rest if each.name.split()[-1].lstrip("/") in text]
    stage.table(["tools in the request"], *([name] for name in request.tool_names))
    stage.table(["in the snapshot beside tools", "in the request"], [len(rest), len(in_it)])
    stage.claim("c07.in-the-request", len(in_it))


async def request_bytes(stage: Stage) -> None:
    """Compare the first requests over shelves of three lengths."""
    await stage.step(
        "No resources, one, 200",
        """A small server publishes a tool and a shelf of resources. We connect it three times, each
        time with another shelf, and compare the first requests.""",
    )
    requests: dict[int, str] = {}
    for number in (0, 1, 200):
        server, lists = shelf(number)
        async with connected([server], {"shelf": lists}) as (registry, _):
            requests[number] = in_full(await first_request(registry))
    stage.table(
        ["resources", "bytes of the request"],
        *([number, len(text.encode())] for number, text in requests.items()),
    )
    stage.claim("c07.request-bytes", "yes" if len(set(requests.values())) == 1 else "no")

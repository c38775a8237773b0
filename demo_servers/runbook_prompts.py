"""What a person can begin with the runbook: a triage, and a handover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mcp.types import EmbeddedResource, Prompt, PromptArgument, PromptMessage, TextContent

from demo_servers.prompts import ServedPrompt, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demo_servers.runbook_pages import Runbook
    from demo_servers.runbook_resources import Topology

URGENCY = {
    "low": "Nobody is kept from buying. Find the cause before you change anything.",
    "high": "Customers cannot buy. First find what restores the service, and the cause later.",
}
SHIFTS = ["early", "late", "night"]


def runbook_prompts(runbook: Runbook, topology: Topology) -> list[ServedPrompt]:
    """Return the prompts as they are published, each with what fills it in."""

    def triage(arguments: Mapping[str, str]) -> list[PromptMessage]:
        service = one_of(arguments, "service", list(runbook.depends_on))
        severity = one_of(arguments, "severity", list(URGENCY))
        page = runbook.pages[service]
        return [
            PromptMessage(role="user", content=EmbeddedResource(resource=topology.read())),
            says(
                "user",
                f"{service} has an incident of {severity} severity. {URGENCY[severity]} Above is "
                f"what depends on what. Read {page.uri}, look at what {service} depends on, and "
                "name the likeliest cause and the next step.",
            ),
            says("assistant", f"I begin with the page {page.title}."),
        ]

    def handover(arguments: Mapping[str, str]) -> list[PromptMessage]:
        shift = f"{one_of(arguments, 'shift', SHIFTS)} shift" if "shift" in arguments else "shift"
        page = runbook.pages["on-call-handover"]
        return [
            says(
                "user",
                f"Write the handover for the {shift} that begins now, in the order that {page.uri} "
                "gives. Where you know nothing, ask me.",
            )
        ]

    return [ServedPrompt(TRIAGE, triage), ServedPrompt(HANDOVER, handover)]


def says(role: Literal["user", "assistant"], words: str) -> PromptMessage:
    """Return a message of words alone."""
    return PromptMessage(role=role, content=TextContent(text=words))


TRIAGE = Prompt(
    name="triage",
    title="Triage an incident",
    description="Begins to look for the cause of an incident, with the topology at hand.",
    arguments=[
        PromptArgument(
            name="service", description="a service of the topology, such as checkout", required=True
        ),
        PromptArgument(
            name="severity", description="low, or high: customers cannot buy", required=True
        ),
    ],
)
HANDOVER = Prompt(
    name="handover",
    title="Hand over a shift",
    description="Writes what the next person on call has to know.",
    arguments=[
        PromptArgument(
            name="shift",
            description="the one that begins: early, late or night; need not be said",
            required=False,
        )
    ],
)

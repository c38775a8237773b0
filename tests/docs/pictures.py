"""Pictures where people would rather look: lists to compare, made from what the code has."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from chapters.c03 import Registry
from chapters.c04.lesson.demo import ALPHA, BETA
from chapters.c06.guard import WRONG_HOST
from chapters.c06.lesson.rebinding import ATTACKER, STEPS
from tests.docs.wire_svg import STYLE, Arrow, sequence

WIDTH, LINE, TOP = 300, 26, 64


@dataclass(frozen=True)
class Tool:
    """As much of a tool as the registry looks at."""

    name: str


def pictures(chapter: str, events: list[dict[str, Any]]) -> dict[str, str]:
    """Return a chapter's pictures by key."""
    if chapter == "c03":
        return {"c03-revoke": before_and_after()}
    if chapter == "c04":
        return {"c04-exposed": published_and_exposed(events)}
    return {"c06-attack": attack()} if chapter == "c06" else {}


def before_and_after() -> str:
    """Publish both demo servers' tools, revoke demo_alpha's, and draw the two snapshots."""
    registry: Registry[Tool] = Registry()
    owners = {}
    for server in (BETA, ALPHA):
        alias = server.spec.alias
        owners[alias] = object()
        tools = [Tool(f"mcp__{alias}__{name}") for name in server.tools]
        registry.publish(owners[alias], tools, alias)
    before = registry.snapshot()
    registry.revoke(owners["demo_alpha"])
    return compared(
        "c03-revoke",
        "The registry's snapshot before and after demo_alpha is revoked",
        {
            "before": [tool.name for tool in before],
            "after": [tool.name for tool in registry.snapshot()],
        },
    )


def published_and_exposed(events: list[dict[str, Any]]) -> str:
    """Draw what demo_beta said in tools/list beside what its policy makes of it."""
    results = [
        event["message"]["result"]
        for event in events
        if event["event"] == "frame" and event["alias"] == "demo_beta"
        if "tools" in event["message"].get("result", {})
    ]
    published = [tool for result in results for tool in result["tools"]]
    return compared(
        "c04-exposed",
        "What demo_beta publishes, and what is exposed of it",
        {
            "published, with its claims": [
                f"{tool['name']}{'  readOnlyHint' if claims_to_read(tool) else ''}"
                for tool in published
            ],
            "exposed, with its effect": [
                f"mcp__demo_beta__{tool['name']}  {BETA.tools[tool['name']].effect}"
                for tool in published
            ],
        },
    )


def claims_to_read(tool: dict[str, Any]) -> bool:
    """Whether a published tool says of itself that it only reads."""
    return bool(tool.get("annotations", {}).get("readOnlyHint"))


def attack() -> str:
    """Draw the requests of a rebound page, to a server without a guard and to one with it."""
    asked = [Arrow(True, f"POST /mcp  {method}") for method, _ in STEPS]
    arrows = [*asked, Arrow(False, "no guard: 200 and the answers")]
    arrows += [asked[0], Arrow(False, f"guard: {WRONG_HOST.status} for that Host")]
    title = "A page whose name now points at this machine"
    return sequence("c06-attack", title, "your machine", arrows, client=ATTACKER)


def compared(key: str, title: str, lists: dict[str, list[str]]) -> str:
    """Return lists under headings, one below the other."""
    height = sum(TOP + LINE * len(lines) for lines in lists.values())
    told = "; ".join(f"{heading}: {', '.join(lines)}" for heading, lines in lists.items())
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title>'
        f'<desc id="{key}-d">{escape(told)}</desc><style>{STYLE}</style>'
    ]
    top = 0
    for heading, lines in lists.items():
        drawn.append(f'<text class="who" x="{WIDTH // 2}" y="{top + 26}">{escape(heading)}</text>')
        drawn.append(
            f'<rect class="ink" x="2" y="{top + 38}" width="{WIDTH - 4}" '
            f'height="{LINE * len(lines) + 14}" rx="6"/>'
        )
        drawn += [
            f'<text x="{WIDTH // 2}" y="{top + TOP + LINE * row}">{escape(line)}</text>'
            for row, line in enumerate(lines)
        ]
        top += TOP + LINE * len(lines)
    return "\n".join([*drawn, "</svg>"]) + "\n"

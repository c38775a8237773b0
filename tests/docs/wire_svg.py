"""A sequence diagram of frames, as SVG that reads on light and on dark."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

STEP = 34
TOP = 70
LEFT, RIGHT, WIDTH = 70, 350, 420  # narrow enough to be read on a telephone

STYLE = (
    ".ink{stroke:currentColor;fill:none;stroke-width:1.5}"
    "text{fill:currentColor;font:14px ui-monospace,monospace;text-anchor:middle}"
    ".who{font-weight:bold}"
)


@dataclass(frozen=True)
class Arrow:
    """One frame: its direction, and what it says in a few words."""

    sent: bool
    label: str


def arrows(events: list[dict[str, Any]], alias: str, most: int) -> list[Arrow]:
    """Return the first frames of one connection from a lesson's JSON events."""
    frames = [e for e in events if e["event"] == "frame" and e["alias"] == alias][:most]
    return [Arrow(frame["direction"] == "sent", label(frame["message"])) for frame in frames]


def label(message: dict[str, Any]) -> str:
    """Say a frame in a few words."""
    if "method" in message:
        params = message.get("params") or {}
        about = params.get("name") or (params.get("cursor") and f"cursor {params['cursor']}") or ""
        return f"{message['method']} {about}".strip()
    if "error" in message:
        return f"error {message['error']['code']}"
    result = message["result"]
    if "tools" in result:
        names = ", ".join(tool["name"] for tool in result["tools"])
        return f"{names}{', and a cursor' if result.get('nextCursor') else ''}"
    return "isError" if result.get("isError") else "result"


def sequence(
    key: str, title: str, server: str, frames: list[Arrow], client: str = "harness"
) -> str:
    """Return the diagram. Its title and description say the same in words.

    ``key`` sets its ids apart from those of other diagrams on the page.
    """
    height = TOP + STEP * len(frames)
    told = "; ".join(f"{'to' if a.sent else 'from'} the server: {a.label}" for a in frames)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title>'
        f'<desc id="{key}-d">{escape(told)}</desc><style>{STYLE}</style>',
        f'<defs><marker id="{key}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path class="ink" d="M1 1 L7 4 L1 7"/></marker></defs>',
    ]
    for x, who in ((LEFT, client), (RIGHT, server)):
        lines.append(f'<text class="who" x="{x}" y="30">{escape(who)}</text>')
        lines.append(f'<path class="ink" d="M{x} 42 V{height - 10}"/>')
    for number, arrow in enumerate(frames):
        y = TOP + STEP * number
        start, end = (LEFT, RIGHT) if arrow.sent else (RIGHT, LEFT)
        middle = (LEFT + RIGHT) // 2
        lines.append(f'<text x="{middle}" y="{y - 6}">{escape(arrow.label)}</text>')
        lines.append(f'<path class="ink" d="M{start} {y} H{end}" marker-end="url(#{key}-head)"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"

"""The attack, by plain requests and in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapters.c06.lesson.browser import browser_attack, missing
from chapters.c06.lesson.processes import guarded_demo, unguarded_demo
from chapters.c06.lesson.rebinding import ATTACKER, page_headers, rebound_requests, script_request

if TYPE_CHECKING:
    from chapters.c06.lesson.processes import Served
    from chapters.stage import Stage


async def the_attack(stage: Stage, unguarded: Served, guarded: Served) -> None:
    """Send what a rebound page would send, to both servers."""
    await stage.step(
        "The attack",
        f"""You open a page of http://{ATTACKER}. Then the attacker lets that name point at this
        machine, and the page asks its own origin for /mcp. The browser sees nothing cross an
        origin. We send the page's requests to a server without a guard and to one with it:""",
    )
    open_loot = await rebound_requests(unguarded.port)
    shut_loot = await rebound_requests(guarded.port)
    stage.table(
        ["server", "status", "what the page can read"],
        [
            "unguarded",
            open_loot.status,
            f"{len(open_loot.tools)} tools (the first page); {open_loot.text}",
        ],
        ["guarded", shut_loot.status, shut_loot.text],
    )
    set_by_script = script_request(1, "tools/list", {})["headers"]
    by_browser = page_headers(unguarded.port)
    stage.table(
        ["header", "set by", "value"],
        *(
            [name, "the browser", by_browser[name]]
            for name in ("Host", "Origin")
            if name in by_browser
        ),
        *([name, "the page's script", value] for name, value in set_by_script.items()),
    )
    offered = ("Host", "Mcp-Method", "Content-Type", "Accept")
    chosen_by_browser = [name for name in offered if name not in set_by_script]
    stage.claim("c06.forge", ", ".join(chosen_by_browser) or "none of them")


async def the_attack_in_a_browser(stage: Stage) -> None:
    """Play the attack in Chromium."""
    await stage.step("The attack in a real browser")
    if lacking := missing():
        stage.say(f"This machine cannot show you the attack in a browser. {lacking}")
        return
    open_loot = await stage.wait_for("Chromium, unguarded", browser_attack(unguarded_demo))
    shut_loot = await stage.wait_for("Chromium, guarded", browser_attack(guarded_demo))
    stage.table(
        ["server", "status", "what the attacker's page shows"],
        ["unguarded", open_loot.status, open_loot.text],
        ["guarded", shut_loot.status, shut_loot.text],
    )

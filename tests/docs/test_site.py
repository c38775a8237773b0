"""The built site in a real browser: it asks nobody else, and says nothing in the console."""

from __future__ import annotations

import functools
import http.server
import os
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from chapters.c01 import running_children
from chapters.c06.lesson.browser import executable, missing
from tests.docs.test_pages import build, navigation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

# Only what is wrong leaves the page: the whole of a report takes longer to hand over than to make.
AXE = """
    axe.run().then(report => report.violations
        .filter(violation => ["serious", "critical"].includes(violation.impact))
        .map(violation => [violation.id, violation.nodes[0].html]))
"""

NO_BROWSER = missing()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(NO_BROWSER is not None, reason=NO_BROWSER or ""),
    pytest.mark.filterwarnings("default"),  # playwright's own thread is not ours to mend
    pytest.mark.timeout(600),  # each test goes through all pages
]


@pytest.fixture(autouse=True)
def nothing_is_left_running() -> None:
    """Leave that to the browser's own fixture: a browser starts and ends processes as it likes."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is one

    before = running_children()
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=executable(),
            chromium_sandbox=False,
            args=["--disable-gpu", "--disable-background-networking", "--no-first-run"],
        )
        yield chromium
        chromium.close()
    assert running_children() == before


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the site, serve it on loopback, and yield its address."""
    site = tmp_path_factory.mktemp("served")
    build("mkdocs.yml", site)
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="module")
def from_disk(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the offline site, pack and unpack it, and return its address."""
    folder = tmp_path_factory.mktemp("disk")
    build("mkdocs-offline.yml", folder / "site")
    archive = folder / "site.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (folder / "site").rglob("*"):
            packed.write(path, path.relative_to(folder))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "unpacked")
    return f"{(folder / 'unpacked' / 'site').as_uri()}/"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        pass


def watched(page: Page, own: str) -> list[str]:
    """Return a list that fills with whatever a page asks of others, or complains about."""
    noted: list[str] = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((own, "data:", "blob:")) else noted.append(r.url),
    )
    page.on("console", lambda m: noted.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: noted.append(str(error)))
    return noted


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("way", ["served", "from_disk"])
def test_every_page_asks_nobody_else_and_logs_no_error(
    way: str, scheme: str, browser: Browser, request: pytest.FixtureRequest
) -> None:
    own: str = request.getfixturevalue(way)
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    noted = watched(page, own)
    for entry in navigation():
        name = entry.removesuffix(".md")
        path = name.removesuffix("index") + ("" if name.endswith("index") else "/")
        page.goto(own + (path if way == "served" else f"{name}.html"), wait_until="load")
        assert page.locator("h1").count() == 1
    page.close()
    assert noted == []


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("way", ["served", "from_disk"])
def test_search_finds_the_watchdog_by_keyboard_alone(
    way: str, width: int, browser: Browser, request: pytest.FixtureRequest
) -> None:
    own: str = request.getfixturevalue(way)
    page = browser.new_page(viewport={"width": width, "height": 800})
    noted = watched(page, own)
    page.goto(own + ("c01/" if way == "served" else "c01.html"))
    page.keyboard.press("/")
    page.keyboard.type("watchdog")
    result = page.locator(".md-search-result__link").first
    result.wait_for()
    assert "watchdog" in result.inner_text().lower()
    page.keyboard.press("ArrowDown")
    found = page.evaluate("document.activeElement.href")
    page.keyboard.press("Enter")
    page.wait_for_url(found)
    assert "watchdog" in page.locator("article").inner_text().lower()
    page.close()
    assert noted == []


def test_a_narrow_page_does_not_scroll_sideways(served: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    for entry in navigation():
        page.goto(served + entry.removesuffix("index.md").replace(".md", "/"))
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, entry
    page.close()


@pytest.mark.skipif("AXE_JS" not in os.environ, reason="AXE_JS should name a copy of axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(scheme: str, served: str, browser: Browser) -> None:
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.add_init_script(path=os.environ["AXE_JS"])
    found = []
    for entry in navigation():
        page.goto(served + entry.removesuffix("index.md").replace(".md", "/"))
        shown = "slate" if scheme == "dark" else "default"
        assert page.locator("body").get_attribute("data-md-color-scheme") == shown
        found += [(entry, *violation) for violation in page.evaluate(AXE)]
    page.close()
    assert found == []

"""The runbook's data is whole, its search counts words, and its diagram is a picture."""

from __future__ import annotations

import re
import struct
import zlib

import pytest

from demo_servers.runbook_diagram import diagram, png
from demo_servers.runbook_pages import Page, Runbook, load

RUNBOOK = load()


@pytest.mark.parametrize("page", RUNBOOK.pages.values(), ids=lambda page: page.slug)
def test_a_page_is_short_and_refers_to_pages_that_are_there(page: Page) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", page.slug)
    assert 3 <= len(page.text.splitlines()) <= 8
    assert set(re.findall(r"`(.*?)`", page.text)) <= RUNBOOK.pages.keys() - {page.slug}


def test_every_service_has_a_page_and_depends_on_services() -> None:
    assert RUNBOOK.depends_on.keys() <= RUNBOOK.pages.keys()
    for others in RUNBOOK.depends_on.values():
        assert set(others) <= RUNBOOK.depends_on.keys()


def runbook(**texts: str) -> Runbook:
    """Return a runbook with these pages."""
    return Runbook({slug: Page(slug, slug.title(), text) for slug, text in texts.items()}, {})


def found(runbook: Runbook, query: str) -> list[tuple[str, int]]:
    """Return what a search finds, by slug."""
    return [(page.slug, count) for page, count in runbook.search(query)]


def test_a_search_counts_words_of_title_and_text_in_either_case() -> None:
    pages = runbook(disk="A DISK is full.", cache="The disk? Disk, disk!", dns="Diskette.")
    assert found(pages, "Disk") == [("cache", 3), ("disk", 2)]


def test_a_search_that_draws_even_goes_by_slug_and_a_word_twice_counts_once() -> None:
    pages = runbook(b="full", a="full")
    assert found(pages, "full full") == [("a", 1), ("b", 1)]


def test_a_png_can_be_taken_apart_again() -> None:
    rows = [bytes([0, 1, 2]), bytes([253, 254, 255])]
    rest = png(rows).removeprefix(b"\x89PNG\r\n\x1a\n")
    chunks = {}
    while rest:
        (length,) = struct.unpack(">I", rest[:4])
        kind, content, check = rest[4:8], rest[8 : 8 + length], rest[8 + length : 12 + length]
        assert struct.unpack(">I", check) == (zlib.crc32(kind + content),)
        chunks[kind] = content
        rest = rest[12 + length :]
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (3, 2, 8, 0, 0, 0, 0)
    assert zlib.decompress(chunks[b"IDAT"]) == b"".join(b"\0" + row for row in rows)


def test_a_service_stands_below_those_that_depend_on_it() -> None:
    alone = diagram({"a": []})
    chain = diagram({"a": ["b"], "b": []})
    beside = diagram({"a": [], "b": []})
    (width, height), (chain_width, chain_height), (beside_width, beside_height) = (
        struct.unpack(">II", image[16:24]) for image in (alone, chain, beside)
    )
    assert (chain_width, beside_height) == (width, height)
    assert chain_height > height
    assert beside_width > width

"""Every chapter has the pieces that the page on contributing lists, and the list has them all."""

from __future__ import annotations

import re
import tomllib
from functools import reduce
from pathlib import Path
from typing import NamedTuple

import pytest

from chapters.stage.manifest import read_manifest

ROOT = Path(__file__).parent.parent.parent
CHAPTERS = read_manifest()
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
LIST = PAGE.partition("## What a chapter consists of\n")[2].partition("\n## ")[0]
ITEM = re.compile(r"^- `([^`]+)`(?: has (`+) ?(.+?) ?\2)?: \w", re.MULTILINE)


class Piece(NamedTuple):
    """A file of a chapter, or what a file that is there anyway says about it."""

    path: str
    text: str

    def of(self, chapter: str) -> Piece:
        """Return the piece of one chapter."""
        title = CHAPTERS[chapter].title
        return Piece(*(part.replace("cNN", chapter).replace("TITLE", title) for part in self))


PIECES = [Piece(path, text) for path, _, text in ITEM.findall(LIST)]


def test_every_item_of_the_list_is_understood() -> None:
    assert len(PIECES) == len(re.findall(r"^- ", LIST, re.MULTILINE)) > 10
    assert all("cNN" in piece.path + piece.text for piece in PIECES)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: " has ".join(filter(None, piece)))
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_each_piece(chapter: str, piece: Piece) -> None:
    path, text = piece.of(chapter)
    assert text in (ROOT / path).read_text(encoding="utf-8")


def test_what_all_chapters_have_is_on_the_list() -> None:
    common = reduce(set.intersection, map(files_of, CHAPTERS))
    assert common == {piece.path for piece in PIECES if "cNN" in piece.path}


def files_of(chapter: str) -> set[str]:
    """Return a chapter's files, with cNN for its id."""
    paths = (
        path.relative_to(ROOT)
        for folder in ("chapters", "docs", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    return {str(path).replace(chapter, "cNN") for path in paths if chapter in str(path)}


def test_the_newest_version_of_the_changelog_is_the_packages() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.findall(r"^## \[(\d\S*)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)[0]
    assert newest == project["version"]

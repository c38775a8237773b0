"""Whoever opens a chapter's folder sees its mechanism, and beside it how the chapter is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chapters.stage.manifest import read_manifest
from tests.docs.record import ROOT
from tests.lifting.test_lifting import TABLE

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS = ROOT / "chapters"
PLUMBING = {"__init__", "__main__", "__pycache__", "lesson"}
LESSON_LINES = 150
MAIN_LINES = 12


@pytest.mark.parametrize("chapter", [each for each in read_manifest() if each != "c01"])
def test_the_top_of_a_chapter_is_what_the_page_on_lifting_names(chapter: str) -> None:
    """c01 is the counterexample: nobody lifts it."""
    top = {path.stem for path in (CHAPTERS / chapter).iterdir()} - PLUMBING
    named = {module.partition(".")[2] for module in TABLE if module.startswith(f"{chapter}.")}
    assert top == named


@pytest.mark.parametrize("chapter", read_manifest())
def test_what_runs_a_chapter_is_a_few_lines(chapter: str) -> None:
    assert length(CHAPTERS / chapter / "__main__.py") <= MAIN_LINES


@pytest.mark.parametrize(
    "path", sorted(CHAPTERS.glob("c*/lesson/**/*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_file_of_a_lesson_is_read_in_one_sitting(path: Path) -> None:
    assert length(path) <= LESSON_LINES


def length(path: Path) -> int:
    """Return how many lines a file has."""
    return len(path.read_text(encoding="utf-8").splitlines())

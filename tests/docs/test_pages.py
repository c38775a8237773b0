"""Manifest, pages, navigation and what the pages show agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml

from chapters.c04 import read_servers
from chapters.stage.manifest import read_manifest
from tests.docs.record import GENERATED, ROOT, questions

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS = read_manifest()
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if GENERATED not in path.parents)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'--8<-- "([^"]+)"\n')
FORM = ["Predict first", "The story", "What the run prints", "What the protocol says", "Where next"]


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml, in which a theme may have tags of its own."""


def navigation() -> list[str]:
    """Return the pages of the navigation, in its order."""
    document = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)  # noqa: S506

    def leaves(node: object) -> list[str]:
        if isinstance(node, str):
            return [node]
        items = node.values() if isinstance(node, dict) else node
        assert isinstance(items, list) or hasattr(items, "__iter__")
        return [leaf for item in items for leaf in leaves(item)]

    return leaves(document["nav"])


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page() -> None:
    assert sorted(navigation()) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


def test_every_chapter_has_its_page_in_the_order_of_the_book() -> None:
    pages = [entry for entry in navigation() if re.fullmatch(r"c\d\d\.md", entry)]
    assert pages == [f"{chapter}.md" for chapter in CHAPTERS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_page_has_a_description_and_one_title(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    front, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]  # else there is no front matter
    assert len(yaml.safe_load(front)["description"]) > 30
    assert len(re.findall(r"^# ", FENCE.sub("", body), re.MULTILINE)) == 1


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapters_page_follows_the_form(chapter: str) -> None:
    text = (DOCS / f"{chapter}.md").read_text(encoding="utf-8")
    assert f"# {chapter} {CHAPTERS[chapter].title}" in text
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [heading for heading in headings if heading in FORM] == FORM
    included = INCLUDE.findall(text)
    assert f"docs/generated/{chapter}-questions.md" in included
    assert f"docs/generated/{chapter}.txt" in included


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_code_and_output_come_from_the_source_or_from_a_run(page: Path, tmp_path: Path) -> None:
    for kind, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if kind in ("python", "text"):
            include = INCLUDE.fullmatch(block)
            assert include, f"this block is typed in:\n{block}"
            assert include[1].startswith("chapters/" if kind == "python" else "docs/generated/")
        elif kind == "toml":
            example = tmp_path / "servers.toml"
            example.write_text(block, encoding="utf-8")
            assert read_servers(example)
        else:
            assert kind == "sh"
            for line in block.splitlines():
                assert known_command(line), line


def known_command(line: str) -> bool:
    """Whether a line of a shell block is a make target or a chapter that there is."""
    command = line.split("#", maxsplit=1)[0].split()
    if command[0] == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        return re.search(rf"^{command[1]}:", makefile, re.MULTILINE) is not None
    if command[:2] != ["python", "-m"]:
        return False
    module = command[2].split(".")
    return module[0] in ("chapters", "pytest") and (len(module) == 1 or module[1] in CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_questions_on_a_page_are_the_manifests(chapter: str) -> None:
    recorded = (GENERATED / f"{chapter}-questions.md").read_text(encoding="utf-8")
    assert recorded == questions(CHAPTERS[chapter]), "run `make record`"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_teachers_page_speaks_of_every_question_and_of_no_other(chapter: str) -> None:
    text = (DOCS / "teach" / f"{chapter}.md").read_text(encoding="utf-8")
    spoken_of = re.findall(r"^\| `(c\d\d\.[a-z-]+)` \|", text, re.MULTILINE)
    assert spoken_of == [goal.id for goal in CHAPTERS[chapter].goals]

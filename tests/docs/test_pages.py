"""Manifest, pages, navigation and what the pages show agree."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml

from chapters.c04.lesson.own.servers_file import read_servers
from chapters.stage.gallery import wrong_answers
from chapters.stage.manifest import read_manifest
from tests.docs.record import GENERATED, LIFTING, ROOT, answers, questions, recorded, wrong

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS = read_manifest()
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if GENERATED not in path.parents)
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'--8<-- "([^":]+)(?::([^"]+))?"\n')
MARKER = re.compile(r"--8<-- \[(start|end):([\w-]+)\]")
FORM = [
    "Predict first",
    "The story",
    "The code",
    "What the run prints",
    "What crossed the wire",
    "The wrong way and what it costs",
    "The answers",
    "Check yourself",
    "What the protocol says",
    "Where next",
]


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


def sections(page: Path) -> dict[str, str]:
    """Return what stands under each heading of a page, in its order."""
    _, *parts = re.split(r"^## (.*)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def marked() -> dict[tuple[str, str], int]:
    """Return how many lines each named section of the sources has, by its file and name."""
    found: dict[tuple[str, str], int] = {}
    for path in [*sorted((ROOT / "chapters").rglob("*.py")), LIFTING]:
        started: dict[str, int] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if marker := MARKER.search(line):
                if marker[1] == "start":
                    started[marker[2]] = number
                else:
                    length = number - started.pop(marker[2]) - 1
                    found[str(path.relative_to(ROOT)), marker[2]] = length
        assert not started, f"{path}: these sections do not end: {list(started)}"
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapters_page_follows_the_form(chapter: str) -> None:
    page = DOCS / f"{chapter}.md"
    assert f"# {chapter} {CHAPTERS[chapter].title}" in page.read_text(encoding="utf-8")
    told = sections(page)
    assert [heading for heading in told if heading in FORM] == FORM
    assert all(body.strip() for body in told.values())
    assert f'"docs/generated/{chapter}-questions.md"' in told["Predict first"]
    assert 2 <= len(INCLUDE.findall(told["The code"])) <= 5
    assert f'"docs/generated/{chapter}.txt"' in told["What the run prints"]
    assert f'"docs/generated/{chapter}-answers.md"' in told["The answers"]
    costs = told["The wrong way and what it costs"]
    assert f'"docs/generated/{chapter}-wrong.md"' in costs
    (shown,) = re.findall(rf"`python -m chapters\.{chapter} --wrong ([\w-]+)`", costs)
    assert shown in {each.name for each in wrong_answers(chapter)}
    assert f"python -m chapters quiz {chapter} " in told["Check yourself"]
    assert f"python -m pytest tests/{chapter} --answers " in told["Check yourself"]
    assert re.search(
        r'MCP 2026-07-28.*"[A-Z].*\*[A-Z].*\*', told["What the protocol says"], re.DOTALL
    )


@pytest.mark.parametrize("chapter", [c for c in CHAPTERS if c != "c01"])
def test_a_page_draws_what_crossed_the_wire(chapter: str) -> None:
    """c01 alone has nothing to draw: its frames are the ones that there are not."""
    drawn = INCLUDE.findall(sections(DOCS / f"{chapter}.md")["What crossed the wire"])
    assert drawn
    assert all(re.fullmatch(rf"docs/generated/{chapter}-\w+\.svg", path) for path, _ in drawn)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_code_and_output_come_from_the_source_or_from_a_run(page: Path, tmp_path: Path) -> None:
    for kind, title, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if kind in ("python", "text"):
            include = INCLUDE.fullmatch(block)
            assert include, f"this block is typed in:\n{block}"
            if kind == "text":
                assert include[1].startswith("docs/generated/")
            else:
                assert title == f' title="{include[1]}"'
                assert marked()[include[1], include[2]] <= 40
        elif kind == "toml":
            example = tmp_path / "servers.toml"
            example.write_text(block, encoding="utf-8")
            assert read_servers(example)
        else:
            assert kind == "sh"
            for line in block.splitlines():
                assert known_command(line), line


def test_every_section_that_the_sources_mark_is_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert marked().keys() == {(path, name) for path, name in INCLUDE.findall(text) if name}


@pytest.mark.parametrize("config", ["mkdocs.yml", "mkdocs-offline.yml"])
def test_no_page_shows_a_marker(config: str, tmp_path: Path) -> None:
    build(config, tmp_path)
    for page in tmp_path.rglob("*.html"):
        assert "8&lt;--" not in page.read_text(encoding="utf-8"), page


def build(config: str, site: Path) -> None:
    """Build the site of a configuration in a folder."""
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", config, "-d", str(site)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip


def known_command(line: str) -> bool:
    """Whether a line of a shell block is a make target or a module that there is."""
    command = line.split("#", maxsplit=1)[0].split()
    if command[0] == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        return re.search(rf"^{command[1]}:", makefile, re.MULTILINE) is not None
    if command[:2] != ["python", "-m"]:
        return False
    module = command[2].split(".")
    if module[0] == "tests":
        return ROOT.joinpath(*module).with_suffix(".py").exists()
    return module[0] in ("chapters", "pytest") and (len(module) == 1 or module[1] in CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_questions_and_answers_on_a_page_are_the_manifests(chapter: str) -> None:
    for kind, written in (("questions", questions), ("answers", answers)):
        on_page = (GENERATED / f"{chapter}-{kind}.md").read_text(encoding="utf-8")
        assert on_page == written(CHAPTERS[chapter]), "run `make record`"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_wrong_answer_on_a_page_makes_something_else_of_its_claims(chapter: str) -> None:
    on_page = (GENERATED / f"{chapter}-wrong.md").read_text(encoding="utf-8")
    observed = recorded(on_page)
    goals = {goal.name: goal for goal in CHAPTERS[chapter].goals}
    assert observed.keys() >= {
        (each.name, goal.name)
        for each in wrong_answers(chapter)
        for goal in goals.values()
        if goal.id in each.goals
    }, "run `make record`"
    assert on_page == wrong(CHAPTERS[chapter], observed), "run `make record`"
    assert not [key for key, seen in observed.items() if goals[key[1]].matches(seen)]
    assert not [key for key, seen in observed.items() if seen == str(goals[key[1]].answer)]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_teachers_page_speaks_of_every_question_and_of_no_other(chapter: str) -> None:
    text = (DOCS / "teach" / f"{chapter}.md").read_text(encoding="utf-8")
    spoken_of = re.findall(r"^\| `(c\d\d\.[a-z-]+)` \|", text, re.MULTILINE)
    assert spoken_of == [goal.id for goal in CHAPTERS[chapter].goals]

"""The modules that the page on lifting names are enough, and need what it says."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.docs.record import GENERATED, LIFTING, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "lifting.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w.]+)` \|(?:[^|]+\|){2} ([^|]+) \|$", PAGE, re.MULTILINE)
TABLE = {module: re.findall(r"`([\w.-]+)`", needs) for module, needs in ROWS}
OF_THE_BOOK = re.compile(r"(c\d\d|stage)\.")
LESSON = re.compile(r"__main__|demo|odd_servers|wrong|stage(?!\.sight$)")


def place(module: str) -> Path:
    """Return the file or folder of a dotted name below the chapters, or of a chapter."""
    path = ROOT.joinpath("chapters", *module.split("."))
    return path if path.is_dir() else path.with_suffix(".py")


def files(module: str) -> list[Path]:
    """Return the files of a row of the table."""
    path = place(module)
    return sorted(path.glob("*.py")) if path.is_dir() else [path]


@cache
def origin(module: str, name: str) -> str:
    """Return the module that ``from chapters.<module> import <name>`` takes the name from."""
    if module in TABLE or not place(module).is_dir():
        return module
    if place(f"{module}.{name}").exists():
        return f"{module}.{name}"
    for node in ast.parse((place(module) / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}:
            return origin(str(node.module).removeprefix("chapters."), name)
    return module


def row_of(module: str) -> str:
    """Return the row that a module belongs to: a folder's modules belong to the folder's."""
    return next((row for row in TABLE if f"{module}.".startswith(f"{row}.")), module)


distributions = cache(packages_distributions)


def imports(path: Path) -> set[str]:
    """Return what a file imports: packages, and modules of the book by their rows."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[tuple[str, str]] = []
        if isinstance(node, ast.Import):
            names = [(each.name, "") for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(str(node.module), each.name) for each in node.names]
        for module, name in names:
            top, _, rest = module.partition(".")
            if top == "chapters":
                found.add(row_of(origin(rest, name)))
            elif top not in sys.stdlib_module_names:
                found.add(distributions()[top][0])
    return found


def test_the_table_names_modules_of_all_chapters_but_the_first() -> None:
    assert len(TABLE) == len(ROWS) == len(re.findall(r"^\| `", PAGE, re.MULTILINE))
    assert {module.partition(".")[0] for module in TABLE} == {
        "stage", "c02", "c03", "c04", "c05", "c06", "c07"
    }  # fmt: skip
    assert not [module for module in TABLE if LESSON.search(module)]


@pytest.mark.parametrize("module", TABLE)
def test_a_module_needs_what_the_table_says(module: str) -> None:
    assert all(path.exists() for path in files(module))
    needed = set().union(*map(imports, files(module))) - {module}
    packages = sorted(name for name in needed if not OF_THE_BOOK.match(name))
    assert TABLE[module] == packages + sorted(needed - set(packages), key=by_chapter)


def by_chapter(module: str) -> tuple[bool, str]:
    """Sort the stage's module after the chapters'."""
    return module.startswith("stage."), module


@pytest.mark.parametrize("module", TABLE)
def test_a_module_needs_only_modules_above_it(module: str) -> None:
    above = list(TABLE)[: list(TABLE).index(module)]
    assert {name for name in TABLE[module] if OF_THE_BOOK.match(name)} <= set(above)


def test_the_program_imports_modules_of_the_table_and_nothing_of_the_lesson() -> None:
    assert imports(LIFTING) - {"anyio"} <= set(TABLE)


@pytest.fixture
def lifted(tmp_path: Path) -> Path:
    """Take the table's modules to another folder, with what their packages say about them."""
    for module in TABLE:
        target = tmp_path / "product" / place(module).relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if place(module).is_dir():
            shutil.copytree(place(module), target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(place(module), target)
    for package in (tmp_path / "product" / "chapters").iterdir():
        source = (ROOT / "chapters" / package.name / "__init__.py").read_text(encoding="utf-8")
        kept = [
            ast.unparse(node)
            for node in ast.parse(source).body
            if isinstance(node, ast.ImportFrom)
            and str(node.module).removeprefix("chapters.") in TABLE
        ]
        (package / "__init__.py").write_text("\n".join(kept), encoding="utf-8")
    (tmp_path / "product" / "chapters" / "__init__.py").touch()
    shutil.copytree(ROOT / "demo_servers", tmp_path / "product" / "demo_servers")
    return tmp_path / "product"


def test_the_tables_modules_are_enough_to_import_each_other(lifted: Path) -> None:
    names = [f"chapters.{module}" for module in TABLE]
    program = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
        "assert all(m.__file__.startswith(sys.argv[1])\n"
        "           for n, m in sys.modules.items() if n.startswith('chapters'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(lifted)],
        cwd=lifted, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def run_a_copy(folder: Path, on: Path) -> str:
    """Run a copy of the program in a folder, on the book or what was taken of it; say yes.

    Its servers run while it asks, and nothing of them is left when it is over.
    """
    program = shutil.copy(LIFTING, folder)
    with subprocess.Popen(
        [sys.executable, "-u", program],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(on)}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout
        printed = ""
        while "Type yes or no." not in printed:
            line = running.stdout.readline()
            assert line, f"it ended early:\n{printed}{running.communicate()[1]}"
            printed += line
        children = psutil.Process(running.pid).children(recursive=True)
        rest, errors = running.communicate("yes\n", timeout=60)
    assert (running.returncode, errors) == (0, "")
    assert len(children) >= 2
    assert not [child for child in children if child.is_running()]
    return printed + rest


def test_a_copy_elsewhere_prints_what_the_page_shows_and_leaves_nothing(tmp_path: Path) -> None:
    shown = (GENERATED / "lifting.txt").read_text(encoding="utf-8")
    assert run_a_copy(tmp_path, ROOT) == shown, "run `make record`"
    log = (tmp_path / "harness.log").read_text(encoding="utf-8")
    assert "accounts.db" in log
    assert "accounts.db" not in shown


def test_it_runs_on_the_tables_modules_alone(lifted: Path, tmp_path: Path) -> None:
    assert run_a_copy(tmp_path, lifted) == (GENERATED / "lifting.txt").read_text(encoding="utf-8")

"""Imports point backwards, and importing starts nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODULES = sorted(
    path for folder in ("chapters", "demo_servers") for path in ROOT.glob(f"{folder}/**/*.py")
)


def imported(path: Path) -> set[str]:
    """Return the dotted names that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def chapter_of(name: str) -> str | None:
    """Return the chapter that a dotted module name or a path's part is in."""
    parts = name.split(".")
    return (
        parts[1] if parts[0] == "chapters" and len(parts) > 1 and parts[1][1:].isdigit() else None
    )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_backwards(path: Path) -> None:
    where = path.relative_to(ROOT).parts
    own = chapter_of(".".join(where)) or ""
    for name in imported(path):
        assert name.split(".")[0] != "tests", f"imports {name}"
        if where[0] == "demo_servers":
            assert name.split(".")[0] != "chapters", f"a demo server imports {name}"
        elif (other := chapter_of(name)) is not None:
            assert other <= own, f"imports the later chapter {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_lesson_is_imported_by_lessons_and_by_what_runs_it_alone(path: Path) -> None:
    """A later chapter's lesson may use an earlier one's demo servers; no mechanism may."""
    if "lesson" not in path.parts:
        lessons = {name for name in imported(path) if "lesson" in name.split(".")}
        own = ".".join(path.relative_to(ROOT).parts[:2]) + ".lesson"
        assert not lessons or path.name == "__main__.py", f"imports {lessons}"
        assert all(name.startswith(own) for name in lessons), f"imports {lessons}"


def test_importing_everything_starts_nothing() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in MODULES
    ]
    program = (
        "import importlib, threading, psutil\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "process = psutil.Process()\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "assert not process.children(), process.children()\n"
        "assert not process.net_connections(), process.net_connections()\n"
        "assert not process.open_files(), process.open_files()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

"""A program that is run in a fork is run as `python -m` runs it, only sooner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm

ROOT = Path(__file__).parent.parent.parent
STUB = "tests.shape.stub_lesson"

pytestmark = pytest.mark.usefixtures("warm_python")


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ((STUB, "right"), ""),
        ((STUB, "wrong", "--json"), ""),
        ((STUB, "--no-such-option"), ""),
        (("chapters", "quiz", "c01", "--output", "/no/such/folder/x.toml"), "zebra\nb\n\n\n\n"),
    ],
)
def test_a_fork_ends_and_writes_as_an_interpreter_does(command: list[str], given: str) -> None:
    started = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT, input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    forked = warm.run(*command, given=given)
    assert forked.returncode == started.returncode
    assert (forked.stdout, forked.stderr) == (started.stdout, started.stderr)


def test_what_one_program_changes_the_next_does_not_see() -> None:
    assert "green-is-true" in warm.run("chapters.c01", "--plain", "--wrong", "green-is-true").stdout
    assert warm.run("chapters.c01", "--plain").returncode == 0

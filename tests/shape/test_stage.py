"""The stage, by a stub lesson: exit statuses, signals, and no traceback on a terminal."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from chapters.stage import programs

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent
STUB = "tests.shape.stub_lesson"


def run(*command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT, input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


@contextmanager
def run_until(words: str, *command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a module as far as the line that holds these words."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", *command],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stdout
        while words not in program.stdout.readline():
            pass
        yield program


def test_a_lesson_whose_claims_hold_ends_with_0() -> None:
    done = run(STUB, "right")
    assert (done.returncode, done.stderr) == (0, "")
    assert "All 4 claims hold." in done.stdout


def test_a_claim_that_does_not_hold_ends_with_1() -> None:
    done = run(STUB, "wrong")
    assert done.returncode == 1
    assert "DOES NOT HOLD: expected no" in done.stdout
    assert "4 of 4 claims did not hold." in done.stdout


def test_a_goal_without_a_claim_ends_with_1() -> None:
    done = run(STUB, "one-claim")
    assert done.returncode == 1
    assert "ended without a claim for c01.behaviours" in done.stdout


@pytest.mark.parametrize("form", ["--plain", "--json"])
def test_a_lesson_that_raises_shows_a_sentence_and_the_logs_path(form: str) -> None:
    done = run(STUB, "raises", form)
    assert done.returncode == 1
    assert "RuntimeError: the stub" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert "\x1b" not in done.stdout
    log = Path(re.findall(r"is in (\S+\.log)", done.stdout.replace("\n", " "))[0])
    assert "Traceback" in log.read_text(encoding="utf-8")
    log.unlink()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_lesson_and_its_children(number: signal.Signals, status: int) -> None:
    with run_until("waiting", STUB, "waits") as lesson:
        children = psutil.Process(lesson.pid).children(recursive=True)
        lesson.send_signal(number)
        _, errors = lesson.communicate()
    assert children
    assert not [child for child in children if child.is_running()]
    assert lesson.returncode == status
    assert "Traceback" not in errors
    assert "Interrupted." in errors


def test_further_signals_change_nothing() -> None:
    with run_until("waiting", STUB, "waits") as lesson:
        assert lesson.stderr
        lesson.send_signal(signal.SIGINT)
        for words in ("", "Stopping what we started ...", "Interrupted. Everything"):
            assert lesson.stderr.readline().startswith(words)
            lesson.send_signal(signal.SIGINT)
        assert lesson.stderr.read() == ""
    assert lesson.returncode == 130


def test_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "LOG_BYTES", 10_000)
    with programs.log_file() as log:
        for _ in range(1000):
            logging.getLogger("noise").warning("x" * 100)
        assert log.path.stat().st_size <= 10_000
    log.path.unlink()
    assert not log.path.with_name(f"{log.path.name}.1").exists()


def test_ctrl_c_before_the_first_answer_says_that_nothing_was_written(tmp_path: Path) -> None:
    output = tmp_path / "mine.toml"
    with run_until("Is that MCP?", "chapters", "quiz", "c01", "--output", str(output)) as quiz:
        quiz.send_signal(signal.SIGINT)
        _, errors = quiz.communicate()
    assert (quiz.returncode, errors.strip()) == (130, "Nothing was written.")
    assert not output.exists()


@pytest.mark.parametrize(
    "command",
    [
        "chapters.c01 --plain",
        "chapters.c01 --json",
        "chapters.c01 --questions",
        "chapters",
    ],
)
def test_output_that_cannot_be_written_is_one_sentence(command: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", *command.split()],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "The output cannot be written: [Errno 28] No space left on device.\n"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("chapters.c01 --plain >&-", 0),
        ("chapters.c01 --plain --step <&- >/dev/null", 0),
        ("chapters.c01 --questions >&-", 0),
        ("chapters.c01 --wrong list >&-", 0),
        ("chapters >&-", 0),
        ("chapters quiz c01 --output no-such-folder/x.toml <&- >/dev/null", 130),
    ],
)
def test_a_closed_stream_leads_nowhere(command: str, status: int) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m {command}'],
        cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_is_heard_also_while_a_lesson_holds_the_event_loop() -> None:
    with run_until("... probing", "chapters.c01", "--plain") as lesson:
        lesson.send_signal(signal.SIGINT)
        _, errors = lesson.communicate()
    assert lesson.returncode == 130
    assert "Interrupted." in errors


def test_ctrl_c_while_still_importing_leaves_no_traceback() -> None:
    program = (
        "import os, signal, sys; sys.argv = ['-m']; import chapters; "
        "os.kill(os.getpid(), signal.SIGINT)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_a_reader_who_leaves_gets_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            [sys.executable, "-m", STUB, "right"],
            cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")


def test_step_waits_for_enter_between_steps() -> None:
    done = run("chapters.c01", "--step", given="\n" * 9)
    assert done.returncode == 0
    assert done.stderr.count("(Enter to go on)") == 3

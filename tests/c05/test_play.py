"""You as the model: typed into, as a reader would."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests import warm

ROOT = Path(__file__).parent.parent.parent
PLAY = [sys.executable, "-m", "chapters.c05", "--play"]

pytestmark = pytest.mark.usefixtures("warm_python")


def play(*lines: str) -> warm.Done:
    return warm.run("chapters.c05", "--play", given="\n".join(lines))


def test_a_game_can_be_played_through() -> None:
    done = play(
        "conect_mcp {}",
        'connect_mcp {"alias": "demo_beta"}',
        "",
        "mcp__demo_beta__lookup {key}",
        'mcp__demo_beta__lookup {"key": "-32601"}',
        "mcp__demo_beta__history {}",
        "",
        "y",
        "",
    )
    assert done.returncode == 0, done.stderr
    assert "Did you mean connect_mcp?" in done.stdout
    assert '"error": "unknown_tool"' in done.stdout
    assert "--- request 2" in done.stdout
    assert '(alias: "demo_alpha" or "demo_beta")' in done.stdout
    assert 'mcp__demo_beta__lookup {"key": "..."}' in done.stdout
    assert "no JSON. Try: mcp__demo_beta__lookup" in done.stdout
    assert "[tool mcp__demo_beta__lookup] Method not found" in done.stdout
    assert "allow mcp__demo_beta__history {}, a write? (y/N)" in done.stderr
    assert "[tool mcp__demo_beta__history] -32601" in done.stdout
    assert done.stdout.endswith("every server is stopped.\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_a_word_ends_the_play_and_no_call_is_made(word: str) -> None:
    done = play('connect_mcp {"alias": "demo_beta"}', word)
    assert done.returncode == 0, done.stderr
    assert "request 2" not in done.stdout
    assert done.stdout.endswith("every server is stopped.\n")


@pytest.mark.parametrize("option", ["--json", "--wire", "--step", "--questions", "--wrong=x"])
def test_options_of_the_lesson_do_not_go_with_the_play(option: str) -> None:
    done = warm.run("chapters.c05", "--play", option)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--play" in done.stderr.splitlines()[-1]


def test_ctrl_d_ends_the_play() -> None:
    done = play('connect_mcp {"alias": "demo_beta"}')
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("every server is stopped.\n")


def test_ctrl_c_leaves_nothing() -> None:
    with subprocess.Popen(
        PLAY, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as game:  # fmt: skip
        assert game.stdin
        assert game.stdout
        game.stdin.write('connect_mcp {"alias": "demo_beta"}\n\n')
        game.stdin.flush()
        while "request 2" not in game.stdout.readline():
            pass
        children = psutil.Process(game.pid).children(recursive=True)
        game.send_signal(signal.SIGINT)
        _, errors = game.communicate()
    assert children
    assert not [child for child in children if child.is_running()]
    assert game.returncode == 130
    assert "Traceback" not in errors

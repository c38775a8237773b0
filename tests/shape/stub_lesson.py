"""A stub lesson, told on c01's stage, that behaves as its first argument says."""

from __future__ import annotations

import sys

import anyio

from chapters.stage import Stage, run

BEHAVIOUR = sys.argv.pop(1)


async def tell(stage: Stage) -> None:
    """Claim what the behaviour asks for."""
    await stage.step("A stub")
    for goal in stage.chapter.goals:
        stage.claim(goal.id, "something else" if BEHAVIOUR == "wrong" else goal.answer)
        if BEHAVIOUR == "one-claim":
            return
        if BEHAVIOUR == "raises":
            raise RuntimeError("the stub\x1b[31m broke")
    if BEHAVIOUR == "waits":
        await wait_with_a_child()


async def wait_with_a_child() -> None:
    """Hold a child until cancelled, and take a moment to stop it."""
    async with await anyio.open_process([sys.executable, "-c", "input()"], stderr=None):
        print("waiting", flush=True)
        await anyio.sleep_forever()


if __name__ == "__main__":
    sys.exit(run("c01", tell))

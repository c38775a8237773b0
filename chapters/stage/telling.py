"""The stage a lesson stands on: steps, narration, frames and claims."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import anyio

from chapters.stage.keyboard import Keyboard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Answer, Chapter
    from chapters.stage.options import Options
    from chapters.stage.renderers import FrameLike, Renderer

T = TypeVar("T")

SIGNAL_SECONDS = 0.01
"""After slow work, a moment for a signal that came while the work held the event loop."""


class Stage:
    """Tells one chapter's lesson in the form the reader asked for, and keeps count.

    ``failed`` and ``claims`` say how the lesson stands; :func:`chapters.stage.run` makes the exit
    status of them.
    """

    def __init__(self, chapter: Chapter, options: Options, renderer: Renderer) -> None:
        self.chapter = chapter
        self.claims: dict[str, bool] = {}
        self._options = options
        self._renderer = renderer
        self._steps = 0
        self._keyboard = Keyboard()
        self._began = time.perf_counter()

    @property
    def failed(self) -> int:
        """How many claims did not hold."""
        return sum(not held for held in self.claims.values())

    def begin(self, wrong: WrongAnswer | None = None) -> None:
        """Open the chapter, and say so where a wrong answer is put in."""
        self._renderer.chapter(self.chapter)
        if wrong:
            self.say("This run has a wrong answer in it:")
            self._renderer.wrong(wrong)

    async def step(self, title: str, text: str = "") -> None:
        """Go on to the next step, waiting for Enter first where the reader asked for that."""
        if self._options.step and self._steps:
            await self._keyboard.line("(Enter to go on) ")
        self._steps += 1
        self._renderer.step(self._steps, title)
        if text:
            self.say(text)

    def say(self, text: str) -> None:
        """Tell a paragraph. Line breaks in ``text`` do not count."""
        self._renderer.say(" ".join(text.split()))

    def table(self, columns: Sequence[str], *rows: Sequence[object]) -> None:
        """Show rows of what was seen."""
        self._renderer.table(columns, rows)

    def watch(self, alias: str) -> Callable[[FrameLike], None]:
        """Return an observer for a connection: each frame it is given is part of the trace."""

        def frame_crossed(frame: FrameLike) -> None:
            if self._options.wire or self._options.form == "json":
                self.frame(alias, frame)

        return frame_crossed

    def frame(self, alias: str, frame: FrameLike) -> None:
        """Show a frame, whatever the options say."""
        self._renderer.frame(alias, frame, time.perf_counter() - self._began)

    async def wait_for(self, text: str, thing: Awaitable[T]) -> T:
        """Await ``thing``, showing ``text`` while it takes its time."""
        with self._renderer.waiting(text):
            result = await thing
        await anyio.sleep(SIGNAL_SECONDS)
        return result

    @asynccontextmanager
    async def entering(
        self, text: str, context: AbstractAsyncContextManager[T]
    ) -> AsyncIterator[T]:
        """Hold ``context`` open, showing ``text`` while entering it takes its time."""
        async with AsyncExitStack() as stack:
            yield await self.wait_for(text, stack.enter_async_context(context))

    def claim(self, goal_id: str, observed: Answer) -> None:
        """State what was observed for a goal. The manifest says what was expected.

        Raises :class:`~chapters.stage.ManifestError` for a goal that is not this chapter's.
        """
        goal = self.chapter.goal(goal_id)
        self.claims[goal_id] = goal.matches(observed)
        self._renderer.claim(goal, observed)

    def end(self, trouble: str | None = None) -> None:
        """Close the lesson; ``trouble`` is a sentence on why it ended early."""
        self._renderer.end(claims=len(self.claims), failed=self.failed, trouble=trouble)

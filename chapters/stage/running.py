"""Running a lesson as a program, as the command line says."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, TypeVar

from chapters.stage.gallery import find_wrong_answer, wrong_answers
from chapters.stage.json_lines import JsonRenderer
from chapters.stage.manifest import ManifestError, find_chapter
from chapters.stage.options import option_parser, read_options
from chapters.stage.plain import PlainRenderer
from chapters.stage.programs import run_program
from chapters.stage.streams import with_streams
from chapters.stage.telling import Stage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from chapters.stage.gallery import WrongAnswer
    from chapters.stage.manifest import Chapter
    from chapters.stage.options import Form, Options
    from chapters.stage.programs import Log
    from chapters.stage.renderers import Renderer

    Lesson = Callable[[Stage], Awaitable[None]]

T = TypeVar("T")


def run(chapter_id: str, lesson: Lesson, options: Options | None = None) -> int:
    """Tell ``lesson`` as the command line or ``options`` say, and return the exit status.

    0: every goal was claimed and every claim held. 1: one was not, or the lesson broke off; a
    sentence says so and names the log. 2 (raised as SystemExit): a wrong command line. 130 after
    Ctrl-C and 143 after SIGTERM, once everything that the lesson had started is stopped. Returns 2
    for a wrong answer that is not in the gallery.
    """
    chapter = find_chapter(chapter_id)
    options = options or read_options(option_parser(chapter).parse_args())
    renderer = _renderer(options.form)
    wrong = None
    if options.wrong == "list":
        gallery = wrong_answers(chapter_id)
        return with_streams(lambda: _list(renderer, chapter, renderer.wrong, gallery))
    if options.wrong is not None:
        try:
            wrong = find_wrong_answer(options.wrong, chapter_id)
        except ManifestError as error:
            print(error, file=sys.stderr)
            return 2
    if options.questions:
        return with_streams(lambda: _list(renderer, chapter, renderer.question, chapter.goals))
    if wrong:
        wrong.put_in()
    stage = Stage(chapter, options, renderer)
    return run_program(lambda log: _tell(stage, lesson, log, wrong))


def _list(
    renderer: Renderer, chapter: Chapter, show: Callable[[T], None], things: Iterable[T]
) -> int:
    renderer.chapter(chapter)
    for thing in things:
        show(thing)
    return 0


async def _tell(stage: Stage, lesson: Lesson, log: Log, wrong: WrongAnswer | None) -> int:
    trouble = None
    try:
        stage.begin(wrong)
        await lesson(stage)
        if wrong:
            await stage.step("What the wrong answer costs", wrong.cost)
        if missing := [goal.id for goal in stage.chapter.goals if goal.id not in stage.claims]:
            trouble = f"The lesson ended without a claim for {', '.join(missing)}."
        elif stage.failed and not wrong:
            trouble = log.whereabouts()
    except Exception as error:
        logging.getLogger(__name__).exception("the lesson broke off")
        trouble = f"The lesson broke off: {sentence(error)} {log.whereabouts()}"
    stage.end(trouble or None)
    return 1 if stage.failed or trouble else 0


def sentence(error: BaseException) -> str:
    """Say in one sentence what an exception, or the first of a group, is about."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}{'' if text.endswith('.') else '.'}"


def _renderer(form: Form) -> Renderer:
    if form == "json":
        return JsonRenderer()
    if form == "plain":
        return PlainRenderer()
    from chapters.stage.colour import ColourRenderer  # noqa: PLC0415 - rich, only where it is shown

    return ColourRenderer()

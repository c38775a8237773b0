"""What all tests share: goals, predictions, and a check that nothing is left running.

A goal's test observes and never asserts: it hands what it saw to ``observe``, which compares it
with the manifest, or with the reader's prediction where ``--answers FILE`` was given.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from chapters.c01 import running_children
from chapters.stage.answers import AnswersError, read_answers
from chapters.stage.gallery import WrongAnswer, find_wrong_answer
from chapters.stage.manifest import Answer, Goal, ManifestError, find_chapter, same
from tests import warm

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    Observe = Callable[[Answer], None]

# How long an example takes says more about the machine than about the code: time is for the bench.
settings.register_profile("book", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("book")

# Started first, the longest files do not keep the other workers waiting at the end.
FILES = ("shape/test_lessons.py", "docs/test_site.py", "c03/test_rows.py", "c03/test_goals.py")
LONGEST = {name: place for place, name in enumerate(FILES)}

WRONG = pytest.StashKey[WrongAnswer]()
PREDICTIONS = pytest.StashKey[dict[str, Answer]]()
OBSERVED = pytest.StashKey[dict[str, Answer]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("the book")
    group.addoption(
        "--answers",
        type=Path,
        metavar="FILE",
        help="compare what happens with your predictions, and run only what you predicted",
    )
    group.addoption(
        "--goals",
        action="store_true",
        help="print, after the run, each goal's question with what was observed",
    )
    group.addoption(
        "--wrong",
        metavar="NAME",
        help="put a wrong answer in, and run the tests of its questions; "
        "'python -m chapters.c03 --wrong list' shows the names of a chapter's",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OBSERVED] = {}
    if config.getoption("answers") or config.getoption("wrong"):
        config.option.showcapture = "no"  # a reader who is wrong is told so, without our log
    if name := config.getoption("wrong"):
        try:
            config.stash[WRONG] = find_wrong_answer(name)
            config.stash[WRONG].put_in()
        except ManifestError as error:
            raise pytest.UsageError(str(error)) from error
    if path := config.getoption("answers"):
        try:
            config.stash[PREDICTIONS] = read_answers(path)
        except AnswersError as error:
            raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> list[str]:
    wrong = config.stash.get(WRONG, None)
    return [f"wrong answer: {wrong.name}. It believes: {wrong.belief}"] if wrong else []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST.get("/".join(item.path.parts[-2:]), len(LONGEST)))
    wanted: Collection[str] | None = config.stash.get(PREDICTIONS, None)
    if wanted is None and WRONG in config.stash:
        wanted = config.stash[WRONG].goals
    if wanted is None:
        return
    chosen = [item for item in items if goal_id(item) in wanted]
    if items and not chosen:
        chapters = " or ".join(sorted({f"tests/{goal.partition('.')[0]}" for goal in wanted}))
        raise pytest.UsageError(
            f"None of these tests is asked for. Run: python -m pytest {chapters}"
        )
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    observed = config.stash[OBSERVED]
    if not (config.getoption("goals") and observed):
        return
    terminalreporter.section("goals")
    for goal_id, answer in sorted(observed.items()):
        terminalreporter.line(f"{goal_id}: {goal_of(goal_id).question}")
        terminalreporter.line(f"    observed: {answer}")


def goal_id(item: pytest.Item) -> str | None:
    """Return the id of the goal that a test answers."""
    marker = item.get_closest_marker("goal")
    return marker.args[0] if marker else None


def goal_of(goal_id: str) -> Goal:
    """Return a goal by its id."""
    return find_chapter(goal_id.partition(".")[0]).goal(goal_id)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def warm_python() -> Iterator[None]:
    """Have :func:`tests.warm.run` run programs without importing everything for each."""
    warm.start()
    yield
    warm.end()


@pytest.fixture
def observe(request: pytest.FixtureRequest) -> Iterator[Observe]:
    """Compare what a goal's test observed with the manifest, or with the reader's prediction."""
    goal = goal_of(str(goal_id(request.node)))
    predictions = request.config.stash.get(PREDICTIONS, None)
    observed: list[Answer] = []

    def compare(answer: Answer) -> None:
        observed.append(answer)
        request.config.stash[OBSERVED][goal.id] = answer
        if predictions is None:
            if not goal.matches(answer):
                pytest.fail(unexpected(goal, answer), pytrace=False)
        elif not same(answer, predictions[goal.id]):
            pytest.fail(mispredicted(goal, predictions[goal.id], answer), pytrace=False)

    yield compare
    assert len(observed) == 1, f"the test of {goal.id} observed {len(observed)} answers, not one"


def unexpected(goal: Goal, observed: Answer) -> str:
    """Say that the code does something else than the book says."""
    return (
        f"{goal.id}: {goal.question}\n  the book says:  {goal.answer}\n  what happened:  {observed}"
    )


def mispredicted(goal: Goal, prediction: Answer, observed: Answer) -> str:
    """Say what was predicted, what happened, and where to look for the reason."""
    return (
        f"{goal.id}: {goal.question}\n"
        f"  you predicted:  {prediction}\n"
        f"  what happened:  {observed}\n"
        f"  hint:           {goal.hint}"
    )


@pytest.fixture(autouse=True)
def nothing_is_left_running() -> Iterator[None]:
    """Fail a test after which a process that it started still runs."""
    before = running_children()
    yield
    left = running_children() - before
    assert not left, f"these processes were left running: {sorted(left)}"

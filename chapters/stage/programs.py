"""Running a program beside its servers: a log of its own, its signals, its exit status."""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from chapters.stage.streams import with_streams

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from anyio.abc import TaskStatus

LOG_BYTES = 1 << 20


class Log:
    """Where a program's servers and libraries have their say; kept where somebody is told of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_told = False

    def whereabouts(self) -> str:
        """Say where the full story is, for somebody to be told, or nothing where there is none."""
        if not self.path.stat().st_size:
            return ""
        self.is_told = True
        return f"The full story is in {self.path}"


def run_program(main: Callable[[Log], Awaitable[int]]) -> int:
    """Run an async program with a log of its own, and return its exit status.

    Whatever servers and libraries have to say goes to the log and never to the terminal. It is
    gone afterwards, unless ``main`` has asked it for its whereabouts.
    """
    return with_streams(lambda: _run_logged(main))


def _run_logged(main: Callable[[Log], Awaitable[int]]) -> int:
    # The imports are over: from here on Ctrl-C is an exception, or a signal that is listened to.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 0
    with log_file() as log:
        try:
            status = anyio.run(_until_signal, main, log)
        except* KeyboardInterrupt:
            status = 130  # before or after the signals were listened to
        finally:
            if not log.is_told:
                log.path.unlink()
    return status


async def _until_signal(main: Callable[[Log], Awaitable[int]], log: Log) -> int:
    """Run ``main``; a signal cancels it, and further ones change nothing.

    asyncio's own way with Ctrl-C is to cancel the main task natively, which breaks through the
    shields behind which transports stop their servers. A cancelled scope does not.
    """
    status = 0
    received = 0
    work = anyio.CancelScope()

    async def listen(*, task_status: TaskStatus[None]) -> None:
        nonlocal received
        heard = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
        try:
            with anyio.open_signal_receiver(*heard) as signals:
                task_status.started()
                async for number in signals:
                    if not received:
                        received = number
                        _ignore(heard)
                        _tell_a_person("\nStopping what we started ...")
                        work.cancel()
        finally:
            _ignore(heard)  # the receiver has put the defaults back, and only leaving is left

    async with anyio.create_task_group() as listeners:
        if os.name != "nt":
            await listeners.start(listen)
        with work:
            status = await main(log)
        listeners.cancel_scope.cancel()
    if received:
        _tell_a_person("Interrupted. Everything that we started has stopped.")
        return 128 + received
    return status


def _ignore(numbers: Iterable[signal.Signals]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


def _tell_a_person(text: str) -> None:
    with suppress(OSError):  # who may have hung up, which is a signal too
        print(text, file=sys.stderr, flush=True)


@contextmanager
def log_file() -> Iterator[Log]:
    """Send all logging to a file of bounded size for as long as the context lasts."""
    descriptor, name = tempfile.mkstemp(prefix="chapters-", suffix=".log")
    os.close(descriptor)
    handler = RotatingFileHandler(
        name, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", errors="backslashreplace"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    before = root.handlers[:], root.level
    root.handlers[:], root.level = [handler], logging.INFO
    try:
        yield Log(Path(name))
    finally:
        root.handlers[:], root.level = before
        handler.close()
        Path(f"{name}.1").unlink(missing_ok=True)

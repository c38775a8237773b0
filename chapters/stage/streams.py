"""The streams of a program, which may be closed, full, or read by somebody who has left."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def with_streams(main: Callable[[], int]) -> int:
    """Run ``main`` with whatever streams there are, and return its exit status.

    A stream that is closed (``>&-``) leads nowhere, and a character that a terminal cannot show is
    an escape. Returns 1 when the output cannot be written; a sentence on stderr says why, unless
    its reader has left (``| head``) and there is nobody to tell.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status, error = 1, None
    try:
        status = main()
        sys.stdout.flush()
    except* OSError as group:
        error = _first(group)
    if error is not None:
        if not isinstance(error, BrokenPipeError):
            print(f"The output cannot be written: {error}.", file=sys.stderr)
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())  # so that its closing does not fail too
        return 1
    return status


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error

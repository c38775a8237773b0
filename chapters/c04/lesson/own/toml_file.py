"""A TOML file that somebody wrote by hand: what makes no sense is one sentence with its line.

What the sentence repeats of the file is escaped and cut: a file may have been copied from anywhere.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, TypeVar

from chapters.stage.renderers import visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE_BYTES = 256 * 1024
NAMED_CHARACTERS = 60
SENTENCE_CHARACTERS = 400
STATEMENT_LINES = 200
"""After a statement this long no line is told: finding its end takes a parse for each line."""

T = TypeVar("T")


class ServersFileError(Exception):
    """The file makes no sense; the text says on which line, where that can be told, and why."""


class Misplaced(Exception):  # noqa: N818 - becomes a ServersFileError with its line
    """What is wrong at a path of keys."""

    def __init__(self, path: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


def read_toml(path: Path, understand: Callable[[dict[str, Any]], T]) -> T:
    """Return what ``understand`` makes of a file; it may raise :class:`Misplaced`.

    Raises :class:`ServersFileError`.
    """
    file = visible(str(path)).replace("\n", "\\n")
    text = _text(path, file)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = str(error).replace("at end of document", f"at line {text.count(chr(10)) + 1}")
        raise ServersFileError(f"{file} is no TOML: {_bounded(where)}.") from error
    except RecursionError as error:
        raise ServersFileError(f"{file} cannot be read: it is nested too deep.") from error
    except ValueError as error:
        raise ServersFileError(f"{file} cannot be read: a number in it is too long.") from error
    try:
        return understand(document)
    except Misplaced as misplaced:
        line = line_of(text, misplaced.path)
        where = file if line is None else f"{file}, line {line}"
        raise ServersFileError(f"{where}: {_bounded(str(misplaced))}") from misplaced


def _text(path: Path, file: str) -> str:
    try:
        with path.open("rb") as opened:
            content = opened.read(FILE_BYTES + 1)
    except OSError as error:
        raise ServersFileError(f"{file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ServersFileError(f"{file} cannot be read: there is a NUL in its name.") from error
    if len(content) > FILE_BYTES:
        raise ServersFileError(f"{file} cannot be read: it is larger than {FILE_BYTES:,} bytes.")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ServersFileError(f"{file} is no TOML: it is no UTF-8 text.") from error


def named(name: str) -> str:
    """Return a name from the file in quotes, escaped and cut."""
    cut = "…" if len(name) > NAMED_CHARACTERS else ""
    return visible(f"{name[:NAMED_CHARACTERS]!r}{cut}")


def _bounded(sentence: str) -> str:
    return visible(sentence[:SENTENCE_CHARACTERS]).replace("\n", "\\n")


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """Return the line, from 1, on which the key at ``path`` is first written, or None.

    ``tomllib`` keeps no positions. So it is asked about one statement after the other, each under
    the header that it stands under: a statement ends where it is whole.
    """
    header = ""
    statement: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        statement.append(line)
        is_header = statement[0].lstrip().startswith("[")
        try:
            document = tomllib.loads("\n".join([*([] if is_header else [header]), *statement]))
        except (tomllib.TOMLDecodeError, RecursionError):
            if len(statement) == STATEMENT_LINES:
                return None
            continue
        if _has(document, path):
            return number - len(statement) + 1
        header = statement[0] if is_header else header
        statement = []
    return None


def _has(document: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(document, dict) or key not in document:
            return False
        document = document[key]
    return True

"""A table of requests and verdicts: the rule of the guard, told in examples."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chapters.c06.lesson.raw_http import POST, request

if TYPE_CHECKING:
    from pathlib import Path

    from chapters.c06.serving import Parser

_PORT = re.compile(r"(?<=:)(0*)P\b")  # the letter P where a port would stand


@dataclass(frozen=True)
class Row:
    """One request and the status it must be answered with; 200 stands for "let in".

    ``under`` holds what differs with uvicorn's parser: one of them may answer for itself, before
    any application sees the request.
    """

    name: str
    headers: tuple[str, ...]
    status: int
    start: str = POST
    under: dict[str, int] = field(default_factory=dict)

    def expected(self, parser: Parser) -> int:
        """Return the status expected under ``parser``."""
        return self.under.get(parser, self.status)

    def message(self, port: int, *, extra: tuple[str, ...] = ()) -> bytes:
        """Return the request's bytes for a server on ``port``, with ``extra`` header lines last."""
        lines = [_PORT.sub(rf"\g<1>{port}", line) for line in self.headers]
        return request([*lines, *extra], start=_PORT.sub(rf"\g<1>{port}", self.start))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a TOML file of ``[[row]]`` tables. Raises KeyError for a missing key."""
    return [_row(table) for table in tomllib.loads(path.read_text(encoding="utf-8"))["row"]]


def _row(table: dict[str, Any]) -> Row:
    return Row(
        name=table["name"],
        headers=tuple(table["headers"]),
        status=table["status"],
        start=table.get("start", POST),
        under=table.get("under", {}),
    )

"""URIs that a server publishes are data. They are compared, and never fetched from here.

A template's variables are filled by whoever asks, which may be a model. So a value is one path
segment of bounded length that climbs nowhere: MCP 2026-07-28, "Resources", Security Considerations;
RFC 6570 for templates, of which only the simplest form ``{name}`` is taken.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import re2

from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

URI_CHARACTERS = 2_000
VALUE_CHARACTERS = 200
FORBIDDEN = frozenset("/\\%?#&;")
"""No value is more than a segment or a parameter, once it is decoded; none is decoded twice."""

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class UriError(Exception):
    """A URI or a template that is not taken; the text is for the log."""


@dataclass(frozen=True)
class Template:
    """A URI template, ready to be compared with URIs."""

    text: str
    variables: tuple[str, ...]
    _literals: tuple[str, ...]
    _patterns: Mapping[str, Any]
    _withheld: frozenset[str]
    _closed: tuple[Template, ...]

    # --8<-- [start:filled]
    def filled_by(self, uri: str) -> bool:
        """Tell whether ``uri`` is this template with values in it that are safe to send.

        Raises :class:`UriError` for a URI of this shape with a value that is not, and for one
        that is withheld, however it is written.
        """
        found = self.values_in(uri)
        if found is None:
            return False
        plain = unquote(uri)
        closed = any(each.values_in(plain) is not None for each in self._closed)
        if closed or plain in self._withheld:
            raise UriError(f"it is withheld: {uri!r:.200}")
        after = [literal[:1] for literal in self._literals[1:]]
        for name, written, end in zip(self.variables, found, after, strict=True):
            value = unquote(written, errors="surrogateescape")
            if not value.strip(".") or len(value) > VALUE_CHARACTERS:
                raise UriError(f"the value of {name} is empty, nothing but dots, or too long")
            if ".." in value or set(value) & FORBIDDEN or not all(map(is_seen, value)):
                raise UriError(f"the value of {name} is no plain path segment: {written!r:.200}")
            if end and end in value:
                raise UriError(f"the value of {name} ends in two places: {written!r:.200}")
            if name in self._patterns and self._patterns[name].fullmatch(value) is None:
                raise UriError(f"the value of {name} does not fit the policy: {written!r:.200}")
        return True
        # --8<-- [end:filled]

    def values_in(self, uri: str) -> list[str] | None:
        """Return what is in the variables' places, or None for a URI of another shape."""
        first, *others = self._literals
        if not uri.startswith(first):
            return None
        rest, found = uri.removeprefix(first), []
        for literal in others:
            end = rest.find(literal[0]) if literal else len(rest)
            value, rest = rest[:end], rest[end:]
            if end < 0 or "/" in value or not rest.startswith(literal):
                return None
            found.append(value)
            rest = rest.removeprefix(literal)
        return None if rest else found


def read_template(text: str, values: Mapping[str, str], withheld: Iterable[str] = ()) -> Template:
    """Return a template whose values fit ``values``, RE2 patterns by variable.

    No URI of it is one of ``withheld``, where a template of plain variables stands for its URIs. A
    template of another kind says nothing there: its URIs cannot be told.

    A value does not hold the character that comes after it, decoded or not, so that there is one
    way to read a URI, and the server has no other.

    Raises :class:`UriError` for other expressions than ``{name}``, for a name that comes twice, for
    one that follows another without a character between, and for a pattern without a variable or
    that is none.
    """
    if len(text) > URI_CHARACTERS:
        raise UriError(f"a template is too long: {text!r:.200}")
    literals, names = _EXPRESSION.split(text)[::2], _EXPRESSION.split(text)[1::2]
    if not names or not all(map(_NAME.fullmatch, names)) or len(set(names)) < len(names):
        raise UriError(f"{text!r:.200} is no template of plain variables")
    if not all(literals[:-1]) or not all(literals[1:-1]) or set("{}") & set("".join(literals)):
        raise UriError(f"{text!r:.200} has variables that cannot be told apart")
    if unknown := values.keys() - set(names):
        raise UriError(f"{text!r:.200} has no variable {min(unknown)!r:.80}")
    patterns = {name: _program(source) for name, source in values.items()}
    written = frozenset(map(unquote, withheld))
    closed = tuple(_templates_in(written))
    return Template(text, tuple(names), tuple(literals), patterns, written, closed)


def _templates_in(texts: Iterable[str]) -> Iterator[Template]:
    for text in texts:
        if "{" in text:
            with suppress(UriError):
                yield read_template(text, {})


def _program(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False  # it is told in our words, and not by RE2 on stderr
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise UriError(f"{pattern!r:.200} is no pattern that RE2 takes") from error

"""A learner's own servers, from a TOML file, as an allowlist.

Whatever makes no sense is one sentence with the line it stands on. What the sentence repeats of the
file is escaped and cut: a file may have been copied from anywhere.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from chapters.c02 import ServerSpec, SpecError
from chapters.c04.policy import AllowedServer, Decision, ToolPolicy, allowlist
from chapters.stage.renderers import visible

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE_BYTES = 256 * 1024
NAMED_CHARACTERS = 60
SENTENCE_CHARACTERS = 400
STATEMENT_LINES = 200
"""After a statement this long no line is told: finding its end takes a parse for each line."""

NUMBER = (int, float)
FIELDS: dict[str, tuple[Any, str]] = {
    "command": (str, "a string"),
    "args": (list, "an array of strings"),
    "env": (dict, "a table of strings"),
    "cwd": (str, "a string"),
    "connect_timeout": (NUMBER, "a number of seconds"),
    "call_timeout": (NUMBER, "a number of seconds"),
    "tools": (dict, "a table of effects"),
}


class ServersFileError(Exception):
    """The file makes no sense; the text says on which line, where that can be told, and why."""


class _Misplaced(Exception):  # noqa: N818 - becomes a ServersFileError with its line
    """What is wrong at a path of keys."""

    def __init__(self, path: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


def read_servers(path: Path) -> Mapping[str, AllowedServer]:
    """Return the allowlist in a file. Raises :class:`ServersFileError`."""
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
        return allowlist(_servers(document))
    except _Misplaced as misplaced:
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


def _servers(document: dict[str, Any]) -> list[AllowedServer]:
    if unknown := document.keys() - {"servers"}:
        name = min(unknown)
        raise _Misplaced(
            (name,), f"{named(name)} is not known here; servers stand under [servers.ALIAS]."
        )
    servers = document.get("servers")
    if not isinstance(servers, dict) or not servers:
        raise _Misplaced(("servers",), "there are no servers; each stands under [servers.ALIAS].")
    return [_server(alias, table) for alias, table in servers.items()]


def _server(alias: str, table: object) -> AllowedServer:
    where = ("servers", alias)
    if not isinstance(table, dict):
        reason = f"{named(alias)} should be a table, such as [servers.time]."
        raise _Misplaced(where, reason)
    for name in table:
        if name not in FIELDS:
            raise _Misplaced((*where, name), _unknown(name))
    if "command" not in table:
        raise _Misplaced(where, f"{named(alias)} has no command.")
    for name, value in table.items():
        _check_field((*where, name), name, value)
    tools = table.pop("tools", {})
    try:
        spec = ServerSpec(alias, "any")
    except SpecError as error:
        raise _Misplaced(where, str(error).replace(repr(alias), named(alias))) from error
    for name, value in table.items():
        spec = _with_field((*where, name), spec, name, value)
    return AllowedServer(spec, {name: _policy(alias, name, said) for name, said in tools.items()})


def _unknown(name: str) -> str:
    if name == "url":
        return "'url' is not known: servers are started here, over stdio. c06 is about HTTP."
    close = "".join(f" Did you mean {near}?" for near in get_close_matches(name, FIELDS, 1))
    return f"{named(name)} is not known.{close} A server has {', '.join(FIELDS)}."


def _check_field(where: tuple[str, ...], name: str, value: object) -> None:
    kind, wanted = FIELDS[name]
    entries: list[object] = []
    if name in ("args", "env") and isinstance(value, dict | list):
        entries = list(value.values()) if isinstance(value, dict) else value
    if (
        not isinstance(value, kind)
        or isinstance(value, bool)
        or not all(isinstance(entry, str) for entry in entries)
    ):
        raise _Misplaced(where, f"{name!r} should be {wanted}.")


def _with_field(where: tuple[str, ...], spec: ServerSpec, name: str, value: Any) -> ServerSpec:
    """Give the spec one more field, so that whatever is wrong with it is wrong with that field."""
    try:
        field: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value}
        return replace(spec, **field)
    except SpecError as error:
        raise _Misplaced(where, str(error)) from error


def _policy(alias: str, tool: str, said: object) -> ToolPolicy:
    """Read ``tool = "read"``, or ``tool = { effect = "read", description = "…" }``."""
    where = ("servers", alias, "tools", tool)
    table = {"effect": said} if isinstance(said, str) else said
    if not isinstance(table, dict) or table.keys() - {"effect", "description"}:
        raise _Misplaced(
            where, f"{named(tool)} should be an effect, or a table with effect, description."
        )
    if table.get("effect") not in ("read", "write", "withheld"):
        reason = f'the effect of {named(tool)} should be "read", "write" or "withheld".'
        raise _Misplaced(where, reason)
    description = table.get("description")
    if description is not None and not isinstance(description, str):
        raise _Misplaced(where, f"the description of {named(tool)} should be a string.")
    return ToolPolicy(cast("Decision", table["effect"]), description)


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

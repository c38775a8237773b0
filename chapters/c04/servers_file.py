"""A learner's own servers, from a TOML file, as an allowlist.

Whatever makes no sense is one sentence with the line it stands on.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, cast

from chapters.c02 import ServerSpec, SpecError
from chapters.c04.policy import AllowedServer, Effect, ToolPolicy, allowlist

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIELDS: dict[str, Any] = {
    "command": str,
    "args": list,
    "env": dict,
    "cwd": str,
    "connect_timeout": (int, float),
    "call_timeout": (int, float),
    "tools": dict,
}


class ServersFileError(Exception):
    """The file makes no sense; the text says on which line and why."""


class _Misplaced(Exception):  # noqa: N818 - becomes a ServersFileError with its line
    """What is wrong at a path of keys."""

    def __init__(self, path: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path


def read_servers(path: Path) -> Mapping[str, AllowedServer]:
    """Return the allowlist in a file. Raises :class:`ServersFileError`."""
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise ServersFileError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ServersFileError(f"{path} is no TOML: it is no UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        where = str(error).replace("at end of document", f"at line {len(text.splitlines())}")
        raise ServersFileError(f"{path} is no TOML: {where}.") from error
    try:
        return allowlist(_servers(document))
    except _Misplaced as misplaced:
        line = line_of(text, misplaced.path)
        raise ServersFileError(f"{path}, line {line}: {misplaced}") from misplaced


def _servers(document: dict[str, Any]) -> list[AllowedServer]:
    if unknown := document.keys() - {"servers"}:
        name = min(unknown)
        raise _Misplaced(
            (name,), f"{name!r} is not known here; servers stand under [servers.ALIAS]."
        )
    servers = document.get("servers")
    if not isinstance(servers, dict) or not servers:
        raise _Misplaced(("servers",), "there are no servers; each stands under [servers.ALIAS].")
    return [_server(alias, table) for alias, table in servers.items()]


def _server(alias: str, table: object) -> AllowedServer:
    where = ("servers", alias)
    if not isinstance(table, dict):
        raise _Misplaced(where, f"{alias!r} should be a table, such as [servers.{alias}].")
    if "command" not in table:
        raise _Misplaced(where, f"{alias!r} has no command.")
    for name, value in table.items():
        _check_field((*where, name), name, value)
    tools = table.pop("tools", {})
    table["args"] = tuple(table.get("args", ()))
    try:
        spec = ServerSpec(alias, **table)
    except SpecError as error:
        raise _Misplaced(where, str(error)) from error
    return AllowedServer(spec, {name: _policy(alias, name, said) for name, said in tools.items()})


def _check_field(where: tuple[str, ...], name: str, value: object) -> None:
    if name not in FIELDS:
        raise _Misplaced(where, f"{name!r} is not known; a server has {', '.join(FIELDS)}.")
    if not isinstance(value, FIELDS[name]) or isinstance(value, bool):
        raise _Misplaced(where, f"{name!r} is of the wrong kind.")
    if name in ("args", "env"):
        entries = value.values() if isinstance(value, dict) else value
        if not all(isinstance(entry, str) for entry in entries):
            raise _Misplaced(where, f"{name!r} should hold only strings.")


def _policy(alias: str, tool: str, said: object) -> ToolPolicy:
    """Read ``tool = "read"``, or ``tool = { effect = "read", description = "…" }``."""
    where = ("servers", alias, "tools", tool)
    table = {"effect": said} if isinstance(said, str) else said
    if not isinstance(table, dict) or table.keys() - {"effect", "description"}:
        raise _Misplaced(
            where, f"{tool!r} should be an effect, or a table with effect, description."
        )
    if table.get("effect") not in ("read", "write"):
        raise _Misplaced(where, f'the effect of {tool!r} should be "read" or "write".')
    description = table.get("description")
    if description is not None and not isinstance(description, str):
        raise _Misplaced(where, f"the description of {tool!r} should be a string.")
    return ToolPolicy(cast("Effect", table["effect"]), description)


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Return the line, from 1, on which the deepest key of ``path`` is written that can be found.

    ``tomllib`` keeps no positions, so this looks for what a person would look for: the table's
    header, and in it the key.
    """
    found, best = 1, 0
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?(.+?)\]\]?\s*(#.*)?$", line):
            here = table = _keys(header[1])
        elif key := re.match(r"\s*([^=#]+?)\s*=", line):
            here = (*table, *_keys(key[1]))
        else:
            continue
        common = min(len(here), len(path))
        if common > best and here[:common] == path[:common]:
            found, best = number, common
    return found


def _keys(dotted: str) -> tuple[str, ...]:
    """Split a dotted key; quotes are taken off and what they hold is left whole."""
    parts = re.findall(r'\s*("[^"]*"|\'[^\']*\'|[^."\']+)\s*\.?', dotted)
    return tuple(part.strip().strip("\"'") for part in parts)

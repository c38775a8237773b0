"""A learner's own servers, from a TOML file, as an allowlist.

What each table and field means; ``toml_file`` finds the line of what means nothing.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from chapters.c02 import ServerSpec, SpecError
from chapters.c04.lesson.own.toml_file import Misplaced, named, read_toml
from chapters.c04.policy import AllowedServer, Decision, ToolPolicy, allowlist

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NUMBER = (int, float)
FIELDS: dict[str, tuple[Any, str]] = {
    "command": (str, "a string"),
    "args": (list, "an array of strings"),
    "env": (dict, "a table of strings"),
    "cwd": (str, "a string"),
    "connect_timeout": (NUMBER, "a number of seconds"),
    "call_timeout": (NUMBER, "a number of seconds"),
    "tools": (dict, "a table of effects"),
    "resources": (dict, "a table of decisions"),
    "templates": (dict, "a table of decisions"),
    "prompts": (dict, "a table of decisions"),
}
TABLES = ("tools", "resources", "templates", "prompts")
"""The policy's. c04 reads the first, and leaves the decisions in the others to c07."""


def read_servers(path: Path) -> Mapping[str, AllowedServer]:
    """Return the allowlist in a file.

    Raises :class:`~chapters.c04.lesson.own.toml_file.ServersFileError`.
    """
    return read_toml(path, allowed_servers)


def allowed_servers(document: dict[str, Any]) -> Mapping[str, AllowedServer]:
    """Return the allowlist in a document.

    Raises :class:`~chapters.c04.lesson.own.toml_file.Misplaced`.
    """
    return allowlist(_servers(document))


def _servers(document: dict[str, Any]) -> list[AllowedServer]:
    if unknown := document.keys() - {"servers"}:
        name = min(unknown)
        raise Misplaced(
            (name,), f"{named(name)} is not known here; servers stand under [servers.ALIAS]."
        )
    servers = document.get("servers")
    if not isinstance(servers, dict) or not servers:
        raise Misplaced(("servers",), "there are no servers; each stands under [servers.ALIAS].")
    return [_server(alias, table) for alias, table in servers.items()]


def _server(alias: str, table: object) -> AllowedServer:
    where = ("servers", alias)
    if not isinstance(table, dict):
        reason = f"{named(alias)} should be a table, such as [servers.time]."
        raise Misplaced(where, reason)
    for name in table:
        if name not in FIELDS:
            raise Misplaced((*where, name), _unknown(name))
    if "command" not in table:
        raise Misplaced(where, f"{named(alias)} has no command.")
    for name, value in table.items():
        _check_field((*where, name), name, value)
    spec, tools = _spec(where, alias, table), table.get("tools", {})
    return AllowedServer(spec, {name: _policy(alias, name, said) for name, said in tools.items()})


def _spec(where: tuple[str, ...], alias: str, table: dict[str, Any]) -> ServerSpec:
    try:
        spec = ServerSpec(alias, "any")
    except SpecError as error:
        raise Misplaced(where, str(error).replace(repr(alias), named(alias))) from error
    for name, value in table.items():
        if name not in TABLES:
            spec = _with_field((*where, name), spec, name, value)
    return spec


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
        raise Misplaced(where, f"{name!r} should be {wanted}.")


def _with_field(where: tuple[str, ...], spec: ServerSpec, name: str, value: Any) -> ServerSpec:
    """Give the spec one more field, so that whatever is wrong with it is wrong with that field."""
    try:
        field: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value}
        return replace(spec, **field)
    except SpecError as error:
        raise Misplaced(where, str(error)) from error


def _policy(alias: str, tool: str, said: object) -> ToolPolicy:
    """Read ``tool = "read"``, or ``tool = { effect = "read", description = "…" }``."""
    where = ("servers", alias, "tools", tool)
    table = {"effect": said} if isinstance(said, str) else said
    if not isinstance(table, dict) or table.keys() - {"effect", "description"}:
        raise Misplaced(
            where, f"{named(tool)} should be an effect, or a table with effect, description."
        )
    if table.get("effect") not in ("read", "write", "withheld"):
        reason = f'the effect of {named(tool)} should be "read", "write" or "withheld".'
        raise Misplaced(where, reason)
    description = table.get("description")
    if description is not None and not isinstance(description, str):
        raise Misplaced(where, f"the description of {named(tool)} should be a string.")
    return ToolPolicy(cast("Decision", table["effect"]), description)

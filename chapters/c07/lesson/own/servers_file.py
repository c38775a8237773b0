"""The policy for a server's lists, in the file that c04 reads: what its three more tables mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chapters.c04 import AllowedServer
from chapters.c04.lesson.own.servers_file import allowed_servers
from chapters.c04.lesson.own.toml_file import Misplaced, named, read_toml
from chapters.c07.policy import AllowedLists, TemplatePolicy
from chapters.c07.uris import UriError, read_template

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Where = tuple[str, ...]


@dataclass(frozen=True)
class ServerWithLists(AllowedServer):
    """A server on the allowlist, and the policy for what it lists beside its tools."""

    lists: AllowedLists = field(default_factory=AllowedLists)


def read_servers(path: Path) -> Mapping[str, ServerWithLists]:
    """Return the allowlist in a file, with its lists.

    Raises :class:`~chapters.c04.lesson.own.toml_file.ServersFileError`.
    """
    return read_toml(path, _servers)


def _servers(document: dict[str, Any]) -> Mapping[str, ServerWithLists]:
    return {
        alias: ServerWithLists(server.spec, server.tools, _lists(alias, document["servers"][alias]))
        for alias, server in allowed_servers(document).items()
    }


def _lists(alias: str, table: Mapping[str, Any]) -> AllowedLists:
    def each(name: str) -> Mapping[str, tuple[Where, object]]:
        said = table.get(name, {})
        return {key: (("servers", alias, name, key), value) for key, value in said.items()}

    return AllowedLists(
        {uri: _decision(*said, "read") for uri, said in each("resources").items()},
        {text: _template(*said) for text, said in each("templates").items()},
        {name: _decision(*said, "load") for name, said in each("prompts").items()},
    )


def _decision(where: Where, said: object, yes: str) -> Any:
    if said not in (yes, "withheld"):
        raise Misplaced(where, f'{named(where[-1])} should be "{yes}" or "withheld".')
    return said


def _template(where: Where, said: object) -> TemplatePolicy:
    """Read ``template = "read"``, or ``template = { reading = "read", values = { … } }``."""
    table = {"reading": said} if isinstance(said, str) else said
    if not isinstance(table, dict) or table.keys() - {"reading", "values"}:
        reason = f"{named(where[-1])} should be a decision, or a table with reading, values."
        raise Misplaced(where, reason)
    reading = _decision(where, table.get("reading"), "read")
    values = table.get("values", {})
    if not isinstance(values, dict) or not all(isinstance(one, str) for one in values.values()):
        raise Misplaced(where, f"the values of {named(where[-1])} should be a table of patterns.")
    if reading == "read":
        try:
            read_template(where[-1], values)
        except UriError as error:
            raise Misplaced(where, f"{error}.") from error
    return TemplatePolicy(reading, values)

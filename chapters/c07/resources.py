"""Resources as a local read-only data source: two local tools over one registry snapshot.

The application owns resources. A model can ask for one through these tools, which pass the same
checks and envelopes as all others, and which read only what the local policy names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chapters.c02 import Fault
from chapters.c03.calls import ResultUnreadable
from chapters.c04 import cleaned, local_tool
from chapters.c04.results import held
from chapters.c07.exposed import ExposedResource, ExposedTemplate
from chapters.c07.uris import URI_CHARACTERS, UriError

if TYPE_CHECKING:
    from mcp.types import BlobResourceContents, ReadResourceResult, TextResourceContents

    from chapters.c03 import RegistrySnapshot
    from chapters.c04 import ExposedTool
    from chapters.c07.exposed import Exposed

LISTED = 100
"""How many resources are listed at a time."""
PARTS = 100
"""How many parts of an answer are shown."""
LINE_CHARACTERS = 300


class ResourceRefused(Fault):
    """The resource may not be read here. Nothing was sent."""

    code = "mcp_resource_refused"
    sentence = "That resource is not one that may be read here. Nothing was sent."


def resource_tools(snapshot: RegistrySnapshot[Exposed]) -> list[ExposedTool]:
    """Return the two tools over ``snapshot``, which is the one that the model's request saw."""

    async def read(arguments: dict[str, Any]) -> str:
        return await read_resource(snapshot, arguments["alias"], arguments["uri"])

    async def list_them(arguments: dict[str, Any]) -> str:
        return list_resources(snapshot, arguments.get("alias"))

    return [replace(READ, call=read), replace(LIST, call=list_them)]


# --8<-- [start:read]
async def read_resource(snapshot: RegistrySnapshot[Exposed], alias: str, uri: str) -> str:
    """Read a URI from the server of an alias, and return its text, or what else there is.

    It is the server's word: whoever shows it cleans and bounds it, as the invoker does.
    Raises :class:`ResourceRefused`, with nothing sent, for what no policy lets anybody read, and
    the faults of a call. The URI goes to the server that published it and nowhere else.
    """
    exposed = find_resource(snapshot, alias, uri)
    if exposed is None:
        raise ResourceRefused(alias, f"it is on no list: {uri!r:.200}")
    return told(alias, uri, await exposed.read(uri))


def find_resource(
    snapshot: RegistrySnapshot[Exposed], alias: str, uri: str
) -> ExposedResource | ExposedTemplate | None:
    """Return what lets a URI of an alias be read, or None.

    Raises :class:`ResourceRefused` for a template's URI with a value that is not safe to send. Of
    templates that share a URI each has to take it: which of them the server goes by is not known.
    """
    exact = snapshot.get(f"{alias} {uri}")
    if isinstance(exact, ExposedResource) and (exact.alias, exact.uri) == (alias, uri):
        return exact  # an alias that is none, with a blank in it, can make the same name
    templates = [t for t in snapshot if isinstance(t, ExposedTemplate) and t.alias == alias]
    try:
        filled = [each for each in templates if each.template.filled_by(uri)]
    except UriError as error:
        raise ResourceRefused(alias, str(error)) from error
    return filled[0] if filled else None
    # --8<-- [end:read]


def told(alias: str, uri: str, result: ReadResourceResult) -> str:
    """Return what was read, marked as external. Text is text; the rest is kind, type and size."""
    parts: list[TextResourceContents | BlobResourceContents] = list(result.contents)
    own = [part for part in parts if part.uri == uri]
    if parts and not own:
        raise ResultUnreadable(alias, f"the answer for {uri!r:.200} is another resource's")
    shown = [held(part) for part in own[:PARTS]]
    others = len(parts) - len(shown)
    more = [f"[{others:,} more parts or parts of other resources, not shown]"] if others else []
    return "\n".join([f"[external, from {alias}]", *shown, *more])


def list_resources(snapshot: RegistrySnapshot[Exposed], alias: str | None = None) -> str:
    """Return what may be read, a line each: alias, URI or template, and the server's words.

    The first line marks them as external, as a server's words are wherever a model sees them.
    """
    readable = [
        each
        for each in snapshot
        if isinstance(each, ExposedResource | ExposedTemplate) and alias in (None, each.alias)
    ]
    lines = [_line(each) for each in readable[:LISTED]]
    more = [f"[{len(readable) - LISTED} more, not shown]"] if len(readable) > LISTED else []
    if not lines:
        return "There are no resources to read."
    return "\n".join(["[external, from the server that each line begins with]", *lines, *more])


def _line(each: ExposedResource | ExposedTemplate) -> str:
    words = one_line(each.description)
    if isinstance(each, ExposedResource):
        return f"{each.alias}  {one_line(each.uri)}  {words}"
    return f"{each.alias}  {one_line(each.template.text)}  (template) {words}"


def one_line(text: str) -> str:
    """Return a server's text on one line, cleaned, which a server so cannot make two of."""
    return cleaned(" ".join(text.split()), LINE_CHARACTERS)


async def _unbound(_: dict[str, Any]) -> str:
    raise RuntimeError("a resource tool is made for one snapshot")


_ALIAS = {"type": "string", "maxLength": 24}
READ = local_tool(
    "read_mcp_resource",
    "Reads a resource of a connected MCP server, as data. Only what the policy names.",
    {
        "type": "object",
        "properties": {"alias": _ALIAS, "uri": {"type": "string", "maxLength": URI_CHARACTERS}},
        "required": ["alias", "uri"],
        "additionalProperties": False,
    },
    "read",
    _unbound,
)
LIST = local_tool(
    "list_mcp_resources",
    "Lists the resources that can be read, of one server or of all.",
    {"type": "object", "properties": {"alias": _ALIAS}, "additionalProperties": False},
    "read",
    _unbound,
)

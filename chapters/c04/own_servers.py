"""Bring your own server: connect, show published beside exposed, call, close.

``python -m chapters.c04 --servers FILE`` is this. With ``--json`` each event is an object on a line
of its own; ``--detail`` adds the operator's view on stderr.
"""

from __future__ import annotations

import json
import logging
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from chapters.c02 import Fault
from chapters.c03 import Registry, open_in_its_own_group, open_pool
from chapters.c04.admission import strict_admission
from chapters.c04.cleaning import cleaned
from chapters.c04.invoker import Invoker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chapters.c02 import Connection
    from chapters.c03 import Call, Pool
    from chapters.c04.envelope import Envelope
    from chapters.c04.exposed import ExposedTool
    from chapters.c04.policy import AllowedServer

LINE_CHARACTERS = 400

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Wanted:
    """What the learner asked for on the command line."""

    calls: Sequence[tuple[str, str]] = ()
    """Local name and JSON text, in order."""
    approve: bool = False
    json: bool = False


@dataclass
class Telling:
    """Prints events, as JSON Lines or as text, and remembers whether all went well."""

    wanted: Wanted
    well: bool = True
    published: dict[str, list[str]] = field(default_factory=dict)

    def event(self, event: str, text: str, **fields: object) -> None:
        """Print one event."""
        line = json.dumps({"event": event, **fields}) if self.wanted.json else text
        if line:
            print(line, flush=True)

    def connected(self, alias: str, exposed: Sequence[ExposedTool]) -> None:
        """Show what a server published beside what is exposed of it."""
        names = [tool.name for tool in exposed]
        lines = [f"{alias}: published {len(self.published[alias])}, exposed {len(names)}"]
        lines += [f"  {tool.effect:5}  {tool.name}" for tool in exposed]
        self.event("connected", "\n".join(lines), alias=alias, tools=names)

    def refused(self, alias: str, fault: Fault) -> None:
        """Show that a server was refused, and why."""
        self.well = False
        published = len(self.published.get(alias, []))
        text = f"{alias}: published {published}, exposed 0: {fault.sentence} [{fault.code}]"
        self.event("refused", text, alias=alias, code=fault.code, message=fault.sentence)

    def result(self, name: str, envelope: Envelope) -> None:
        """Show what came of a call."""
        self.well = self.well and envelope.ok
        outcome = "ok" if envelope.ok else f"failed [{envelope.code}]"
        self.event(
            "result",
            f"{name}: {outcome}\n  {envelope.content}",
            tool=name,
            ok=envelope.ok,
            code=envelope.code,
            content=envelope.content,
            correlation_id=envelope.correlation_id,
        )

    def lost(self, alias: str) -> None:
        """Show that a server went away by itself."""
        self.well = False
        text = f"{alias}: The connection to the server has ended. [mcp_connection_lost]"
        self.event("lost", text, alias=alias, code="mcp_connection_lost")


class OperatorsView(logging.Handler):
    """Shows on stderr what the log is told: full reasons, remote names and places, cleaned."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record's message."""
        print(cleaned(record.getMessage(), 10 * LINE_CHARACTERS), file=sys.stderr, flush=True)


@contextmanager
def operators_view(*, wanted: bool) -> Iterator[None]:
    """Show the operator's view for as long as the context lasts, if it is wanted."""
    view, log = OperatorsView(logging.WARNING), logging.getLogger("chapters")
    if wanted:
        log.addHandler(view)
    try:
        yield
    finally:
        log.removeHandler(view)


async def try_servers(servers: Mapping[str, AllowedServer], wanted: Wanted) -> int:
    """Connect all servers side by side, make the calls, close; return the exit status."""
    telling = Telling(wanted)
    registry: Registry[ExposedTool] = Registry()
    admit = strict_admission(servers)

    def noted(connection: Connection, call: Call) -> Sequence[ExposedTool]:
        telling.published[connection.alias] = [tool.name for tool in connection.tools]
        return admit(connection, call)

    specs = [server.spec for server in servers.values()]
    async with open_pool(specs, registry, noted, on_lost=telling.lost) as pool:
        async with anyio.create_task_group() as group:
            for alias in servers:
                group.start_soon(_connect, pool, registry, telling, alias)
        invoker = Invoker(_always if wanted.approve else None)
        for name, arguments in wanted.calls:
            connected = set(pool.connected)
            telling.result(name, await invoker.invoke(registry.snapshot(), name, arguments))
            for alias in connected - set(pool.connected):
                telling.lost(alias)
    telling.event("end", "Closed." if telling.well else "Closed. Not everything went well.")
    return 0 if telling.well else 1


async def _connect(
    pool: Pool[ExposedTool], registry: Registry[ExposedTool], telling: Telling, alias: str
) -> None:
    try:
        await pool.connect(alias)
    except Fault as fault:
        telling.refused(alias, fault)
    else:
        telling.connected(alias, [tool for tool in registry.snapshot() if tool.alias == alias])


async def _always(*_: object) -> bool:
    return True


async def draft(server: AllowedServer) -> int:
    """Connect once without exposing anything, and print a policy to start from."""
    alias = server.spec.alias
    try:
        async with open_in_its_own_group(server.spec, None) as connection:
            lines = [f"[servers.{alias}.tools]"]
            for tool in connection.tools:
                claims = ", ".join(f"{name}={value!r}" for name, value in tool.claims.items())
                lines.append(f"# the server says: {_comment(tool.description)}")
                if claims:
                    lines.append(f"# the server claims: {_comment(claims)}")
                lines.append(f'{_toml_key(tool.name)} = "write"')
    except Fault as fault:
        print(f"{fault} [{fault.code}]", file=sys.stderr)
        logger.warning("%s", fault.detail)
        return 1
    print("\n".join(lines))
    return 0


def _comment(text: str) -> str:
    """Return a server's text on one line, so that it cannot break out of a comment."""
    return cleaned(" ".join(text.split()), LINE_CHARACTERS) or "(nothing)"


def _toml_key(name: str) -> str:
    """Return a tool's name as a TOML key; JSON's escapes are TOML's too."""
    return json.dumps(name)

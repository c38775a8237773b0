"""Bring your own server: connect, show published beside exposed, call, close.

``python -m chapters.c04 --servers FILE`` is this. With ``--json`` each event is an object on a line
of its own; ``--detail`` adds the operator's view on stderr.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import textwrap
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from mcp.types import JSONRPCResponse

from chapters.c02 import ConnectFailed, Fault, Frame, ServerSpec
from chapters.c03 import (
    ConnectionLost,
    Registry,
    local_names,
    open_in_its_own_group,
    open_pool,
)
from chapters.c04.admission import strict_admission
from chapters.c04.cleaning import cleaned
from chapters.c04.invoker import Invoker
from chapters.c04.servers_file import named
from chapters.stage.sight import is_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chapters.c02 import Connection, Spec
    from chapters.c03 import Call, Pool
    from chapters.c04.envelope import Envelope
    from chapters.c04.exposed import ExposedTool
    from chapters.c04.policy import AllowedServer

LINE_CHARACTERS = 400
INDENT = "  "

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
    gone: set[str] = field(default_factory=set)
    """The aliases of those whose loss has been told."""

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

    def refused(self, alias: str, code: str, reason: str) -> None:
        """Show that a server was refused, and why."""
        self.well = False
        published = len(self.published.get(alias, []))
        text = f"{alias}: published {published}, exposed 0: {reason} [{code}]"
        self.event("refused", text, alias=alias, code=code, message=reason)

    def result(self, name: str, envelope: Envelope) -> None:
        """Show what came of a call; each line of it stands apart from those that are ours."""
        self.well = self.well and envelope.ok
        outcome = "ok" if envelope.ok else f"failed [{envelope.code}]"
        self.event(
            "result",
            f"{cleaned(name, LINE_CHARACTERS)}: {outcome}\n{_indented(envelope.content)}",
            tool=name,
            ok=envelope.ok,
            code=envelope.code,
            content=envelope.content,
            correlation_id=envelope.correlation_id,
        )

    def lost(self, alias: str) -> None:
        """Show that a server went away by itself, once."""
        if alias in self.gone:
            return
        self.gone.add(alias)
        self.well = False
        text = f"{alias}: The connection to the server has ended. [mcp_connection_lost]"
        self.event("lost", text, alias=alias, code="mcp_connection_lost")


class OperatorsView(logging.Handler):
    """Shows on stderr what the log is told: full reasons, remote names and places, cleaned."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record's message; what it has of further lines is indented."""
        text = _indented(cleaned(record.getMessage(), 10 * LINE_CHARACTERS))
        print(text.removeprefix(INDENT), file=sys.stderr, flush=True)


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
                group.start_soon(_connect, pool, registry, telling, servers[alias].spec)
        invoker = Invoker(_always if wanted.approve else None)
        for name, arguments in wanted.calls:
            envelope = await invoker.invoke(registry.snapshot(), name, arguments)
            telling.result(name, envelope)
            if envelope.alias and envelope.code == ConnectionLost.code:
                telling.lost(envelope.alias)
    telling.event("end", "Closed." if telling.well else "Closed. Not everything went well.")
    return 0 if telling.well else 1


async def _connect(
    pool: Pool[ExposedTool], registry: Registry[ExposedTool], telling: Telling, spec: Spec
) -> None:
    alias = spec.alias
    try:
        await pool.connect(alias)
    except Fault as fault:
        telling.refused(alias, fault.code, reason_of(fault, spec))
    else:
        telling.connected(alias, [tool for tool in registry.snapshot() if tool.alias == alias])


def reason_of(fault: Fault, spec: Spec) -> str:
    """Return why a server was not connected: what can be seen here, or else the fault's sentence.

    Both are local words.
    """
    if isinstance(fault, ConnectFailed) and isinstance(spec, ServerSpec):
        if spec.cwd is not None and not Path(spec.cwd).is_dir():
            return f"There is no directory {named(spec.cwd)} to start the server in."
        if not _is_found(spec):
            return f"The command {named(spec.command)} is not found, or is no program."
    return fault.sentence


def _is_found(spec: ServerSpec) -> bool:
    """Tell whether there is a program to start, looking where the server's own shell looks."""
    command = spec.command
    if os.path.dirname(command):  # noqa: PTH120 - "./program" is a path, and pathlib drops the dot
        command = str(Path(spec.cwd or ".").absolute() / command)
    return shutil.which(command, path=spec.env.get("PATH")) is not None


async def _always(*_: object) -> bool:
    return True


async def draft(server: AllowedServer) -> int:
    """Connect once without exposing anything, and print a policy to start from.

    Names that could not be local ones are refused here as they would be later. Returns the exit
    status.
    """
    alias = server.spec.alias
    frames: list[Frame] = []
    try:
        async with open_in_its_own_group(server.spec, frames.append) as connection:
            local_names(alias, [tool.name for tool in connection.tools])
            tasks = only_tasks(frames)
            lines = [f"[servers.{alias}.tools]"]
            for tool in connection.tools:
                claims = ", ".join(f"{name}={value!r}" for name, value in tool.claims.items())
                lines.append(f"# the server says: {_comment(tool.description)}")
                if claims:
                    lines.append(f"# the server claims: {_comment(claims)}")
                if tool.name in tasks:
                    lines.append("# it only runs as a task, which this harness does not call")
                lines.append(f'{_toml_key(tool.name)} = "write"')
    except Fault as fault:
        reason = reason_of(fault, server.spec)
        print(f"{alias}: {reason} [{fault.code}]", file=sys.stderr)
        logger.warning("%s", fault.detail)
        return 1
    print("\n".join(lines))
    return 0


def only_tasks(frames: Iterable[Frame]) -> set[str]:
    """Return the names of the tools that are listed with ``execution.taskSupport`` "required"."""
    names: set[str] = set()
    for frame in frames:
        match frame.message:
            case JSONRPCResponse(result={"tools": [*tools]}):
                for tool in tools:
                    match tool:
                        case {"name": str(name), "execution": {"taskSupport": "required"}}:
                            names.add(name)
    return names


def point_at_log(log: Path) -> None:
    """Say on stderr where the full story is, if there is one."""
    if log.stat().st_size:
        print(f"The full story is in {log}", file=sys.stderr)


def _indented(text: str) -> str:
    return textwrap.indent(text, INDENT, lambda _: True)


def _comment(text: str) -> str:
    """Return a server's text on one line, so that it cannot break out of a comment."""
    return cleaned(" ".join(text.split()), LINE_CHARACTERS) or "(nothing)"


def _toml_key(name: str) -> str:
    """Return a tool's name as a TOML key: a basic string, with escapes for what cannot be seen."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if is_seen(c) else f"\\U{ord(c):08x}" for c in escaped) + '"'

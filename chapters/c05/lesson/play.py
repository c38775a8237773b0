"""You as the model: read the request as a model would, type calls, see what comes of them."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

from chapters.c04 import ExposedTool, cleaned
from chapters.c05.model import Message, Reply, Request, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chapters.stage.keyboard import Keyboard

LINE_CHARACTERS = 600
NAME_CHARACTERS = 100

HELP = """\
Type one call on each line: first its name, then its arguments as JSON.
  connect_mcp {"alias": "demo_alpha"}
An empty line sends your reply, and the harness carries out its calls in order.
An empty reply, 'quit' or Ctrl-D ends the play. Type 'tools' to see the tools of
this request again, and 'help' to see this text again."""


class TypedModel:
    """A model whose replies are typed by the reader."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard
        self._seen = 0

    async def reply(self, request: Request) -> Reply:
        """Show a request, and make a reply of what is typed."""
        print(f"\n--- request {request.number} " + "-" * 50)
        for message in request.messages[self._seen :]:
            print(spoken(message, request))
        self._seen = len(request.messages) + 1  # and the reply, which the reader knows
        print(offered(request))
        if request.number == 1:
            print(f"\n{HELP}")
        calls: list[ToolCall] = []
        while line := await self._keyboard.line(f"call {len(calls) + 1}> "):
            if line.strip() in ("quit", "exit"):
                return Reply()
            call = read_call(line.strip(), request, number=len(calls) + 1)
            if call:
                calls.append(call)
        return Reply(calls=tuple(calls))


async def ask_permission(
    keyboard: Keyboard, tool: ExposedTool, arguments: Mapping[str, Any]
) -> bool:
    """Ask the reader, now in the part of the local owner, whether a call that writes may run."""
    question = f"[you are the owner] allow {tool.name} {json.dumps(arguments)}, a write? (y/N) "
    return (await keyboard.line(question) or "").strip().lower() in ("y", "yes")


def spoken(message: Message, request: Request) -> str:
    """Return a message of a request as a line; a tool's says which call it answers."""
    calls = {call.id: call for earlier in request.messages for call in earlier.calls}
    call = calls.get(message.call_id or "")
    said_by = f"{message.role} {cleaned(call.name, NAME_CHARACTERS)}" if call else message.role
    return f"[{said_by}] {cleaned(message.content, LINE_CHARACTERS)}"


def offered(request: Request) -> str:
    """Return the tools of a request, each with an example of its arguments and their choices."""
    lines = [f"tools of request {request.number}:"]
    for tool in request.tools:
        schema = tool["input_schema"]
        lines.append(f"  {tool['name']} {example(schema)}{choices(schema)}")
    return "\n".join(lines)


def read_call(line: str, request: Request, number: int) -> ToolCall | None:
    """Read a typed call; None, after a kind word, for what is none.

    A name that is not in the request is sent all the same: a model can do that too.
    """
    if line in ("help", "?"):
        print(HELP)
        return None
    if line == "tools":
        print(offered(request))
        return None
    name, _, text = line.partition(" ")
    try:
        arguments = json.loads(text or "{}")
    except ValueError:
        print(f"  These arguments are no JSON. Try: {name} {suggested(name, request)}")
        return None
    if name not in request.tool_names:
        near = difflib.get_close_matches(name, request.tool_names, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        print(f"  (Request {request.number} has no tool of that name. It is sent anyway.{hint})")
    return ToolCall(f"call-{number}", name, arguments)


def suggested(name: str, request: Request) -> str:
    """Return an example of a tool's arguments."""
    for tool in request.tools:
        if tool["name"] == name:
            return example(tool["input_schema"])
    return "{}"


def example(schema: Mapping[str, Any]) -> str:
    """Return arguments that show a schema's required properties."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    return json.dumps({name: _value(properties.get(name)) for name in schema.get("required", ())})


def choices(schema: Mapping[str, Any]) -> str:
    """Return what a schema's properties let one choose from."""
    told = ""
    for name, rule in schema.get("properties", {}).items():
        match rule:
            case {"enum": [_, _, *_] as values}:
                told += f"  ({name}: {' or '.join(json.dumps(value) for value in values)})"
    return told


def _value(schema: object) -> object:
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"type": "number" | "integer"}:
            return 1
        case {"type": "boolean"}:
            return True
        case {"type": "string"}:
            return "..."
        case {"type": "array"}:
            return []
        case _:
            return {}

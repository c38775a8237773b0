"""Servers that misbehave: a catalogue of real stdio processes on the standard library alone.

``python tests/servers/hostile.py NAME [ARGUMENT…]`` starts one, in well under 0.1 s. Each class is
one entry, named after itself (``ExitsAtOnce`` is ``exits-at-once``), and changes one thing of
:class:`Server`, which behaves. :func:`command` says how to start one.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar, NoReturn

Json = dict[str, Any]

COMPLETE: Json = {"resultType": "complete"}
CACHED: Json = {"ttlMs": 0, "cacheScope": "private", **COMPLETE}


def command(name: str, *arguments: object) -> tuple[str, tuple[str, ...]]:
    """Return the program and the arguments that start an entry of the catalogue."""
    return sys.executable, ("-S", "-E", __file__, name, *map(str, arguments))


def tool(name: str, schema: object = None, **more: object) -> Json:
    """Return a tool as it is published."""
    return {"name": name, "inputSchema": schema or {"type": "object"}, **more}


def text(words: str, **more: object) -> Json:
    """Return the result of a call."""
    return {"content": [{"type": "text", "text": words}], **COMPLETE, **more}


class Server:
    """A server that behaves, on either protocol era: the base of the catalogue."""

    entries: ClassVar[dict[str, type[Server]]] = {}
    tools: ClassVar[list[Json]] = [tool("echo"), tool("count"), tool("whoami")]

    def __init_subclass__(cls) -> None:
        cls.entries[
            re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", cls.__name__).lower()
        ] = cls

    def __init__(self, *arguments: str) -> None:
        self.arguments = arguments
        self.calls = 0

    def run(self) -> None:
        """Serve until the input ends."""
        self.start()
        for line in sys.stdin:
            self.receive(json.loads(line))
        self.input_ended()

    def start(self) -> None:
        """Be started."""

    def input_ended(self) -> None:
        """Go, when the client has closed our input."""

    def receive(self, message: Json) -> None:
        """Answer a request; a notification has no id and gets no answer."""
        if "id" not in message:
            return self.notified(message)
        method = message["method"].replace("/", "_")
        handler = getattr(self, method, None)
        if handler is None:
            return self.error(message, -32601, "Method not found")
        result = handler(message.get("params") or {}, message)
        if result is not None:
            self.send({"id": message["id"], "result": result})
        return None

    def notified(self, message: Json) -> None:
        """Be told something."""

    def send(self, message: Json) -> None:
        """Write a message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def write(self, line: str) -> None:
        """Write to stdout at once."""
        sys.stdout.write(line)
        sys.stdout.flush()

    def error(self, message: Json, code: int, words: str, data: object = None) -> None:
        """Answer with a JSON-RPC error."""
        self.send({"id": message["id"], "error": {"code": code, "message": words, "data": data}})

    def server_discover(self, params: Json, message: Json) -> Json | None:
        """Answer server/discover (2026-07-28)."""
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **CACHED}

    def initialize(self, params: Json, message: Json) -> Json | None:
        """Answer initialize (up to 2025-11-25)."""
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hostile", "version": "1"},
        }

    def tools_list(self, params: Json, message: Json) -> Json | None:
        """Answer tools/list."""
        return {"tools": self.tools, **CACHED}

    def tools_call(self, params: Json, message: Json) -> Json | None:
        """Answer tools/call."""
        self.calls += 1
        return self.call(params["name"], params.get("arguments") or {}, message)

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        """Do what a tool does."""
        if name == "count":
            return text(str(self.calls))
        if name == "whoami":
            return text(str(os.getpid()))
        return text(json.dumps(arguments))


class WellBehaved(Server):
    """Does what it should."""


# Processes and transports


class ExitsAtOnce(Server):
    """Exits at once."""

    def start(self) -> NoReturn:
        sys.exit(3)


class SlowStart(Server):
    """Takes half a second to start."""

    def start(self) -> None:
        time.sleep(0.5)


class NeverAnswers(Server):
    """Never answers."""

    def receive(self, message: Json) -> None:
        pass


class InitializeOnly(Server):
    """Answers initialize only, ignores server/discover."""

    def server_discover(self, params: Json, message: Json) -> None:
        return None


class ChattyStdout(Server):
    """Prints log lines on stdout."""

    def write(self, line: str) -> None:
        super().write("INFO a log line\n\x1b[31m{not json\n\n" + line + "DEBUG another\n")


class SendsHeaders(Server):
    """Sends each message with headers and no line's end, as language servers do."""

    def write(self, line: str) -> None:
        super().write(f"Content-Length: {len(line) - 1}\r\n\r\n{line[:-1]}")


class MarksItsBytes(Server):
    """Begins its output with a byte-order mark."""

    def start(self) -> None:
        self.write("\ufeff")


class SeveralLines(Server):
    """Writes each message over several lines."""

    def write(self, line: str) -> None:
        super().write(json.dumps(json.loads(line), indent=2) + "\n")


class SaysWhatItIs(Server):
    """Prints two lines on stdout, with an escape in the first, and answers nothing."""

    def start(self) -> None:
        self.write("Ok to \x1b[31mproceed? " + "x" * 500 + "\n(y)\n")

    def receive(self, message: Json) -> None:
        pass


class FloodsStderr(Server):
    """Floods stderr: 32 MB before it serves, and more with every call."""

    def start(self) -> None:
        for _ in range(512):
            sys.stderr.write("x" * 65535 + "\n")

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        sys.stderr.write("y" * 10_000_000)
        return super().call(name, arguments, message)


class ExitsMidCall(Server):
    """Exits in the middle of a call to crash; a call to hang waits for ever."""

    tools: ClassVar = [tool("crash"), tool("hang")]

    def call(self, name: str, arguments: Json, message: Json) -> None:
        if name == "crash":
            os._exit(1)


class HangsMidCall(Server):
    """Hangs in the middle of a call; writes what it is notified of to the file it is given."""

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        return None if name == "echo" else super().call(name, arguments, message)

    def notified(self, message: Json) -> None:
        with Path(self.arguments[0]).open("a", encoding="utf-8") as file:
            file.write(message["method"] + "\n")


class ClosesStdoutAndLives(Server):
    """Closes stdout and lives on, at the first call."""

    def call(self, name: str, arguments: Json, message: Json) -> None:
        os.close(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        time.sleep(60)


class ClosesStdoutWhileIdle(Server):
    """Closes stdout and lives on, once its tools are listed."""

    def tools_list(self, params: Json, message: Json) -> None:
        self.send({"id": message["id"], "result": super().tools_list(params, message)})
        os.close(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        time.sleep(60)


class IgnoresEof(Server):
    """Ignores end of input."""

    def input_ended(self) -> None:
        time.sleep(60)


class IgnoresEofAndSigterm(IgnoresEof):
    """Ignores end of input, and SIGTERM too."""

    def start(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


class LeavesAChild(Server):
    """Leaves a child of its own running, in its process group; writes its pid to a file."""

    own_session = False

    def start(self) -> None:
        program = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
        child = subprocess.Popen(program, start_new_session=self.own_session)
        Path(self.arguments[0]).write_text(str(child.pid), encoding="utf-8")


class LeavesAnEscapedChild(LeavesAChild):
    """Leaves a child that has started a session of its own; writes its pid to a file."""

    own_session = True


class ReadsNothing(Server):
    """Reads nothing any more, once its tools are listed."""

    def tools_list(self, params: Json, message: Json) -> None:
        self.send({"id": message["id"], "result": super().tools_list(params, message)})
        time.sleep(60)


class ExitsWhileIdle(Server):
    """Exits by itself once the file it is given appears."""

    def tools_list(self, params: Json, message: Json) -> None:
        self.send({"id": message["id"], "result": super().tools_list(params, message)})
        while not Path(self.arguments[0]).exists():
            time.sleep(0.005)
        sys.exit(0)


class AsksAndNeverReads(Server):
    """Sends requests of its own for ever and reads nothing, once its tools are listed."""

    def tools_list(self, params: Json, message: Json) -> NoReturn:
        self.send({"id": message["id"], "result": super().tools_list(params, message)})
        for number in itertools.count():
            self.send({"id": f"mine-{number}", "method": "ping"})
        raise AssertionError("it asks for ever")


class PrintsForEver(Server):
    """Prints lines that are no messages, some empty, for ever, once its tools are listed."""

    def tools_list(self, params: Json, message: Json) -> NoReturn:
        self.send({"id": message["id"], "result": super().tools_list(params, message)})
        while True:
            self.write("\nstill here\n")


class KillsItsShell(Server):
    """Kills the shell that would end it, and goes on when its input ends; writes its pid."""

    def start(self) -> None:
        Path(self.arguments[0]).write_text(str(os.getpid()), encoding="utf-8")

    def input_ended(self) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)


class NotUtf8(Server):
    """Sends bytes that are no UTF-8, then serves."""

    def start(self) -> None:
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        sys.stdout.buffer.flush()


class HalfCharacters(Server):
    """Cuts emoji in two, as a program does that counts in UTF-16; a call to count is an error."""

    tools: ClassVar = [tool("echo", description="half \ud83d"), tool("count")]

    def server_discover(self, params: Json, message: Json) -> Json | None:
        return {**(super().server_discover(params, message) or {}), "instructions": "\ud83d"}

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name == "count":
            self.error(message, -32000, "half \ude00")
            return None
        return text('\ud83d \U0001f600 \\ud83d \ude00"', structuredContent={"\udfff": "\ud800"})


class EndlessLine(Server):
    """Sends one line that never ends, at the first call."""

    def call(self, name: str, arguments: Json, message: Json) -> NoReturn:
        while True:
            self.write("x" * 65536)


# Pages


class RepeatsCursor(Server):
    """Repeats the same nextCursor for ever."""

    def tools_list(self, params: Json, message: Json) -> Json:
        return {"tools": [], "nextCursor": "again", **CACHED}


class EndlessPages(Server):
    """Never stops paging, with a new cursor each time."""

    pages = 0

    def tools_list(self, params: Json, message: Json) -> Json:
        self.pages += 1
        return {"tools": [], "nextCursor": f"page-{self.pages}", **CACHED}


class EndlessTools(EndlessPages):
    """Publishes a hundred tools a page, for ever."""

    def tools_list(self, params: Json, message: Json) -> Json:
        page = super().tools_list(params, message)
        page["tools"] = [tool(f"tool_{self.pages}_{n}") for n in range(100)]
        return page


class EmptyCursor(Server):
    """Uses an empty string as a cursor."""

    def tools_list(self, params: Json, message: Json) -> Json:
        if params.get("cursor") == "":
            return {"tools": [tool("second")], **CACHED}
        return {"tools": [tool("first")], "nextCursor": "", **CACHED}


class DuplicateTool(Server):
    """Lists the same tool name twice."""

    tools: ClassVar = [tool("echo"), tool("other"), tool("echo")]


class BadSchemaAmongGood(Server):
    """Publishes one tool with a schema that is no object among good ones."""

    tools: ClassVar = [tool("good"), tool("broken", "not a schema"), tool("fine")]


class ListsNoList(Server):
    """Answers tools/list with something that is no list of tools."""

    def tools_list(self, params: Json, message: Json) -> Json:
        return {"tools": "none", **CACHED}


class ErrorOnList(Server):
    """Answers tools/list with an error."""

    def tools_list(self, params: Json, message: Json) -> None:
        self.error(message, -32603, "secret-of-the-list", {"secret": "secret-of-the-data"})


class HugeDescription(Server):
    """Publishes a description of 20 MB."""

    tools: ClassVar = [tool("echo", description="d")]

    def tools_list(self, params: Json, message: Json) -> Json:
        return {"tools": [tool("echo", description="d" * 20_000_000)], **CACHED}


class LongDescription(Server):
    """Publishes a description of 100 kB."""

    tools: ClassVar = [tool("echo", description="word " * 20_000)]


class HostileDescription(Server):
    """Publishes a description with escapes, markup, bidirectional and invisible characters."""

    tools: ClassVar = [
        tool(
            "echo",
            description="\x1b[31mred\x1b]0;title\x07 [bold]rich[/] \u202eevil\u200b\ue000\x00",
        )
    ]


# Names


class NamesCollide(Server):
    """Publishes two tools that become one local name."""

    tools: ClassVar = [tool("lookup-one"), tool("lookup_one")]


class ControlName(Server):
    """Publishes a name with control characters."""

    tools: ClassVar = [tool("look\x1b[31mup\n")]


class LongName(Server):
    """Publishes a name that comes out too long."""

    tools: ClassVar = [tool("n" * 60)]


class DottedName(Server):
    """Publishes names with dots and hyphens, which are legal for MCP; answers with the raw one."""

    tools: ClassVar = [tool("admin.tools.list"), tool("get-sum")]

    def call(self, name: str, arguments: Json, message: Json) -> Json:
        return text(name)


# Calls


class BusinessErrorWithSecrets(Server):
    """Reports a business error whose text holds a private path and a token."""

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name != "echo":
            return super().call(name, arguments, message)
        return text("cannot open /srv/private/accounts.db with sk-demo-0000", isError=True)


class ErrorMinus32001(Server):
    """Answers error code -32001, which the SDK uses for its own timeout."""

    code = -32001

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name != "echo":
            return super().call(name, arguments, message)
        self.error(message, self.code, "Request 'tools/call' timed out")
        return None


class ErrorMinus32000(ErrorMinus32001):
    """Answers error code -32000, which the SDK uses for a closed connection."""

    code = -32000


class HeaderMismatch(ErrorMinus32001):
    """Answers error code -32020, after which the SDK's own call_tool sends a call again."""

    code = -32020


class MisfitResult(Server):
    """Sends a result that does not fit the protocol."""

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name != "echo":
            return super().call(name, arguments, message)
        return {"content": "not a list", **COMPLETE}


class InputRequired(Server):
    """Answers a call with a request for more input, and counts how often it is called."""

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name != "echo":
            return super().call(name, arguments, message)
        return {"resultType": "input_required", "inputRequests": {}, "requestState": "s"}


class Answers(Server):
    """Answers a call to echo with the result that it is given, on the modern era."""

    def call(self, name: str, arguments: Json, message: Json) -> Any:
        if name != "echo":
            return super().call(name, arguments, message)
        return json.loads(self.arguments[0])


class AnswersWithALine(Server):
    """Answers a call to echo with the line that it is given, in which ID is the call's id."""

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name != "echo":
            return super().call(name, arguments, message)
        self.write(self.arguments[0].replace("ID", str(message["id"])) + "\n")
        return None


class AnswersInTheOlderEra(Answers):
    """Answers a call to echo with the result that it is given, on the older era."""

    server_discover: ClassVar[None] = None  # type: ignore[assignment]  # so it is no method


class AsksForRoots(Server):
    """Asks for the client's roots during a call, and answers with what it is told."""

    server_discover: ClassVar[None] = None  # type: ignore[assignment]  # so it is no method

    def call(self, name: str, arguments: Json, message: Json) -> Json:
        self.send({"id": "mine", "method": "roots/list"})
        return text(json.dumps(json.loads(sys.stdin.readline())))


class HugeAnswer(Server):
    """Answers a call with 50 MB of text."""

    def call(self, name: str, arguments: Json, message: Json) -> Json:
        return text("a" * 50_000_000)


class LongAnswer(Server):
    """Answers a call with 1 MB of text, with escapes and invisible characters in it."""

    def call(self, name: str, arguments: Json, message: Json) -> Json:
        return text("\x1b[31m\u202e" + "a" * 1_000_000)


class ExplodingOutputSchema(Server):
    """Publishes an output schema whose pattern explodes, and answers with what makes it."""

    tools: ClassVar = [
        tool(
            "echo",
            outputSchema={
                "type": "object",
                "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}},
            },
        )
    ]

    def call(self, name: str, arguments: Json, message: Json) -> Json:
        return text("done", structuredContent={"s": "a" * 40 + "!"})


class SecretEverywhere(Server):
    """Plants the secret that it is given wherever a server can speak."""

    def start(self) -> None:
        self.secret = self.arguments[0]
        print(f"{self.secret} on stderr", file=sys.stderr, flush=True)

    def tools_list(self, params: Json, message: Json) -> Json:
        names = ("is_error", "rpc_error", "misfit", "hang", "crash")
        return {"tools": [tool(name, description="Fails.") for name in names], **CACHED}

    def call(self, name: str, arguments: Json, message: Json) -> Json | None:
        if name == "is_error":
            return text(self.secret, isError=True)
        if name == "rpc_error":
            self.error(message, -32603, self.secret, {"trace": self.secret})
        if name == "misfit":
            return {"content": self.secret, **COMPLETE}
        if name == "crash":
            print(self.secret, file=sys.stderr, flush=True)
            os._exit(1)
        return None


class SecretInTheList(SecretEverywhere):
    """Plants the secret in names, descriptions and schemas; the second argument says where."""

    def tools_list(self, params: Json, message: Json) -> Json:
        place, secret = self.arguments[1], self.secret
        tools = {
            "name": tool(f"{secret}\n"),
            "description": tool("echo", description=f"{secret} \x1b[31m"),
            "schema": tool("echo", {"type": "object", secret: 1}),
            "reference": tool("echo", {"type": "object", "$ref": f"http://127.0.0.1:9/{secret}"}),
            "misfit": tool("echo", secret),
        }
        return {"tools": [tools[place]], **CACHED}


class OddSchema(Server):
    """Publishes one tool, echo, with the schema that it is given."""

    def tools_list(self, params: Json, message: Json) -> Json:
        return {"tools": [tool("echo", json.loads(self.arguments[0]))], **CACHED}


class Publishes(Server):
    """Publishes the tools that it is given, by name."""

    def tools_list(self, params: Json, message: Json) -> Json:
        return {"tools": [tool(name) for name in self.arguments], **CACHED}


# Resources and prompts


class Lists(Server):
    """Publishes the resources, templates and prompts of the JSON that it is given.

    ``announces`` is what it says that it has. ``many`` resources and prompts are added, and a
    prompt's ``arguments`` may be a number of them. ``on`` says for a method how it fails: ``die``,
    ``hang``, ``error``, ``endless`` pages, or ``repeat`` for a cursor that comes again; whatever
    else is there is its result. ``x://text-of-3`` is 3 MB, ``x://pid`` its own pid.
    """

    lists: ClassVar = {
        "resources/list": "resources",
        "resources/templates/list": "resourceTemplates",
        "prompts/list": "prompts",
        "tools/list": "tools",
    }

    def start(self) -> None:
        self.given: Json = {"resources": [], "prompts": [], **json.loads(self.arguments[0])}
        self.pages = 0
        for number in range(self.given.get("many", 0)):
            self.given["resources"].append({"uri": f"x://r{number}", "name": "r"})
            self.given["prompts"].append({"name": f"p{number}"})
        for prompt in self.given["prompts"]:
            if isinstance(count := prompt.get("arguments"), int):
                prompt["arguments"] = [{"name": f"a{n}"} for n in range(count)]

    def server_discover(self, params: Json, message: Json) -> Json | None:
        announces = self.given.get("announces", ["tools", "resources", "prompts"])
        announced: Json = {name: {} for name in announces}
        return {"supportedVersions": ["2026-07-28"], "capabilities": announced, **CACHED}

    def receive(self, message: Json) -> None:
        method = message["method"]
        how = self.given.get("on", {}).get(method)
        if how is None and method in self.lists:
            how = {self.lists[method]: self.given.get(self.lists[method], [])}
        match how:
            case None:
                super().receive(message)
            case "die":
                os._exit(1)
            case "hang":
                pass
            case "error":
                self.error(message, -32601, "secret-of-the-server")
            case "endless" | "repeat":
                self.pages += how == "endless"
                page = {self.lists[method]: [], "nextCursor": f"page-{self.pages}"}
                self.send({"id": message["id"], "result": {**page, **CACHED}})
            case {**result}:
                self.send({"id": message["id"], "result": {**CACHED, **result}})
            case _:
                self.send({"id": message["id"], "result": how})

    def resources_read(self, params: Json, message: Json) -> Json:
        uri = params["uri"]
        if uri == "x://pid":
            return {"contents": [{"uri": uri, "text": str(os.getpid())}], **CACHED}
        kind, _, megabytes = uri.removeprefix("x://").partition("-of-")
        held = {"text": "of " + uri}
        if megabytes:
            held = {kind: "A" * int(megabytes) * 1_000_000}
        return {"contents": [{"uri": uri, **held}], **CACHED}

    def prompts_get(self, params: Json, message: Json) -> Json:
        words = json.dumps(params.get("arguments"))
        return {
            "messages": [{"role": "user", "content": {"type": "text", "text": words}}],
            **COMPLETE,
        }


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["--list"]):
        for entry, kind in Server.entries.items():
            print(f"{entry:26} {kind.__doc__}")
    elif sys.argv[1] not in Server.entries:
        sys.stderr.write(f"There is no entry {sys.argv[1]!r}: --list shows them.\n")
        sys.exit(2)
    else:
        Server.entries[sys.argv[1]](*sys.argv[2:]).run()

"""Bring your own server with its three lists, as a learner does it: from a file."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from chapters.c04.lesson.own.toml_file import ServersFileError
from chapters.c07.lesson.own.servers_file import read_servers
from chapters.c07.policy import TemplatePolicy
from tests import warm
from tests.c04.test_own_servers import events, log_of

ROOT = Path(__file__).parent.parent.parent
GOOD = "[servers.a]\ncommand = 'x'\n"

pytestmark = pytest.mark.usefixtures("warm_python")


def write_servers(path: Path, *aliases: str) -> Path:
    """Write a file of demo servers without a policy."""
    file = path / "servers.toml"
    tables = [
        f"[servers.{alias}]\ncommand = {json.dumps(sys.executable)}\n"
        f'args = ["-m", "demo_servers.{alias}"]\ncwd = {json.dumps(str(ROOT))}\n'
        for alias in aliases
    ]
    file.write_text("\n".join(tables), encoding="utf-8")
    return file


def run(file: Path, *options: str, chapter: str = "c07") -> warm.Done:
    return warm.run(f"chapters.{chapter}", "--servers", str(file), *options)


def with_drafts(file: Path, *aliases: str) -> Path:
    """Add to a file what the program drafts for its servers."""
    drafts = [run(file, "--draft", alias) for alias in aliases]
    assert [done.returncode for done in drafts] == [0] * len(aliases)
    parts = [file.read_text(encoding="utf-8"), *(done.stdout for done in drafts)]
    file.write_text("\n".join(parts), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the runbook and the wiki, each under its draft."""
    file = write_servers(tmp_path_factory.mktemp("both"), "runbook", "wiki")
    return with_drafts(file, "runbook", "wiki")


def test_three_lists_are_shown_read_and_loaded(both: Path) -> None:
    done = run(
        both, "--json", "--approve",
        "--call", "mcp__wiki__find_page", '{"name": "coffee-machine"}',
        "--read", "runbook", "runbook://index",
        "--read", "wiki", "runbook://index",
        "--read", "runbook", "runbook://diagram",
        "--read", "runbook", "runbook://page/checkout",
        "--prompt", "/mcp__runbook__triage service=checkout severity='high'",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    seen = events(done)
    shown = {event["alias"]: event for event in seen if event["event"] == "connected"}
    assert shown["runbook"]["tools"] == ["mcp__runbook__search_runbook"]
    assert shown["runbook"]["templates"] == ["runbook://page/{slug}"]
    assert shown["runbook"]["prompts"] == ["/mcp__runbook__handover", "/mcp__runbook__triage"]
    assert shown["wiki"]["resources"] == ["runbook://index"]
    results = [event for event in seen if event["event"] == "result"]
    assert all(event["ok"] for event in results)
    said = [str(event["content"]) for event in results]
    assert "Office wiki" not in said[1]
    assert "Office wiki" in said[2]
    assert "image/" in said[3]
    assert results[4]["resource"] == "runbook runbook://page/checkout"
    assert said[5].startswith("user: [external, from runbook's prompt triage]")


def test_published_stands_beside_exposed_and_withheld(both: Path, tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    text = both.read_text("utf-8").replace('topology" = "read"', 'topology" = "withheld"')
    file.write_text(text.replace('"handover" = "load"', '"handover" = "withheld"'), "utf-8")
    done = run(
        file, "--read", "runbook", "runbook://topology", "--prompt", "/mcp__runbook__handover"
    )
    assert done.returncode == 1
    assert "runbook: resources: published 3, exposed 2\n  read      runbook://" in done.stdout
    assert "\n  withheld  runbook://topology\n" in done.stdout
    assert "published 2, exposed 1\n  load      /mcp__runbook__triage service=… " in done.stdout
    assert "\n  withheld  handover\n" in done.stdout
    assert "runbook runbook://topology: failed [mcp_resource_refused]\n" in done.stdout
    assert "/mcp__runbook__handover: failed [mcp_prompt_refused]\n" in done.stdout
    log_of(done)


def test_the_example_on_the_page_connects(tmp_path: Path) -> None:
    page = (ROOT / "docs/c07.md").read_text(encoding="utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    file = tmp_path / "servers.toml"
    here = f"command = {json.dumps(sys.executable)}\ncwd = {json.dumps(str(ROOT))}"
    file.write_text(example.replace('command = "python"', here), encoding="utf-8")
    done = run(
        file, "--read", "runbook", "runbook://page/checkout",
        "--prompt", "/mcp__runbook__triage service=checkout severity=high",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_no_policy_names_is_not_read_or_loaded(both: Path) -> None:
    done = run(
        both, "--json",
        "--read", "nobody", "runbook://index",
        "--read", "wiki", "runbook://topology",
        "--read", "runbook", "file:///etc/passwd",
        "--read", "runbook", "runbook://page/..%2Fx",
        "--prompt", "/mcp__runbook__nothing",
        "--prompt", "/mcp__runbook__triage service=checkout",
        "--prompt", "/mcp__runbook__triage service=no severity=no",
    )  # fmt: skip
    assert done.returncode == 1
    codes = [event["code"] for event in events(done) if event["event"] == "result"]
    assert codes == [
        *["mcp_resource_refused"] * 4, *["mcp_prompt_refused"] * 2, "mcp_remote_error"
    ]  # fmt: skip


def test_c04_takes_the_same_file_and_leaves_the_lists_alone(both: Path) -> None:
    done = run(both, chapter="c04")
    assert done.returncode == 0, done.stdout
    assert "runbook: published 1, exposed 1\n" in done.stdout


def test_without_a_policy_the_refusal_points_at_the_draft(tmp_path: Path) -> None:
    done = run(write_servers(tmp_path, "wiki"), "--detail")
    assert done.returncode == 1
    assert "wiki: published 2, exposed 0: What the server publishes is not" in done.stdout
    assert "--draft wiki prints a policy to start from" in done.stdout
    assert "resources published and not in the policy: ['runbook://index']" in done.stderr
    log_of(done)


LISTING = """
import sys
sys.path.insert(0, {root!r})
from tests.servers.hostile import CACHED, Server
class Listing(Server):
    tools = []
    def server_discover(self, params, message):
        lists = dict.fromkeys(["tools", "resources", "prompts"], {{}})
        return super().server_discover(params, message) | {{"capabilities": lists}}
    def resources_list(self, params, message):
        uris = ["x://good", "x://twice", "x://twice", "x://" + "l" * 2000, "template x://{{a}}"]
        return {{"resources": [{{"uri": uri, "name": "a\\n\x1b]b"}} for uri in uris], **CACHED}}
    def resources_templates_list(self, params, message):
        templates = ["x://{{a}}", "x://{{+a}}", "x://{{a}}{{b}}", "x://fixed"]
        return {{"resourceTemplates": [
            {{"uriTemplate": each, "name": "n", "description": "a\\n[servers.own.tools]"}}
            for each in templates
        ], **CACHED}}
    def prompts_list(self, params, message):
        many = [{{"name": str(number)}} for number in range(51)]
        return {{"prompts": [
            {{"name": "good"}}, {{"name": "a-b"}}, {{"name": "a_b"}}, {{"name": "---"}},
            {{"name": "many", "arguments": many}},
        ], **CACHED}}
Listing().run()
"""


def test_a_draft_sets_aside_what_would_be_refused_and_so_connects(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(LISTING.format(root=str(ROOT)), encoding="utf-8")
    file = tmp_path / "servers.toml"
    file.write_text(
        f"[servers.own]\ncommand = {json.dumps(sys.executable)}\n"
        f"args = [{json.dumps(str(script))}]\n",
        encoding="utf-8",
    )
    done = run(file, "--draft", "own")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert tomllib.loads(done.stdout)["servers"]["own"] == {
        "tools": {},
        "resources": {
            "x://good": "read",
            "x://twice": "withheld",
            "x://" + "l" * 2000: "withheld",
            "template x://{a}": "read",
        },
        "templates": {
            "x://{a}": "read",
            **dict.fromkeys(["x://{+a}", "x://{a}{b}", "x://fixed"], "withheld"),
        },
        "prompts": {"good": "load", **dict.fromkeys(["a-b", "a_b", "---", "many"], "withheld")},
    }
    assert done.stdout.count("# it would be refused: ") == 9
    again = run(with_drafts(file, "own"))
    assert again.returncode == 0, again.stdout + again.stderr
    assert "own: resources: published 5, exposed 2\n" in again.stdout
    offered = file.read_text("utf-8").replace('"many" = "withheld"', '"many" = "load"')
    file.write_text(offered, encoding="utf-8")
    refused = run(file)
    assert "--draft own prints a policy that sets such ones aside. [mcp_prompt" in refused.stdout
    log_of(refused)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("resources = 1", ", line 3: 'resources' should be a table of decisions."),
        ("prompts = []", ", line 3: 'prompts' should be a table of decisions."),
        (
            "[servers.a.resources]\n'x://y' = 'write'",
            ', line 4: \'x://y\' should be "read" or "withheld".',
        ),
        ("prompts = {a = 'read'}", ', line 3: \'a\' should be "load" or "withheld".'),
        ("prompts = {a = []}", ', line 3: \'a\' should be "load" or "withheld".'),
        (
            "templates = {'x://{a}' = 7}",
            ", line 3: 'x://{a}' should be a decision, or a table with reading, values.",
        ),
        (
            "[servers.a.templates]\n\n'x://{a}' = {values = {a = 'b'}}",
            ', line 5: \'x://{a}\' should be "read" or "withheld".',
        ),
        (
            "templates = {'x://{a}' = {reading = 'read', value = {}}}",
            ", line 3: 'x://{a}' should be a decision, or a table with reading, values.",
        ),
        (
            "templates = {'x://{a}' = {reading = 'read', values = {a = 1}}}",
            ", line 3: the values of 'x://{a}' should be a table of patterns.",
        ),
        (
            "templates = {'x://{a}' = {reading = 'read', values = {b = 'c'}}}",
            ", line 3: 'x://{a}' has no variable 'b'.",
        ),
        (
            "templates = {'x://{a}' = {reading = 'read', values = {a = '('}}}",
            ", line 3: '(' is no pattern that RE2 takes.",
        ),
        ("templates = {'x://{+a}' = 'read'}", ", line 3: 'x://{+a}' is no template of plain"),
    ],
)
def test_nonsense_is_one_sentence_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(GOOD + text, encoding="utf-8")
    with pytest.raises(ServersFileError) as refused:
        read_servers(file)
    assert str(refused.value).startswith(f"{file}{sentence}")
    assert str(refused.value).isprintable()


def test_a_file_says_what_may_be_read_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(
        GOOD + "resources = {'x://y' = 'withheld'}\nprompts = {p = 'load'}\n[servers.a.templates]\n"
        "'x://{+a}' = 'withheld'\n'x://{a}' = {reading = 'read', values = {a = '[a-z]+'}}\n",
        encoding="utf-8",
    )
    lists = read_servers(file)["a"].lists
    assert (lists.resources, lists.prompts) == ({"x://y": "withheld"}, {"p": "load"})
    assert lists.templates == {
        "x://{+a}": TemplatePolicy("withheld"),
        "x://{a}": TemplatePolicy("read", {"a": "[a-z]+"}),
    }


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--read", "a", "x"], "--call, --read, --prompt, --approve, --detail and --draft go with"),
        (["--prompt", "/a"], "go with --servers FILE"),
        (["--servers", "x", "--prompt", "/a b"], "argument --prompt: 'b' should be NAME=VALUE"),
        (["--servers", "x", "--prompt", "/a b=1 b=2"], "argument --prompt: 'b' comes twice"),
        (["--servers", "x", "--prompt", "/a b='"], "argument --prompt: No closing quotation"),
        (["--servers", "x", "--read", "a"], "argument --read: expected 2 arguments"),
        (
            ["--servers", "x", "--draft", "a", "--read", "a", "b"],
            "no --json, --call, --read, --prompt or --approve",
        ),
        (["--servers", "x", "--wire"], "--wire is for the lesson"),
    ],
)
def test_a_wrong_command_line_is_status_2(options: list[str], sentence: str) -> None:
    done = warm.run("chapters.c07", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr

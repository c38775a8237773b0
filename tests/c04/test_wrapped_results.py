"""A server of a popular framework is drafted as it is, connects, and answers.

Seen since, on real servers: the framework wrote an ``x-`` word into its output schemas, and all of
a server's 93 tools were gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.c04.test_own_servers import events, policy_of, run, with_draft, write_scripted

if TYPE_CHECKING:
    from pathlib import Path

WRAPPED = {
    "type": "object",
    "properties": {"result": {"type": "string"}},
    "required": ["result"],
    "x-fastmcp-wrap-result": True,
}


def test_a_tool_whose_result_is_wrapped_answers_under_its_own_draft(tmp_path: Path) -> None:
    result = "text('hello', structuredContent={'result': 'hello'})"
    file = write_scripted(tmp_path, f"[tool('greet', outputSchema={WRAPPED!r})]", "", result)
    done = run(file, "--draft", "own")
    assert policy_of(done) == {"greet": "write"}
    again = run(with_draft(file, done), "--json", "--approve", "--call", "mcp__own__greet", "{}")
    [outcome] = [event for event in events(again) if event["event"] == "result"]
    assert (outcome["ok"], outcome["content"]) == (True, "hello")

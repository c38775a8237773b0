"""A secret that a server plants is in the local log and nowhere else."""

from __future__ import annotations

import logging

import pytest

from chapters.c02 import Fault
from chapters.c04 import AllowedServer, Envelope, Invoker, ToolPolicy, faulted
from tests.c04.test_goals import harness
from tests.servers.harness import hostile_spec

pytestmark = pytest.mark.anyio

SECRET = "sk-planted-51c2"
READ = ToolPolicy("read")


def shown(envelope: Envelope) -> str:
    """Return all of an envelope, whoever may read it."""
    return f"{envelope} {envelope.for_model()}"


@pytest.mark.parametrize(
    ("tool", "code"),
    [
        ("is_error", "mcp_remote_error"),
        ("rpc_error", "mcp_remote_error"),
        ("misfit", "mcp_result_unreadable"),
        ("hang", "mcp_timeout"),
        ("crash", "mcp_connection_lost"),
    ],
)
async def test_no_fault_of_a_call_carries_the_servers_words(
    tool: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    names = ("is_error", "rpc_error", "misfit", "hang", "crash")
    server = AllowedServer(
        hostile_spec("secret-everywhere", SECRET, call_timeout=0.5), dict.fromkeys(names, READ)
    )
    async with harness(server) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(
            opened.registry.snapshot(), f"mcp__bad__{tool}", {"argument": SECRET}
        )
    assert envelope.code == code
    assert SECRET not in shown(envelope)
    assert envelope.correlation_id
    assert envelope.correlation_id in caplog.text
    assert SECRET in caplog.text


@pytest.mark.parametrize(
    ("place", "named", "code"),
    [
        ("name", "echo", "mcp_policy_mismatch"),
        ("name", f"{SECRET}\n", "mcp_name_refused"),
        ("schema", "echo", "mcp_schema_refused"),
        ("reference", "echo", "mcp_schema_refused"),
        ("misfit", "echo", "mcp_listing_refused"),
    ],
)
async def test_no_refusal_of_a_connection_carries_the_servers_words(
    place: str, named: str, code: str
) -> None:
    server = AllowedServer(hostile_spec("secret-in-the-list", SECRET, place), {named: READ})
    async with harness(server) as opened:
        with pytest.raises(Fault) as caught:
            await opened.pool.connect("bad")
    assert caught.value.code == code
    assert SECRET not in str(caught.value)
    assert SECRET not in shown(faulted(caught.value))


async def test_a_pinned_description_keeps_the_servers_own_away() -> None:
    spec = hostile_spec("secret-in-the-list", SECRET, "description")
    for policy, there in ((READ, True), (ToolPolicy("read", "Echoes."), False)):
        async with harness(AllowedServer(spec, {"echo": policy})) as opened:
            await opened.pool.connect("bad")
            description = opened.registry.snapshot().tools["mcp__bad__echo"].description
        assert (SECRET in description) == there
        assert description.startswith("[external, from bad]") == there
        assert "\x1b" not in description


@pytest.mark.parametrize(
    "arguments", [{"key": SECRET, SECRET: 1}, {SECRET: SECRET}, [SECRET], SECRET, '{"' + SECRET]
)
async def test_bad_arguments_are_not_repeated(arguments: object) -> None:
    schema = '{"type": "object", "properties": {"key": {"enum": ["a"]}}, "minProperties": 9}'
    server = AllowedServer(hostile_spec("odd-schema", schema), {"echo": READ})
    async with harness(server) as opened:
        await opened.pool.connect("bad")
        envelope = await Invoker().invoke(opened.registry.snapshot(), "mcp__bad__echo", arguments)
        unknown = await Invoker().invoke(opened.registry.snapshot(), SECRET, {})
    assert envelope.code == "invalid_arguments"
    assert unknown.code == "unknown_tool"
    assert SECRET not in shown(envelope) + shown(unknown)


async def test_an_error_on_the_list_stays_in_the_log() -> None:
    async with harness(AllowedServer(hostile_spec("error-on-list"), {"echo": READ})) as opened:
        with pytest.raises(Fault) as caught:
            await opened.pool.connect("bad")
    assert "secret-of-the-list" in caught.value.detail
    assert "secret" not in str(caught.value)

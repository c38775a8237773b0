"""Local names: the rule, its limits, and what refuses."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.c02 import Fault
from chapters.c03 import NameCollision, NameRefused, local_name, local_names


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("lookup", "mcp__my_server__lookup"),
        ("get-sum", "mcp__my_server__get_sum"),
        ("admin.tools.list", "mcp__my_server__admin_tools_list"),
        ("Read File", "mcp__my_server__Read_File"),
        ("größe", "mcp__my_server__gr__e"),
        ("a" * 48, "mcp__my_server__" + "a" * 48),
    ],
)
def test_a_tool_is_named_after_its_alias_and_itself(tool: str, name: str) -> None:
    assert local_name("my_server", tool) == name


@pytest.mark.parametrize(
    "tool",
    [
        "",
        "_",
        "--",
        "…",
        "日本語",
        "a" * 49,
        "look\nup",
        "look\x1b[31mup",
        "look\u202eup",
        "a\u200bb",
    ],
)
def test_a_name_that_cannot_be_one_is_refused(tool: str) -> None:
    with pytest.raises(NameRefused) as caught:
        local_name("my_server", tool)
    assert caught.value.code == "mcp_name_refused"
    assert tool not in str(caught.value) or not tool.strip("_-")


@pytest.mark.parametrize(
    "tools", [["lookup-one", "lookup_one"], ["a", "b", "a"], ["read.file", "read/file"]]
)
def test_two_tools_that_become_one_name_refuse_both(tools: list[str]) -> None:
    with pytest.raises(NameCollision) as caught:
        local_names("my_server", tools)
    assert repr(tools[-1]) in caught.value.detail


aliases = st.from_regex(r"[a-z0-9]{1,3}(_[a-z0-9]{1,3}){0,2}", fullmatch=True)


@given(aliases, st.text(max_size=60))
def test_a_local_name_is_always_legal(alias: str, tool: str) -> None:
    try:
        name = local_name(alias, tool)
    except Fault:
        return
    assert re.fullmatch(r"[A-Za-z0-9_]{1,64}", name)


@given(
    aliases,
    aliases,
    st.text("ab_-", min_size=1, max_size=5),
    st.text("ab_-", min_size=1, max_size=5),
)
def test_no_two_aliases_can_make_one_name(one: str, other: str, a: str, b: str) -> None:
    if one != other:
        try:
            assert local_name(one, a) != local_name(other, b)
        except NameRefused:
            return

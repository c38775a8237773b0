"""A message in which characters are cut in two is still a message."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification, jsonrpc_message_adapter
from pydantic import ValidationError

from chapters.c02.pipe.mending import mended


def read(line: str) -> SessionMessage | Exception:
    """Read a line as the SDK's transport does, and mend it."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return mended(error)


@given(st.text(st.characters(codec=None) | st.sampled_from('\ud83d\ude00\ud800\udfff\\"u')))
def test_whole_characters_stay_and_halves_are_replaced(words: str) -> None:
    line = json.dumps({"jsonrpc": "2.0", "method": "said", "params": {words: words}})
    item = read(line)
    assert isinstance(item, SessionMessage)
    assert isinstance(item.message, JSONRPCNotification)
    in_utf16 = words.encode("utf-16", "surrogatepass")
    whole = in_utf16.decode("utf-16", "replace")
    assert item.message.params == {whole: whole}


@pytest.mark.parametrize("line", ["\\ud83d", '{"jsonrpc": "2.0", "x": "\\ud83d"', "no JSON"])
def test_what_is_no_message_otherwise_stays_none(line: str) -> None:
    assert isinstance(read(line), ValidationError)


def test_what_is_no_misfit_stays_as_it_is() -> None:
    error = OSError("gone")
    assert mended(error) is error

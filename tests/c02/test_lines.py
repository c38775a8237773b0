"""A line from a server is UTF-8 in every respect but its length."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from chapters.c02.pipe import lines
from chapters.c02.pipe.mending import mended


def decode(data: bytes, cut: int) -> str:
    decoder = codecs.getincrementaldecoder(lines.ENCODING)("replace")
    chunks = [data[i : i + cut] for i in range(0, len(data), cut)]
    return "".join(decoder.decode(chunk) for chunk in chunks) + decoder.decode(b"", final=True)


@given(st.text(), st.integers(1, 9))
def test_short_lines_are_plain_utf8(text: str, cut: int) -> None:
    assert decode(text.encode("utf-8"), cut) == text


@given(st.lists(st.integers(0, 25), max_size=8), st.integers(1, 9))
def test_long_lines_are_broken_off_with_a_mark(lengths: list[int], cut: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "LINE_CHARACTERS", 10)
        decoded = decode("".join("x" * length + "\n" for length in lengths).encode(), cut).split(
            "\n"
        )
    assert len(decoded) == len(lengths) + 1
    for length, line in zip(lengths, decoded, strict=False):
        if length <= 10:
            assert line == "x" * length
        else:
            assert line.endswith(lines.OVERLONG)
            assert len(line) <= 10 + len(lines.OVERLONG)


def misread(line: str) -> ValidationError:
    """Return what the SDK makes of a line that is no message."""
    with pytest.raises(ValidationError) as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    return caught.value


@pytest.mark.parametrize(
    "line",
    [
        "INFO ready",
        '{"jsonrpc": "1.0", "method": "x"}',
        '{"jsonrpc": "2.0", "id": 1, "method": "x", "params": "y"}',
        "[1, 2]",
        '"words"',
    ],
)
def test_a_line_that_is_no_message_is_told_as_a_whole(line: str) -> None:
    assert lines.line_of(misread(line)) == line


def test_a_value_in_json_passes_neither_for_a_long_line_nor_for_a_message() -> None:
    assert not lines.is_overlong(misread(f'{{"jsonrpc": "{lines.OVERLONG}", "method": "x"}}'))
    marked = '\ufeff{\\"jsonrpc\\": \\"2.0\\", \\"method\\": \\"x\\"}'
    assert isinstance(mended(misread(f'{{"jsonrpc": "{marked}", "id": 1}}')), ValidationError)

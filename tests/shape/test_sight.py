"""What cannot be seen is shown as an escape, and what can be is left alone."""

from __future__ import annotations

import sys
import unicodedata
from itertools import pairwise

import pytest

from chapters.stage.renderers import visible
from chapters.stage.sight import DEFAULT_IGNORABLE, all_seen, is_seen


def test_the_table_is_in_order_and_without_overlap() -> None:
    ends = [end for first_and_last in DEFAULT_IGNORABLE for end in first_and_last]
    assert ends == sorted(ends)
    assert all(one[1] + 1 < other[0] for one, other in pairwise(DEFAULT_IGNORABLE))


def test_every_character_that_hides_is_unseen() -> None:
    ignorable = {code for first, last in DEFAULT_IGNORABLE for code in range(first, last + 1)}
    for code in range(sys.maxunicode + 1):
        hides = unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        assert is_seen(chr(code)) != (hides or code in ignorable or code == 0x2800), hex(code)
        assert is_seen(chr(code)) or not all_seen(f"a{chr(code)}"), hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 日本 👍\nnext", "plain é 日本 👍\nnext"),
        ("\x1b[31m\t\x7f", "\\x1b[31m\\t\\x7f"),
        ("a\ufe0fb\u3164c\u2800\U000e0100", "a\\ufe0fb\\u3164c\\u2800\\U000e0100"),
        ("\u202e\u2028\ud800", "\\u202e\\u2028\\ud800"),
    ],
)
def test_a_terminal_is_shown_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown

"""Tables of plain text fit the page, whatever stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from chapters.stage.plain import WIDTH, PlainRenderer, column_widths

if TYPE_CHECKING:
    import pytest

CELLS = st.text(st.sampled_from("word -_\n"), max_size=90)


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_columns_fit_the_page_and_none_is_lost(cells: list[list[str]]) -> None:
    widths = column_widths(cells, WIDTH)
    assert sum(widths) + 2 * len(widths) <= WIDTH
    assert min(widths) >= 1


def test_a_table_that_fits_is_left_alone() -> None:
    assert column_widths([["who", "process"], ["the client", "7"]], WIDTH) == [10, 7]


def test_words_are_whole_as_long_as_they_can_be() -> None:
    code = "mcp_connection_lost"
    widths = column_widths([["code", "why"], [code, "because of this " * 20]], WIDTH)
    assert widths == [len(code), WIDTH - 4 - len(code)]


def test_nothing_of_a_table_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    PlainRenderer().table(["a", "", "c"], [["one two " * 10, "", "x" * 100], ["", "", ""]])
    printed = capsys.readouterr().out
    assert printed.count("one") == 10
    assert printed.count("x") == 100
    assert max(map(len, printed.splitlines())) <= WIDTH

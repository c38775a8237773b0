"""Which values may fill a template."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.c07.uris import UriError, read_template
from chapters.stage.sight import is_seen

PAGE = read_template("x://page/{slug}", {})


@pytest.mark.parametrize(
    "value",
    [
        "", ".", "..", "...", "%2e", "%2e%2e", "%2E.", "a..b", "..%2F", "..%2fx", "a%2Fb", "%252F",
        "%252e", "%", "%2", "a" * 201, "\\", "%5C", "?", "a?b", "%3F", "#", "%23", "%00", "%0a",
        "\n", "\x1b", "%ff", "%ed%a0%80", "\ud800", "\u202e", "%E2%80%AE", "\u200b", "\u3164",
        "%E3%85%A4", "%ef%bb%bf", "a&b", "a%26b=c", "a;b", "a%3Bb",
    ],
)  # fmt: skip
def test_a_value_that_is_no_plain_segment_is_refused(value: str) -> None:
    with pytest.raises(UriError):
        PAGE.filled_by(f"x://page/{value}")


@pytest.mark.parametrize(
    "value", ["a", "a-b", "a.b", "a" * 200, "%C3%A9", "é", "a%20b", "~", "é.md"]
)
def test_a_plain_segment_is_taken(value: str) -> None:
    assert PAGE.filled_by(f"x://page/{value}")


@pytest.mark.parametrize(
    "uri", ["x://page", "x://page/a/b", "y://page/a", "x://pages/a", "X://page/a"]
)
def test_a_uri_of_another_shape_is_not_the_templates(uri: str) -> None:
    assert not PAGE.filled_by(uri)


@pytest.mark.parametrize(
    ("value", "fits"), [("ab", True), ("a1", False), ("ab\n", False), ("", False), ("%61b", True)]
)
def test_the_policys_own_pattern_is_matched_with_the_whole_value(value: str, fits: bool) -> None:
    narrow = read_template("x://{a}", {"a": "[a-z]+"})
    if fits:
        assert narrow.filled_by(f"x://{value}")
    else:
        with pytest.raises(UriError):
            narrow.filled_by(f"x://{value}")


def test_there_is_one_way_to_read_a_uri() -> None:
    two = read_template("x://{a}-{b}", {"a": "[0-9]"})
    assert two.filled_by("x://1-2-3")
    with pytest.raises(UriError):
        two.filled_by("x://y1-2")


def test_a_withheld_template_is_refused_however_its_uri_is_written() -> None:
    page = read_template("x://page/{slug}", {}, ["x://page/s%65cret-{n}", "x://{+all}", "x://{?q}"])
    for value in ("secret-1", "%73ecret-1", "secret%2D1", "secret-"):
        with pytest.raises(UriError):
            page.filled_by(f"x://page/{value}")
    assert page.filled_by("x://page/secret")


@pytest.mark.parametrize("uri", ["x://1%2D2-3", "x://%2D-3", "x://1%2d-3"])
def test_a_value_that_ends_elsewhere_once_it_is_decoded_is_refused(uri: str) -> None:
    with pytest.raises(UriError):
        read_template("x://{a}-{b}", {"b": "[0-9]"}).filled_by(uri)


def test_a_template_cannot_make_matching_slow() -> None:
    slow = read_template("".join(f"a{{v{n}}}" for n in range(30)) + "b", {})
    assert not slow.filled_by("a" * 2_000)


def test_a_withheld_uri_is_refused_however_it_is_written() -> None:
    page = read_template("x://page/{slug}", {}, ["x://page/s%65cret"])
    for value in ("secret", "%73ecret", "s%65cret"):
        with pytest.raises(UriError):
            page.filled_by(f"x://page/{value}")


SHARP = st.sampled_from(
    ["..", "%2e", "%2F", "%25", "%5c", "%00", "/", "\\", "?", "#", "a", "-", "%"]
)
VALUES = st.lists(SHARP | st.text(max_size=3), max_size=6).map("".join)


@given(VALUES, VALUES)
def test_what_is_taken_climbs_nowhere(one: str, other: str) -> None:
    uri = f"x://{one}-{other}/end"
    try:
        taken = read_template("x://{a}-{b}/end", {}).filled_by(uri)
    except UriError:
        return
    if taken:
        value = unquote(uri.removeprefix("x://").removesuffix("/end"), errors="surrogateescape")
        assert not set(value) & set("/\\?#%&;")
        assert ".." not in value
        assert all(map(is_seen, value))


@given(st.text(min_size=1, max_size=20))
def test_a_plain_value_is_taken_once_it_is_quoted(text: str) -> None:
    plain = "".join(c for c in text if is_seen(c) and c not in "/\\?#%&;.") or "a"
    assert PAGE.filled_by(f"x://page/{quote(plain)}")

"""The guard against a second opinion, written another way, on lines that nobody thought of."""

from __future__ import annotations

import socket
import string
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chapters.c06.guard import HostGuard, allowed_on, verdict
from tests.c06.running import Running, door, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapters.c06.serving import Parser

PORT = 8931
LINE = tuple[bytes, bytes]


# -- the reference: character by character, no regular expression, no ipaddress


def _reference_port(text: str) -> int | None:
    if not text or any(character not in string.digits for character in text):
        return None
    port = int(text)
    return port if str(port) == text and 1 <= port <= 65535 else None


def _reference_host(text: str) -> object:
    if text.startswith("[") or text.endswith("]"):
        inside = text[1:-1]
        if text != f"[{inside}]" or any(c not in string.hexdigits + ":." for c in inside):
            return None
        try:
            return socket.inet_pton(socket.AF_INET6, inside)
        except OSError:
            return None
    letters = string.ascii_letters + string.digits + "-_"
    labels = text.split(".")
    plain = all(label and all(c in letters for c in label) for label in labels)
    return text.lower() if plain and len(text) <= 253 else None


def _reference_authority(value: bytes, default: int) -> tuple[object, int] | None:
    if any(byte > 127 for byte in value):
        return None
    text = value.decode("ascii")
    colon = text.rfind(":")
    has_port = colon > text.rfind("]")
    host = _reference_host(text[:colon] if has_port else text)
    port = _reference_port(text[colon + 1 :]) if has_port else default
    return None if host is None or port is None else (host, port)


def _reference_status(lines: list[LINE], bound: int) -> int:
    ours = {
        ("localhost", bound),
        ("127.0.0.1", bound),
        (socket.inet_pton(socket.AF_INET6, "::1"), bound),
    }
    found: dict[bytes, list[bytes]] = {b"host": [], b"origin": [], b"sec-fetch-site": []}
    for name, value in lines:
        if name in found:
            found[name].append(value.strip(b" \t"))
    if len(found[b"host"]) != 1:
        return 400
    if _reference_authority(found[b"host"][0], 80) not in ours:
        return 421
    if not found[b"origin"]:
        fine = {b"none", b"same-origin"}
        return 200 if set(found[b"sec-fetch-site"]) <= fine else 403
    if len(found[b"origin"]) > 1 or found[b"origin"][0][:7].lower() != b"http://":
        return 403
    return 200 if _reference_authority(found[b"origin"][0][7:], 80) in ours else 403


# -- lines: whole good ones, good ones with a slip, pieces in any order, and noise

NAMES = [b"localhost", b"LocalHost", b"127.0.0.1", b"[::1]", b"[::0:1]", b"[0:0::1]", b"::1"]
EVIL = [b"attacker.example", b"localhost.attacker.example", b"0.0.0.0", b"[::]", b"127.1", b"xn--p"]
PIECES = [
    *NAMES,
    *EVIL,
    b":",
    b".",
    b"@",
    b"/",
    b" ",
    b"\t",
    b"%",
    b",",
    b"%6c",
    b"\xc5\xbf",
    b"\x00",
]


def authorities(port: int) -> st.SearchStrategy[bytes]:
    ports = [b"", b":%d" % port, b":0%d" % port, b":", b":80", b":0", b":65536", b":%d0" % port]
    whole = st.tuples(st.sampled_from(NAMES + EVIL), st.sampled_from(ports)).map(b"".join)
    heap = st.lists(st.sampled_from([*PIECES, *ports]), max_size=5).map(b"".join)
    return st.one_of(whole, whole, st.tuples(whole, *_slip()).map(_slipped), heap, st.binary())


def _slip() -> tuple[st.SearchStrategy[int], st.SearchStrategy[bytes]]:
    return st.integers(0, 20), st.binary(max_size=2)


def _slipped(parts: tuple[bytes, int, bytes]) -> bytes:
    value, place, inserted = parts
    return value[:place] + inserted + value[place + (len(inserted) == 0) :]


def requests(port: int) -> st.SearchStrategy[list[LINE]]:
    schemes = [b"http://", b"HTTP://", b"https://", b"ws://", b"", b"null", b"http:"]
    origins = st.tuples(st.sampled_from(schemes), authorities(port)).map(b"".join)
    host = st.tuples(st.just(b"host"), authorities(port))
    origin = st.tuples(st.just(b"origin"), st.one_of(origins, st.just(b"null"), st.binary()))
    sites = [b"none", b"same-origin", b"same-site", b"cross-site", b"None", b""]
    site = st.tuples(st.just(b"sec-fetch-site"), st.sampled_from(sites))
    forwarded = st.tuples(st.just(b"x-forwarded-host"), authorities(port))
    good = st.just((b"host", b"localhost:%d" % port))
    return st.tuples(
        st.lists(st.one_of(good, host), min_size=1, max_size=1) | st.lists(host, max_size=3),
        st.lists(origin, max_size=2),
        st.lists(site, max_size=2),
        st.lists(forwarded, max_size=1),
    ).map(lambda parts: [line for part in parts for line in part])


@settings(max_examples=1500)
@given(requests(PORT))
@example([(b"host", b"[::0.0.0.1]:8931")])
@example([(b"host", b"localhost:8931\n")])
@example([(b"host", b"a" * 254 + b":8931")])
@example([(b"host", b"localhost:8931"), (b"origin", b"http://[0:0::1]:8931")])
def test_the_guard_agrees_with_the_reference(lines: list[LINE]) -> None:
    refusal = verdict(lines, allowed_on(PORT))
    assert (refusal.status if refusal else 200) == _reference_status(lines, PORT)


@pytest.fixture(scope="module")
def guarded(parser: Parser) -> Iterator[Running]:
    with running(lambda port: HostGuard(door, allowed_on(port)), parser) as server:
        yield server


@settings(max_examples=200)
@given(data=st.data())
def test_on_the_wire_nothing_beyond_the_list_gets_in(guarded: Running, data: st.DataObject) -> None:
    """A parser may refuse a request itself, with a 400. It may not let one in, nor fall over."""
    lines = [
        (name, value)
        for name, value in data.draw(requests(guarded.port))
        if not set(value) & {0x0A, 0x0D}  # those would be other lines than the reference sees
    ]
    head = b"".join(b"%b: %b\r\n" % line for line in lines)
    answer = guarded.ask(b"GET / HTTP/1.1\r\n%bConnection: close\r\n\r\n" % head)
    expected = _reference_status(lines, guarded.port)
    assert answer.status in (expected, 400)

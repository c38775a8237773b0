"""Where the server may listen, and what is no way around that."""

from __future__ import annotations

import socket

import pytest

from chapters.c06.binding import BindRefused, bind_address
from chapters.c06.serving import bound_socket

EVERYWHERE = "0.0.0.0"  # noqa: S104 - never bound here, only refused

ELSEWHERE = [
    EVERYWHERE,
    "::",
    "",
    " ",
    "*",
    "0",
    "00.0.0.0",
    "0x0.0.0.0",
    "192.168.1.5",
    "fe80::1%eth0",
    "::ffff:127.0.0.1",
    "::ffff:0.0.0.0",
    "[::1]",
    "[::]",
    "LOCALHOST",
    "Localhost",
    "localhost.",
    "localhost\n",
    " localhost",
    "127.0.0.1 ",
    "127.0.0.1\x00",
    "127.1",
    "127.0.0.2",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "localtest.me",
    "localhost.attacker.example",
    "attacker.example",
    "١٢٧.0.0.1",
]


@pytest.mark.parametrize(
    ("host", "address"),
    [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")],
)
def test_loopback_is_bound_as_it_is(host: str, address: str) -> None:
    assert bind_address(host) == address


@pytest.mark.parametrize("host", ELSEWHERE)
def test_anywhere_else_is_refused(host: str) -> None:
    with pytest.raises(BindRefused, match="needs both"):
        bind_address(host)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_one_of_the_two_decisions_is_not_enough(host: str) -> None:
    with pytest.raises(BindRefused, match="needs both"):
        bind_address(host, hosts=["mcp.example.com"])
    with pytest.raises(BindRefused, match="needs both"):
        bind_address(host, authenticated=True)
    with pytest.raises(BindRefused, match="needs both"):
        bind_address(host, hosts=[], authenticated=True)


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.168.1.5", "fd00::5"])
def test_with_both_decisions_an_address_is_bound(host: str) -> None:
    assert bind_address(host, hosts=["mcp.example.com"], authenticated=True) == host


@pytest.mark.parametrize("host", ["", "*", "127.1", "2130706433", "attacker.example", "LOCALHOST"])
def test_what_is_no_address_is_refused_even_then(host: str) -> None:
    with pytest.raises(BindRefused, match="give the address itself"):
        bind_address(host, hosts=["mcp.example.com"], authenticated=True)


@pytest.mark.parametrize("hosts", [["*"], [""], ["mcp.example.com", "*.example.com"]])
def test_an_allowlist_of_anything_is_no_allowlist(hosts: list[str]) -> None:
    with pytest.raises(BindRefused, match="no host"):
        bind_address("192.168.1.5", hosts=hosts, authenticated=True)


def test_no_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_arguments: object, **_options: object) -> None:
        raise AssertionError("A name was looked up.")

    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
        monkeypatch.setattr(socket, name, resolve)
    for host in ["localhost", "attacker.example"]:
        try:
            bind_address(host, hosts=["mcp.example.com"], authenticated=True)
        except BindRefused:
            continue


def test_what_it_returns_is_what_gets_bound() -> None:
    with bound_socket(bind_address("localhost")) as sock:
        assert sock.getsockname()[0] == "127.0.0.1"

"""What the chapter's tests run on: one event loop, both parsers, both families of addresses."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from chapters.c06.serving import Parser

PARSERS: tuple[Literal["h11"], Literal["httptools"]] = ("h11", "httptools")


@pytest.fixture(scope="module", params=PARSERS)
def parser(request: pytest.FixtureRequest) -> Parser:
    """Each of uvicorn's HTTP parsers."""
    chosen: Parser = request.param
    return chosen


@pytest.fixture(scope="module", params=["127.0.0.1", "::1"])
def address(request: pytest.FixtureRequest) -> str:
    """Each loopback address, where the machine has it."""
    chosen: str = request.param
    if chosen == "::1" and not _has_ipv6():
        pytest.skip("This machine has no IPv6 loopback.")
    return chosen


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False

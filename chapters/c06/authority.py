"""Reading ``Host`` and ``Origin``: strictly, as bytes, to values that compare exactly.

A guard that compares text loses to spelling: ``localhost:80.attacker.example`` starts with
``localhost:80``. So both headers are parsed into what they mean, and whatever is not plainly one
host and one port means nothing at all.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

HTTP_PORT = 80
"""The port that ``Host: localhost`` means (RFC 9110 section 4.2.1)."""

_DEFAULT_PORTS = {"http": HTTP_PORT, "https": 443}

# A DNS name or IPv4 address, or a bracketed IPv6 address, then a port that has one spelling.
# Narrower than RFC 3986 section 3.2.2 on purpose: no userinfo, no percent-encoding, no empty
# port, no trailing dot, no zone, nothing beyond ASCII. Each label excludes the dot that ends it,
# so no input makes the match go back over itself.
_AUTHORITY = re.compile(
    rb"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[(?P<ipv6>[0-9a-f:.]+)\])"
    rb"(?::(?P<port>[1-9][0-9]{0,4}))?",
    re.IGNORECASE,
)
_LONGEST_NAME = 253  # bytes, RFC 1035 section 2.3.4 without the final dot
_HIGHEST_PORT = 65_535


@dataclass(frozen=True)
class Authority:
    """Where a request says it is going: a lower-case host (IPv6 in brackets) and a port."""

    host: str
    port: int


@dataclass(frozen=True)
class Origin:
    """The page a request comes from: equal only if scheme, host and port are (RFC 6454 s. 5)."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, eq=False)
class OpaqueOrigin:
    """``Origin: null``: a sandboxed frame, a file, a redirect. The same as no other, ever."""


def parse_authority(value: bytes, default_port: int = HTTP_PORT) -> Authority | None:
    """Return what a ``Host`` field's ``value`` names, or None where it is not plainly one thing.

    A missing port is ``default_port``. Source: RFC 9110 section 7.2, RFC 3986 section 3.2.
    """
    match = _AUTHORITY.fullmatch(value)
    if match is None:
        return None
    port = int(match["port"] or default_port)
    host = _ipv6(match["ipv6"]) if match["ipv6"] else _name(match["name"])
    return Authority(host, port) if host and port <= _HIGHEST_PORT else None


def parse_origin(value: bytes) -> Origin | OpaqueOrigin | None:
    """Return what an ``Origin`` field's ``value`` names, or None where it is no web origin.

    Only ``http`` and ``https`` origins are read: they are the ones a page is served from. Source:
    RFC 6454 section 7, and the Fetch standard's "serializing a request origin".
    """
    if value == b"null":
        return OpaqueOrigin()
    scheme, separator, rest = value.partition(b"://")
    # latin-1 gives every byte a character, so that a strange scheme is unknown and no error.
    name = scheme.lower().decode("latin-1")
    if not separator or name not in _DEFAULT_PORTS:
        return None
    authority = parse_authority(rest, _DEFAULT_PORTS[name])
    return Origin(name, authority.host, authority.port) if authority else None


def _name(text: bytes) -> str | None:
    return text.decode("ascii").lower() if len(text) <= _LONGEST_NAME else None


def _ipv6(text: bytes) -> str | None:
    # An address has many spellings and one meaning; RFC 5952 gives the one kept here.
    try:
        return f"[{ipaddress.IPv6Address(text.decode('ascii'))}]"
    except ValueError:
        return None

"""What can go wrong while connecting, each with a code and a local sentence.

The sentence is ours and safe to show anywhere. What the server or the system had to say is in
``detail``, which is for the log of the person who runs the harness and for nobody else. No call has
been sent when one of these is raised.
"""

from __future__ import annotations

from typing import ClassVar


class Fault(Exception):  # noqa: N818 - the field's word for it; an error is one kind of it
    """A server could not be connected, or a call to it failed."""

    code: ClassVar[str]
    sentence: ClassVar[str]

    def __init__(self, alias: str, detail: str = "") -> None:
        super().__init__(f"{alias}: {self.sentence}")
        self.alias = alias
        self.detail = detail


class ConnectFailed(Fault):
    """The server could not be started, or went away or misbehaved before it was connected."""

    code = "mcp_connect_failed"
    sentence = "The server could not be connected."


class ConnectTimedOut(Fault):
    """The connect deadline passed before the last page of tools had come."""

    code = "mcp_timeout"
    sentence = "The server was not connected before the deadline."


class ListingRefused(Fault):
    """A list is endless, too large, no list by the protocol, or an error instead."""

    code = "mcp_listing_refused"
    sentence = "The server gave no list that can be used here."

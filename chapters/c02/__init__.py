"""c02: two processes and a pipe.

From a spec, over the SDK's stdio transport, observed, to the official client, negotiation, every
page of tools/list, and tools/call: on two real servers, in both protocol eras.
"""

from chapters.c02.connection import Connection, connection_over, open_connection
from chapters.c02.faults import ConnectFailed, ConnectTimedOut, Fault, ListingRefused
from chapters.c02.pages import Published, PublishedTool, every_page, published_tools
from chapters.c02.results import CallResult, NeedsInput, ResultError, UnreadBlock, said
from chapters.c02.spec import ServerSpec, Spec, SpecError, check_alias, check_timeout
from chapters.c02.wire import Frame, Wire

__all__ = [
    "CallResult",
    "ConnectFailed",
    "ConnectTimedOut",
    "Connection",
    "Fault",
    "Frame",
    "ListingRefused",
    "NeedsInput",
    "Published",
    "PublishedTool",
    "ResultError",
    "ServerSpec",
    "Spec",
    "SpecError",
    "UnreadBlock",
    "Wire",
    "check_alias",
    "check_timeout",
    "connection_over",
    "every_page",
    "open_connection",
    "published_tools",
    "said",
]

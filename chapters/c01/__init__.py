"""c01: a handler dict is not MCP.

The counterexample, built with care: a client whose ``tools/call`` is a dict lookup. Then the
checklist of ten behaviours that make MCP what it is, run against it.
"""

from chapters.c01.checklist import Finding, checklist, running_children
from chapters.c01.handler_dict import HANDLERS, HandlerDictClient
from chapters.c01.subject import HandlerDictSubject, Message, Session, Subject

__all__ = [
    "HANDLERS",
    "Finding",
    "HandlerDictClient",
    "HandlerDictSubject",
    "Message",
    "Session",
    "Subject",
    "checklist",
    "running_children",
]

"""c05: lead only.

An agent loop over one snapshot a request; connecting and disconnecting as tools of the lead; and
subagents and teammates that cannot reach an MCP tool, by construction.
"""

from chapters.c05.agents import Subagent, Teammate
from chapters.c05.loop import OutOfRounds, Round, run_loop
from chapters.c05.management import management_tools
from chapters.c05.model import Message, Model, Reply, Request, ToolCall
from chapters.c05.runner import Cast, Notices, Runner, open_runner
from chapters.c05.scripted import ScriptedModel, calling

__all__ = [
    "Cast",
    "Message",
    "Model",
    "Notices",
    "OutOfRounds",
    "Reply",
    "Request",
    "Round",
    "Runner",
    "ScriptedModel",
    "Subagent",
    "Teammate",
    "ToolCall",
    "calling",
    "management_tools",
    "open_runner",
    "run_loop",
]

"""c04: policy is local.

Published is not exposed. An allowlist with an effect for each tool, exact equality, JSON Schema as
the execution boundary, one invoker for every call, and envelopes in which every word is ours.
"""

from chapters.c04.admission import SchemaFault, strict_admission
from chapters.c04.cleaning import cleaned
from chapters.c04.envelope import Envelope, failed, faulted, refused, succeeded
from chapters.c04.exposed import ExposedTool, local_tool
from chapters.c04.gate import (
    ArgumentCheck,
    ArgumentsRefused,
    BadArguments,
    SchemaRefused,
    compile_schema,
    parse_arguments,
)
from chapters.c04.invoker import Approve, Invoker
from chapters.c04.policy import (
    AllowedServer,
    Decision,
    Effect,
    PolicyMismatch,
    ToolPolicy,
    allowlist,
)

__all__ = [
    "AllowedServer",
    "Approve",
    "ArgumentCheck",
    "ArgumentsRefused",
    "BadArguments",
    "Decision",
    "Effect",
    "Envelope",
    "ExposedTool",
    "Invoker",
    "PolicyMismatch",
    "SchemaFault",
    "SchemaRefused",
    "ToolPolicy",
    "allowlist",
    "cleaned",
    "compile_schema",
    "failed",
    "faulted",
    "local_tool",
    "parse_arguments",
    "refused",
    "strict_admission",
    "succeeded",
]

"""The gate: JSON Schema as the execution boundary.

A schema is read as a whole, admitted or refused, and compiled once. Arguments are checked against
it at every call, in bounded time, before anything is sent.
"""

from chapters.c04.gate.arguments import ArgumentsRefused, BadArguments, parse_arguments
from chapters.c04.gate.budget import READING_STEPS, Budget, BudgetError
from chapters.c04.gate.refusal import SchemaRefused
from chapters.c04.gate.schema import ArgumentCheck, compile_schema
from chapters.c04.gate.words import with_words

__all__ = [
    "READING_STEPS",
    "ArgumentCheck",
    "ArgumentsRefused",
    "BadArguments",
    "Budget",
    "BudgetError",
    "SchemaRefused",
    "compile_schema",
    "parse_arguments",
    "with_words",
]

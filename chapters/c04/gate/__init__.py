"""The gate: JSON Schema as the execution boundary."""

from chapters.c04.gate.arguments import ArgumentsRefused, BadArguments, parse_arguments
from chapters.c04.gate.bounds import READING_STEPS, Budget, BudgetError, SchemaRefused
from chapters.c04.gate.checking import ArgumentCheck
from chapters.c04.gate.keywords import with_words
from chapters.c04.gate.reading import compile_schema

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

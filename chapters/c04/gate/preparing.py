"""Make an admitted schema ready to run: every reference joined, every pattern compiled.

The schema is our own copy, so it is changed in place. What is left in it is what jsonschema will
call a function for, and nothing else: titles, descriptions and formats are gone.
"""

from collections.abc import Set
from typing import Any, Final

from chapters.c04.gate.budget import Budget
from chapters.c04.gate.dialects import Dialect
from chapters.c04.gate.equality import paid_canonical
from chapters.c04.gate.json_value import escaped
from chapters.c04.gate.pattern import LinearPattern, PatternError, Patterns
from chapters.c04.gate.references import Survey
from chapters.c04.gate.refusal import SchemaRefused

# Read by the keyword beside them, called by nobody.
_COMPANIONS: Final = frozenset({"then", "else", "minContains", "maxContains"})


def prepare(survey: Survey, dialect: Dialect, budget: Budget) -> None:
    """Prepare every subschema of `survey` where it stands.

    Raises `SchemaRefused` for a pattern, and `BudgetError`.
    """
    called: Set[str] = dialect.validator.VALIDATORS.keys() - {"format"}
    patterns = Patterns(budget)
    ready: dict[str, Any] = {}
    # From the leaves to the root, so that what a schema holds is ready before it is.
    for pointer, subschema in reversed(survey.subschemas.items()):
        schema = subschema.schema
        if isinstance(schema, dict):
            _keep_only(schema, called | _COMPANIONS)
            _compile_patterns(schema, patterns, pointer)
            _write_values_out(schema, budget)
            if called.isdisjoint(schema):
                # Admits everything. Said as True it costs no validator of its own, which thousands
                # of items would otherwise get for free: only keywords pay.
                subschema.container[subschema.key] = schema = True
        ready[pointer] = schema
    for pointer, target in survey.references.items():
        ready[pointer]["$ref"] = ready[target]


def _keep_only(schema: dict[str, Any], keywords: Set[str]) -> None:
    for name in schema.keys() - keywords:
        del schema[name]
    if not isinstance(schema.get("items"), list):
        # 2019-09 core section 9.3.1.2: without a list of items it says nothing.
        schema.pop("additionalItems", None)


def _compile_patterns(schema: dict[str, Any], patterns: Patterns, pointer: str) -> None:
    if "pattern" in schema:
        schema["pattern"] = _compiled(schema["pattern"], patterns, f"{pointer}/pattern")
    if "patternProperties" in schema:
        schema["patternProperties"] = [
            (_compiled(source, patterns, f"{pointer}/patternProperties/{escaped(source)}"), each)
            for source, each in schema["patternProperties"].items()
        ]


def _compiled(source: str, patterns: Patterns, place: str) -> LinearPattern:
    try:
        return patterns.compiled(source)
    except PatternError:
        raise SchemaRefused(
            "the pattern is not one that RE2 matches in bounded memory", place
        ) from None


def _write_values_out(schema: dict[str, Any], budget: Budget) -> None:
    if "enum" in schema:
        budget.spend(len(schema["enum"]) // 2)
        schema["enum"] = frozenset(paid_canonical(value, budget) for value in schema["enum"])
    if "const" in schema:
        schema["const"] = frozenset({paid_canonical(schema["const"], budget)})

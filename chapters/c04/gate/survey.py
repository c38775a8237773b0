"""Read a whole schema, the parts that no arguments reach too, and refuse what is not understood."""

from collections.abc import Iterator
from typing import Any, Final

from chapters.c04.gate.budget import Budget
from chapters.c04.gate.dialects import Dialect
from chapters.c04.gate.json_value import escaped
from chapters.c04.gate.keywords import Keyword
from chapters.c04.gate.references import Subschema, Survey, follow_references, refuse_loops
from chapters.c04.gate.refusal import PLACE_CHARACTERS, SchemaRefused

SUBSCHEMAS: Final = 2000
_STEPS_A_SUBSCHEMA: Final = 3  # of reading it, joining it and making it ready

# Keywords whose subschemas apply to the very value that the schema itself applies to.
_IN_PLACE: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"}
)
# Keywords that may stand beside a draft-07 `$ref`: they constrain nothing.
_BESIDE_REF: Final = frozenset(
    {"$ref", "$comment", "title", "description", "default", "examples", "definitions"}
    | {"readOnly", "writeOnly", "x-mcp-header"}
)


def surveyed(root: list[Any], dialect: Dialect, budget: Budget) -> Survey:
    """Read the schema that `root` holds as its one item, without its `$schema`.

    Raises `SchemaRefused` for an unknown keyword, a value that does not fit the meta-schema, too
    many subschemas, a reference that leaves the document, points at no schema, or comes back to
    itself without a step down into the arguments; and `BudgetError`.
    """
    survey = Survey()
    waiting: list[tuple[str, Subschema]] = [("", Subschema(root, 0))]
    while waiting:
        pointer, subschema = waiting.pop()
        if len(survey.subschemas) == SUBSCHEMAS:
            raise SchemaRefused("the schema has too many subschemas", pointer)
        budget.spend(_STEPS_A_SUBSCHEMA)
        survey.subschemas[pointer] = subschema
        waiting.extend(_below(pointer, subschema.schema, dialect, survey))
    follow_references(survey)
    refuse_loops(survey)
    return survey


def _below(
    pointer: str, schema: Any, dialect: Dialect, survey: Survey
) -> Iterator[tuple[str, Subschema]]:
    """Check one schema's own keywords and yield the subschemas that stand in it."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        raise SchemaRefused("a schema must be an object or a boolean", pointer)
    _refuse_hidden_keywords(schema, pointer, dialect)
    for name, value in schema.items():
        here = f"{pointer}/{escaped(name)}"
        keyword = _known(name, value, here, dialect)
        if name == "$anchor" and survey.anchors.setdefault(value, pointer) != pointer:
            raise SchemaRefused("two places have the same anchor", here)
        for container, key, rest in keyword.slots(schema, name):
            # A pointer is kept for every subschema; this bounds their sum.
            if len(here) + len(rest) > PLACE_CHARACTERS:
                raise SchemaRefused("the place is too long to name", here)
            if name in _IN_PLACE:
                survey.in_place.setdefault(pointer, []).append(here + rest)
            yield here + rest, Subschema(container, key)


def _known(name: str, value: Any, place: str, dialect: Dialect) -> Keyword:
    keyword = dialect.keywords.get(name)
    if keyword is None:
        raise SchemaRefused("not a keyword that is taken in this dialect", place)
    if not keyword.fits(value):
        raise SchemaRefused("the keyword's value does not fit the meta-schema", place)
    return keyword


def _refuse_hidden_keywords(schema: dict[str, Any], pointer: str, dialect: Dialect) -> None:
    """Refuse a rule beside a draft-07 `$ref`, which hides it (draft-07 Core section 8.3).

    Ignoring it would admit what the server's author wrote a rule against; obeying it would not be
    draft-07. Titles and descriptions may stand there, as code generators put them.
    """
    hidden = schema.keys() - _BESIDE_REF if "$ref" in schema else ()
    if dialect.ref_hides_siblings and hidden:
        raise SchemaRefused("draft-07 ignores what stands beside $ref", f"{pointer}/$ref")

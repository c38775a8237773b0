"""The one way in which the gate says no to a schema."""

from typing import Final

PLACE_CHARACTERS: Final = 2000


class SchemaRefused(Exception):  # noqa: N818  # the verdict of the gate, named as the book does
    """A schema that is not taken.

    `reason` is a local sentence, `place` a JSON pointer (RFC 6901) into the schema, made of the
    server's own names and cut after 2,000 characters. Both are for the operator's log.
    """

    code: Final = "mcp_schema_refused"

    def __init__(self, reason: str, place: str) -> None:
        self.reason = reason
        self.place = place[:PLACE_CHARACTERS]
        super().__init__(f"{reason} (at {self.place!r})")

"""What a server sends is data: cleaned and bounded before a terminal, a page or a model sees it.

Control, format, private-use and unassigned characters (Unicode's category C: escapes, bidirectional
overrides, invisible ones) are shown as escapes, so that nothing can be hidden in a text and nothing
in it can act. Line ends and tabs stay. No markup of any kind is ever read.
"""

from __future__ import annotations

import unicodedata

DESCRIPTION_CHARACTERS = 1_000
RESULT_CHARACTERS = 32_000


def cleaned(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of ``text`` with nothing invisible; a cut is marked."""
    part = text[:limit]
    shown = part if part.isprintable() else "".join(map(_visible, part))
    if len(text) <= limit and len(shown) <= limit:
        return shown
    return f"{shown[:limit]} [cut here: {len(text):,} characters in all]"


def _visible(character: str) -> str:
    if character in "\n\t" or not unicodedata.category(character).startswith(("C", "Zl", "Zp")):
        return character
    return f"\\u{{{ord(character):x}}}"

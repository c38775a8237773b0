"""What a server sends is data: cleaned and bounded before a terminal, a page or a model sees it.

What cannot be seen (controls, bidirectional overrides, characters that are drawn as nothing) is
shown as an escape, so that nothing can be hidden in a text and nothing in it can act. Line ends and
tabs stay. No markup of any kind is ever read.
"""

from __future__ import annotations

from chapters.stage.sight import all_seen, is_seen

DESCRIPTION_CHARACTERS = 1_000
RESULT_CHARACTERS = 32_000


def is_plain(text: str) -> bool:
    """Tell fast that nothing in ``text`` has to be cleaned."""
    return all_seen(text.replace("\n", " ").replace("\t", " "))


def cleaned(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of ``text`` with nothing invisible; a cut is marked."""
    part = text[:limit]
    shown = part if is_plain(part) else "".join(map(_visible, part))
    if len(text) <= limit and len(shown) <= limit:
        return shown
    return f"{shown[:limit]} [cut here: {len(text):,} characters in all]"


def _visible(character: str) -> str:
    if character in "\n\t" or is_seen(character):
        return character
    return f"\\u{{{ord(character):x}}}"

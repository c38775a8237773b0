"""Which characters can be seen: one rule for a terminal, a model and a place in a schema.

Unseen are Unicode's category C (controls, formats such as bidirectional overrides, private use,
surrogates, and what is not assigned), its line and paragraph separators, and every character that
is drawn as nothing at all although it counts as a letter, a mark or a symbol. Instructions can be
spelled in those, one after the other, and nobody who looks would know.
"""

from __future__ import annotations

import unicodedata

# Unicode 16.0, DerivedCoreProperties.txt, Default_Ignorable_Code_Point: first and last of each
# range. Some are of category C already; the list is whole, so that it can be held against its
# source.
DEFAULT_IGNORABLE = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
    (0x200B, 0x200F),  # zero-width space and joiners, marks of direction
    (0x202A, 0x202E),  # bidirectional embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF0, 0xFFF8),  # not assigned
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags, more variation selectors, and not assigned
)
BRAILLE_BLANK = 0x2800  # a symbol to Unicode, and nothing to the eye

_BLANK = frozenset(
    chr(code)
    for first, last in (*DEFAULT_IGNORABLE, (BRAILLE_BLANK, BRAILLE_BLANK))
    for code in range(first, last + 1)
)


def is_seen(character: str) -> bool:
    """Tell whether one character shows, as itself or as the width of a space."""
    category = unicodedata.category(character)
    return category[0] != "C" and category not in {"Zl", "Zp"} and character not in _BLANK


def all_seen(text: str) -> bool:
    """Tell fast that every character is seen; False says that each has to be looked at."""
    return text.isprintable() and _BLANK.isdisjoint(text)

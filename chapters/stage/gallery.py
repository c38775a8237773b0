"""The gallery: for each question, the wrong answer that somebody might build.

A chapter's wrong answers stand in its ``lesson/wrong.py``, which nothing imports but this module,
and this module only where one is asked for. What a chapter's replacements are made of may stand
beside it, in ``lesson/instead.py``. Put in, each makes the lesson and the tests show what it costs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from chapters.stage.manifest import ManifestError, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class WrongAnswer:
    """One wrong answer: what its author believes, what it costs, and what it replaces."""

    name: str
    goals: tuple[str, ...]
    """The questions that it answers wrongly."""
    belief: str
    cost: str
    instead: tuple[tuple[object, object], ...]
    """Pairs of a function, method, class or value of the book and what takes its place."""

    def put_in(self) -> None:
        """Replace the mechanism everywhere in the book, for the rest of this process.

        Raises :class:`~chapters.stage.ManifestError` where the book no longer holds the original.
        """
        for original, replacement in self.instead:
            places = list(_places(original))
            if not places:
                raise ManifestError(f"{self.name}: the book has no {original!r} to replace.")
            for holder, name in places:
                setattr(holder, name, replacement)


def wrong_answers(chapter_id: str | None = None) -> list[WrongAnswer]:
    """Return the gallery, or what of it belongs to the questions of one chapter."""
    found: list[WrongAnswer] = []
    for each in read_manifest():
        found += import_module(f"chapters.{each}.lesson.wrong").WRONG_ANSWERS
    if chapter_id is None:
        return found
    return [w for w in found if any(goal.startswith(f"{chapter_id}.") for goal in w.goals)]


def find_wrong_answer(name: str, chapter_id: str | None = None) -> WrongAnswer:
    """Look a wrong answer up by name.

    Raises :class:`~chapters.stage.ManifestError`, which says where else the name belongs, or what
    comes closest to it, and lists the names there are.
    """
    known = {wrong.name: wrong for wrong in wrong_answers(chapter_id)}
    if name in known:
        return known[name]
    for elsewhere in wrong_answers():
        if elsewhere.name == name:
            home = elsewhere.goals[0].partition(".")[0]
            raise ManifestError(
                f"{name!r} belongs to {home}. Run: python -m chapters.{home} --wrong {name}"
            )
    where = f"for {chapter_id}" if chapter_id else "in the gallery"
    close = "".join(f" Did you mean {near}?" for near in get_close_matches(name, known, 1))
    raise ManifestError(
        f"There is no wrong answer {name!r} {where}.{close} We have: {', '.join(known)}."
    )


def _places(original: object) -> Iterator[tuple[object, str]]:
    """Find every attribute of the book's modules and classes that is ``original``."""
    for module_name, module in tuple(sys.modules.items()):
        if not f"{module_name}.".startswith(("chapters.", "__main__.")):
            continue
        if module_name.endswith((".wrong", ".instead")):  # which need the originals
            continue
        for name, value in tuple(vars(module).items()):
            if value is original:
                yield module, name
            elif isinstance(value, type) and value.__module__ == module_name:
                yield from [(value, each) for each, held in vars(value).items() if held is original]

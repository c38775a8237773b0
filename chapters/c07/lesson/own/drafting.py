"""The part of a draft for resources, templates and prompts: each offered, or set aside and why."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Never

from chapters.c02 import Fault
from chapters.c04.lesson.own.drafting import comment, toml_key
from chapters.c04.lesson.own.setting_aside import names_and_reasons
from chapters.c07.admission import expose_prompt, expose_resource, expose_template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chapters.c02 import Connection

    Entry = tuple[str, str | None, Callable[[], object]]
    """A name, the server's words, and what raises a fault for an entry that would be refused."""


LEGEND = """
# Of resources and templates, "read": the model may read them, through a local tool.
# Of prompts, "load": a person may load them, by name."""


def drafted(connection: Connection) -> Iterator[str]:
    """Yield the lines of a policy for a server's lists with which it will connect."""
    alias, published = connection.alias, connection.published
    names, reasons = names_and_reasons(alias, [prompt.name for prompt in published.prompts])
    resources: list[Entry] = [
        (each.uri, each.description, partial(expose_resource, alias, each, _never))
        for each in published.resources
    ]
    templates: list[Entry] = [
        (each.uri_template, each.description, partial(expose_template, alias, each, {}, _never))
        for each in published.templates
    ]
    prompts: list[Entry] = [
        (
            each.name,
            each.description,
            partial(expose_prompt, alias, names.get(each.name, ""), each, _never),
        )
        for each in published.prompts
    ]
    yield LEGEND
    yield from _table(f"{alias}.resources", "read", resources, {})
    yield from _table(f"{alias}.templates", "read", templates, {})
    yield from _table(f"{alias}.prompts", "load", prompts, reasons)


def _table(where: str, yes: str, entries: list[Entry], reasons: dict[str, str]) -> Iterator[str]:
    yield f"\n[servers.{where}]"
    listed = Counter(name for name, _, _ in entries)
    for name, words, expose in {entry[0]: entry for entry in entries}.values():
        reason = reasons.get(name) or _reason(expose)
        if listed[name] > 1:
            reason = "it is listed more than once"
        yield f"# the server says: {comment(words or '')}"
        if reason:
            yield f"# it would be refused: {comment(reason)}"
        yield f'{toml_key(name)} = "{"withheld" if reason else yes}"'


def _reason(expose: Callable[[], object]) -> str:
    try:
        expose()
    except Fault as fault:
        return fault.detail
    return ""


async def _never(_: object) -> Never:
    raise RuntimeError("a draft reads and loads nothing")

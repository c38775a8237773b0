"""What is told of a server's lists: what it published beside what is exposed or withheld."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chapters.c04 import ExposedTool, cleaned
from chapters.c04.lesson.own.telling import INDENT, LINE_CHARACTERS, Telling
from chapters.c07.exposed import ExposedPrompt, ExposedResource, ExposedTemplate
from chapters.c07.resources import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapters.c02 import Connection
    from chapters.c07.exposed import Exposed
    from chapters.c07.lesson.own.servers_file import ServerWithLists


@dataclass
class TellingLists:
    """Shows the lists of each server that is connected, on c04's way of telling."""

    telling: Telling
    listed: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """The published names in each list of a server, by its alias."""

    def published(self, connection: Connection) -> None:
        """Remember what a server published."""
        lists = connection.published
        self.listed[connection.alias] = by_list = {
            "tools": [each.name for each in lists.tools],
            "resources": [each.uri for each in lists.resources],
            "templates": [each.uri_template for each in lists.templates],
            "prompts": [each.name for each in lists.prompts],
        }
        self.telling.published[connection.alias] = [n for names in by_list.values() for n in names]

    def connected(self, server: ServerWithLists, exposed: Sequence[Exposed]) -> None:
        """Show the lists of a server: what is exposed, and then what is withheld."""
        alias, lists = server.spec.alias, server.lists
        decisions = {
            "tools": {name: rule.effect for name, rule in server.tools.items()},
            "resources": lists.resources,
            "templates": {text: rule.reading for text, rule in lists.templates.items()},
            "prompts": lists.prompts,
        }
        names: dict[str, list[str]] = {}
        withheld: dict[str, list[str]] = {}
        lines: list[str] = []
        for what, published in self.listed[alias].items():
            shown = {name: line for kind, name, line in map(_shown, exposed) if kind == what}
            names[what] = list(shown)
            said = decisions[what]
            withheld[what] = [name for name, decision in said.items() if decision == "withheld"]
            lines.append(f"{alias}: {what}: published {len(published)}, exposed {len(shown)}")
            lines += [f"{INDENT}{cleaned(line, LINE_CHARACTERS)}" for line in shown.values()]
            lines += [
                f"{INDENT}withheld  {cleaned(one_line(n), LINE_CHARACTERS)}" for n in withheld[what]
            ]
        text = "\n".join(lines)
        self.telling.event("connected", text, alias=alias, **names, withheld=withheld)


def _shown(each: Exposed) -> tuple[str, str, str]:
    """Return the list it is from, the name that somebody asks for, and a line with what it may."""
    match each:
        case ExposedResource():
            return "resources", each.uri, f"read      {one_line(each.uri)}"
        case ExposedTemplate():
            return "templates", each.template.text, f"read      {one_line(each.template.text)}"
        case ExposedPrompt():
            words = [f"{a.name}=…" if a.required else f"[{a.name}=…]" for a in each.arguments]
            return "prompts", each.name, f"load      {one_line(' '.join([each.name, *words]))}"
        case ExposedTool():
            return "tools", each.name, f"{each.effect:8}  {each.name}"

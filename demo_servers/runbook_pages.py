"""The runbook's pages and its services, as the file beside this one has them; and a search."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Page:
    """A page of the runbook."""

    slug: str
    title: str
    text: str

    @property
    def uri(self) -> str:
        """Where a client reads it."""
        return f"runbook://page/{self.slug}"

    @property
    def markdown(self) -> str:
        """What a client reads."""
        return f"# {self.title}\n\n{self.text}"


@dataclass(frozen=True)
class Runbook:
    """All pages by their slugs, and all services with what each of them depends on."""

    pages: dict[str, Page]
    depends_on: dict[str, list[str]]

    def index(self) -> str:
        """Return a list of the pages, as Markdown."""
        lines = [f"- [{page.title}]({page.uri})" for page in self.pages.values()]
        return "\n".join(["# Runbook", "", *lines, ""])

    def topology(self, revision: int) -> str:
        """Return the services as JSON. A revision is a number that tells two states apart."""
        services = [
            {"name": name, "depends_on": others, "page": self.pages[name].uri}
            for name, others in self.depends_on.items()
        ]
        return json.dumps({"revision": revision, "services": services}, indent=2)

    def search(self, query: str) -> list[tuple[Page, int]]:
        """Return the pages that have one of the query's words, and how often; the best first."""
        scored = [(page, score(page, words(query))) for page in self.pages.values()]
        hits = [(page, count) for page, count in scored if count]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0].slug))


def load(file: Path = FILE) -> Runbook:
    """Read the data. Raises KeyError where a service has no page."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    pages = {page["slug"]: Page(**page) for page in data["pages"]}
    return Runbook(pages, data["depends_on"])


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return re.findall(r"\w+", text.lower())


def score(page: Page, query: list[str]) -> int:
    """Count how often a page has the words of a query."""
    counts = Counter(words(page.markdown))
    return sum(counts[word] for word in set(query))

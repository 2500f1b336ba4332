"""Reads the sources: one text file a section, one `=== slug` a page.

A page is front matter (`key: value` lines), an empty line, and paragraphs
separated by empty lines; lines that start with `- ` are a list. A topic with a
star is what the page is mainly about (grade 2), one without is touched on
(grade 1). A page is mainly about its own section's topic without saying so.
"""

import datetime
import pathlib
import re
import zlib
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).parent

# Section, its name in the navigation. The order is the navigation's.
SECTIONS = {
    "harbour": "Harbour", "council": "Council", "health": "Health",
    "technology": "Technology", "law": "Law", "sport": "Sport",
    "weather": "Weather", "business": "Business", "arts": "Arts",
    "letters": "Letters", "obituaries": "Obituaries", "recipes": "Recipes",
    "directory": "Directory", "archive/2012": "Archive 2012",
    "archive/2001": "Archive 2001",
}
UNLISTED = {"notices": "Notices"}


@dataclass
class Page:
    """One source page, or (`kind` index or print) one made from others."""

    section: str
    slug: str
    title: str
    kind: str = "Article"
    date: datetime.date | None = None
    author: str = ""
    topics: dict = field(default_factory=dict)
    facts: list = field(default_factory=list)
    blocks: list = field(default_factory=list)
    options: dict = field(default_factory=dict)

    @property
    def id(self):
        """The document id: the path below collections/harbour."""
        return f"{self.section}/{self.slug}.html".lstrip("/")

    @property
    def twin(self):
        """The id of the page that this is the print version of."""
        return self.id.replace("-print.html", ".html")

    @property
    def day(self):
        """The date as a reader sees it."""
        return f"{self.date.day} {self.date:%B %Y}" if self.date else ""

    @property
    def text(self):
        """Everything a person wrote on this page, for judging by mention."""
        parts = [self.title, self.author]
        for block in self.blocks:
            parts += block if isinstance(block, list) else [block]
        return " ".join(parts + [value for _, value in self.facts])

    @property
    def lead(self):
        """The first sentence, as section indexes show it."""
        first = next(b for b in self.blocks if isinstance(b, str))
        return re.split(r"(?<=[.!?])\s", first, maxsplit=1)[0]

    def number(self, salt, below):
        """A number that looks random and is the same on every build."""
        return zlib.crc32(f"{salt} {self.id}".encode()) % below


def parse_block(text):
    lines = text.split("\n")
    if all(line.startswith("- ") for line in lines):
        return [line[2:] for line in lines]
    return " ".join(lines)


def parse_topics(value, section):
    grades = {section: 2}
    for topic in filter(None, (t.strip() for t in value.split(","))):
        grades[topic.rstrip("*")] = 2 if topic.endswith("*") else 1
    return grades


def parse_page(section, source):
    head, _, body = source.strip("\n").partition("\n\n")
    slug, *lines = head.split("\n")
    facts, options = [], {}
    for line in lines:
        key, _, value = line.partition(": ")
        if key == "fact":
            name, _, value = value.partition(" | ")
            facts.append((name, value))
        else:
            options[key] = value
    date = options.pop("date", None)
    return Page(
        section=section, slug=slug.strip(), title=options.pop("title"),
        kind=options.pop("kind", "Article"),
        date=datetime.date.fromisoformat(date) if date else None,
        author=options.pop("author", ""),
        topics=parse_topics(options.pop("topics", ""), section),
        facts=facts, options=options,
        blocks=[parse_block(b) for b in body.split("\n\n")],
    )


def load():
    """All source pages, section by section, newest first within one."""
    pages = []
    for section in [*SECTIONS, *UNLISTED]:
        source = (HERE / f"{section.replace('/', '-')}.txt").read_text("utf-8")
        found = [parse_page(section, s) for s in source.split("=== ")[1:]]
        if section != "directory":
            found.sort(key=lambda p: (p.date, p.slug), reverse=True)
        pages += found
    return pages


def index_pages():
    """The front page and one index a section; layouts fill them."""
    front = Page("", "index", "News from the quay and the town", kind="Index")
    names = SECTIONS.items()
    return [front] + [Page(s, "index", n, kind="Index") for s, n in names]


def print_pages(pages):
    """The bare twin of every page that asks for one."""
    return [
        Page(p.section, f"{p.slug}-print", p.title, "Print", p.date, p.author,
             p.topics, p.facts, p.blocks)
        for p in pages if p.options.get("print")
    ]

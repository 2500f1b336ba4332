#!/usr/bin/env python3
"""Renders the bundled sample: the site, its queries, judgements and facts.

    python3 build.py           write everything
    python3 build.py --check   write nothing; exit 1 if what lies there differs,
                               or a link, judgement or fact points nowhere
"""

import html.parser
import posixpath
import re
import sys

sys.dont_write_bytecode = True  # leave no cache beside the sources

import judge
import layout_archive
import layout_directory
import layout_feature
import layout_modern
import pages as source
from furniture import Site

ROOT = source.HERE.parent.parent
SITE = "collections/harbour"


def layout(page):
    """The function that renders this page."""
    index = page.kind == "Index"
    if page.kind == "Print":
        return layout_directory.bare
    if page.section == "notices":
        return layout_directory.none
    if page.section == "directory":
        return layout_directory.directory
    if page.section == "archive/2012":
        return layout_archive.divs
    if page.section == "archive/2001":
        return layout_archive.tables
    features = page.section in ("letters", "obituaries", "recipes")
    module = layout_feature if features else layout_modern
    return module.index if index else module.article


def render(site, page):
    """The bytes of a page."""
    text = layout(page)(site, page)
    if page.section == "weather":
        text = layout_modern.minified(text)
    if page.options.get("bom"):
        return text.encode("utf-8-sig")
    ascii_only = page.section in ("archive/2001", "notices")
    charset = page.options.get("charset", "ascii" if ascii_only else "utf-8")
    return text.encode(charset, "xmlcharrefreplace")


def facts(pages):
    """(document id, attribute, value) for everything a page states of itself."""
    for page in pages:
        if page.kind == "Index":
            continue
        common = [("Title", page.title), ("Author", page.author), ("Date", page.day)]
        for name, value in common + page.facts:
            if value:
                yield page.id, name, value


def build():
    """Every file of the sample: path below the repository, bytes."""
    articles = source.load()
    site = Site(articles)
    pages = articles + source.print_pages(articles) + source.index_pages()
    files = {f"{SITE}/{p.id}": render(site, p) for p in pages}
    tables = {
        "queries/harbour.tsv": [f"{q}\t{text}" for q, text, _, _ in judge.read_queries()],
        "qrels/harbour.txt": [f"{q} 0 {doc} {g}" for q, doc, g in judge.judgements(pages)],
        f"{SITE}.facts.tsv": ["\t".join(f) for f in facts(pages)],
    }
    for path, lines in tables.items():
        files[path] = ("\n".join(lines) + "\n").encode("utf-8")
    return files


class Reader(html.parser.HTMLParser):
    """The links of a page, and its visible text below the title."""

    def __init__(self):
        super().__init__()
        self.links, self.text, self.skip = [], [], None

    def handle_starttag(self, tag, attrs):
        self.links += [v for k, v in attrs if k == "href"]
        if tag in ("script", "style", "title"):
            self.skip = tag

    def handle_endtag(self, tag):
        if tag == self.skip:
            self.skip = None

    def handle_data(self, data):
        if not self.skip:
            self.text.append(data)


def read(data):
    found = re.search(rb"charset=\"?([\w-]+)", data)
    reader = Reader()
    reader.feed(data.decode(found[1].decode() if found else "utf-8"))
    return reader.links, " ".join(" ".join(reader.text).split())


def stale(files):
    """Files that differ from what is rendered, or that nothing renders."""
    for path, data in files.items():
        there = ROOT / path
        if not there.is_file():
            yield f"{path}: missing, run build.py"
        elif there.read_bytes() != data:
            yield f"{path}: differs from its source, run build.py"
    for there in (ROOT / SITE).rglob("*"):
        path = there.relative_to(ROOT).as_posix()
        if there.is_file() and path not in files:
            yield f"{path}: no source renders this page"


def dangling(files):
    """Links, judgements and facts that point nowhere."""
    docs = {path[len(SITE) + 1:]: read(data) for path, data in files.items()
            if path.endswith(".html")}
    for doc, (links, _) in docs.items():
        for target in links:
            if posixpath.normpath(posixpath.join(posixpath.dirname(doc), target)) not in docs:
                yield f"{doc}: link to {target}, which is no page"
    queries = {row.split("\t")[0] for row in files["queries/harbour.tsv"].decode().splitlines()}
    relevant = set()
    for row in files["qrels/harbour.txt"].decode().splitlines():
        query, _, doc, grade = row.split(" ")
        if query not in queries or doc not in docs:
            yield f"qrels/harbour.txt: {row}: no such query or page"
        if grade != "0":
            relevant.add(query)
    for query in sorted(queries - relevant):
        yield f"queries/harbour.tsv: {query} has no relevant page"
    for row in files[f"{SITE}.facts.tsv"].decode().splitlines():
        doc, name, value = row.split("\t")
        if value not in docs[doc][1]:
            yield f"{doc}: the fact {name}: {value} is not on the page"


def write(files):
    for path, data in files.items():
        there = ROOT / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(data)


def main():
    files = build()
    check = "--check" in sys.argv[1:]
    if not check:
        write(files)
    problems = list(stale(files)) + list(dangling(files))
    for problem in problems:
        print(problem, file=sys.stderr)
    count = sum(path.endswith(".html") for path in files)
    print(f"{count} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

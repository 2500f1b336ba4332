#!/usr/bin/env python3
"""Title, author and date of real pages: unhusk beside trafilatura and extruct, with the same scoring.

    python3 -m venv VENV && VENV/bin/pip install trafilatura extruct
    VENV/bin/python experiments/metadata/score.py PAGES [--unhusk PROGRAM] [--half fit|report|all] [--errors]

PAGES has a folder a set, with `labels.tsv` (file, attribute, value), `urls.tsv` (file, url) and the pages. Hosts are split in two by a hash of
their name: rules were fitted on one half, and the figures of the documentation are of the other.

A value is right where it is the label, case and white space folded; of authors all names have to be the same, in any order. A
value that is not right is wrong, and no value is missing. Pages without a label of the kind are not counted.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
KINDS = ("title", "author", "date")


def fold(text):
    return " ".join(str(text).split()).casefold()


def names(values):
    parts = [part for value in values for part in str(value).split(";")]
    return frozenset(fold(part) for part in parts if part.strip())


def half(host):
    return "fit" if hashlib.sha1(host.encode()).digest()[0] % 2 else "report"


def pages(root, wanted):
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        labels = collections.defaultdict(lambda: collections.defaultdict(list))
        for line in (folder / "labels.tsv").read_text().splitlines():
            file, kind, value = line.split("\t", 2)
            labels[file][kind].append(value)
        urls = dict(line.split("\t")[:2] for line in (folder / "urls.tsv").read_text().splitlines())
        for file, label in labels.items():
            if wanted in ("all", half(file.split("/")[0])):
                yield f"{folder.name}/{file}", urls.get(file, ""), (folder / file).read_text(), label


def by_unhusk(program, everything, all_fields=False):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as collection:
        for name, url, html, _ in everything:
            collection.write(json.dumps({"id": name, "url": url, "html": html}) + "\n")
        collection.flush()
        command = [program, "strip", collection.name, "--strip", "none", "--no-dedup", "--format", "jsonl", "--quiet"]
        lines = subprocess.run(command + (["--fields", "all"] if all_fields else []), check=True, capture_output=True, text=True).stdout
    found = {}
    for line in lines.splitlines():
        page = json.loads(line)
        fields = page["fields"]
        found[page["id"]] = {
            "title": fields.get("title", [None])[0],
            "author": fields.get("author", []),
            "date": fields.get("published", [None])[0],
            "fields": fields,
        }
    return found


def by_trafilatura(everything):
    from trafilatura.metadata import extract_metadata

    found = {}
    for name, url, html, _ in everything:
        try:
            data = extract_metadata(html, default_url=url or None)
        except Exception:
            data = None
        found[name] = {"title": data and data.title, "author": [data.author] if data and data.author else [], "date": data and data.date}
    return found


ARTICLES = re.compile(r"(Article|BlogPosting|Posting|Report|Recipe|Product|Event|Book|Movie|Course|Question|HowTo|VideoObject|WebPage)$")


def things(data):
    if isinstance(data, list):
        for item in data:
            yield from things(item)
    elif isinstance(data, dict):
        if "@graph" in data:
            yield from things(data["@graph"])
        else:
            yield data
            yield from things(data.get("mainEntity", []))


def is_main(thing):
    types = thing.get("@type", [])
    return any(ARTICLES.search(str(kind)) for kind in (types if isinstance(types, list) else [types]))


def words(value, known):
    if isinstance(value, list):
        return [word for item in value for word in words(item, known)]
    if isinstance(value, dict):
        if set(value) <= {"@id", "@type"}:
            value = known.get(value.get("@id"), value)
        return words(value.get("name", []), {})
    return [value] if isinstance(value, str) and value.strip() else []


def structured(html, url):
    import extruct

    try:
        return extruct.extract(html, base_url=url or "http://page/", syntaxes=["json-ld", "microdata", "opengraph", "rdfa"], uniform=True, errors="ignore")
    except Exception:
        return {}


def by_extruct(everything):
    found = {}
    for name, url, html, _ in everything:
        data = structured(html, url)
        all_things = [thing for kind in ("json-ld", "microdata") for thing in things(data.get(kind, []))]
        known = {thing.get("@id"): thing for thing in all_things if thing.get("@id")}
        main = sorted((thing for thing in all_things if is_main(thing)), key=lambda thing: "WebPage" in str(thing.get("@type")))
        graph = {key: value for item in data.get("opengraph", []) for key, value in item.items()}

        def first(*keys):
            for thing in main:
                for key in keys:
                    if values := words(thing.get(key, []), known):
                        return values
            return []

        title = first("headline", "name") or words(graph.get("og:title", []), {})
        date = first("datePublished", "uploadDate") or words(graph.get("article:published_time", []), {})
        author = first("author", "creator") or [value for value in words(graph.get("article:author", []), {}) if "://" not in value]
        found[name] = {"title": title[0] if title else None, "author": author, "date": date[0] if date else None}
    return found


def judge(kind, label, value):
    if kind == "author":
        given = names(value)
        return "missing" if not given else "right" if given == names(label) else "wrong"
    if not value:
        return "missing"
    if kind == "date":
        return "right" if any(str(value)[:10] == day[:10] for day in label) else "wrong"
    return "right" if any(fold(value) == fold(title) for title in label) else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=pathlib.Path)
    parser.add_argument("--unhusk", default="target/release/unhusk")
    parser.add_argument("--half", default="report", choices=("fit", "report", "all"))
    parser.add_argument("--errors", action="store_true", help="print what unhusk has wrong or misses")
    parser.add_argument("--only", action="store_true", help="score unhusk alone")
    arguments = parser.parse_args()
    everything = list(pages(arguments.pages, arguments.half))
    systems = {"unhusk": by_unhusk(arguments.unhusk, everything)}
    if not arguments.only:
        for name, system in (("trafilatura", by_trafilatura), ("extruct", by_extruct)):
            try:
                systems[name] = system(everything)
            except ImportError as error:
                print(f"{name} is not here: {error}", file=sys.stderr)
    print(f"{len(everything)} pages, hosts of the half: {arguments.half}\n")
    print(f"{'':8}{'':14}{'right':>8}{'wrong':>8}{'missing':>9}{'of':>6}")
    for kind in KINDS:
        for system, found in systems.items():
            counts = collections.Counter()
            for name, _, _, label in everything:
                if kind in label:
                    verdict = judge(kind, label[kind], found.get(name, {}).get(kind) or ([] if kind == "author" else None))
                    counts[verdict] += 1
                    if arguments.errors and system == "unhusk" and verdict != "right":
                        print(f"  {verdict} {name}: {found.get(name, {}).get(kind)!r} for {label[kind]!r}")
            total = sum(counts.values()) or 1
            print(f"{kind:8}{system:14}{counts['right'] / total:8.3f}{counts['wrong'] / total:8.3f}{counts['missing'] / total:9.3f}{total:6}")


if __name__ == "__main__":
    main()

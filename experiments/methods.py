#!/usr/bin/env python3
"""The methods from papers on the development sets: the tables of docs/methods/sandwich.md and docs/methods/cluster.md.

    UNHUSK_DATA=... experiments/methods.py [structured docs groups labelled] > tables.md

It needs a built program: `cargo build --release`, or $UNHUSK names one. `structured` and `docs` compare search, size and facts with
`none`; `groups` does so for `--group` of `sandwich`, on pages with the URLs they had; `labelled` scores the words that are kept.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("UNHUSK", ROOT / "target/release/unhusk")
UNITS = [f"sandwich --peer {peer} --unit {unit}" for peer in ("closest", "previous") for unit in ("line", "token")]
ARMS = os.environ.get("UNHUSK_ARMS", ",".join(["none", "table", "sandwich", *UNITS, "cluster", "auto"])).split(",")
GROUPS = ["none", *(f"sandwich --unit line --group {group}" for group in ("directory", "pattern", "host"))]
COLUMNS = ["with a peer", "by token", "postings", "HTML bytes", "index", "MAP", "P@10", "better / worse", "p", "facts lost"]


def run(*arguments):
    command = [str(word) for word in [PROGRAM, *arguments, "--format", "json", "--quiet"]]
    said = subprocess.run(command, capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"experiments/methods.py: {' '.join(command)} failed: {said.stderr}")
    return json.loads(said.stdout)


def sites(data, part):
    """Of the structured sites the first two of each kind are left out: they are for choosing thresholds."""
    seen = Counter()
    for site in sorted(site for site in (data / part).iterdir() if (site / "pages").is_dir()):
        kind = site.name.split("-")[0]
        seen[kind] += 1
        if part != "structured" or seen[kind] > 2:
            yield site


def compared(site, pages, arms):
    facts = ["--facts", site / "facts.tsv"] if (site / "facts.tsv").exists() else []
    files = ["--queries", site / "queries.tsv", "--qrels", site / "qrels.txt", *facts, "--language", "en"]
    return run("compare", pages, *files, "--strip", ",".join(arms), "-m", "MAP", "-m", "P@10")


class Sum:
    """An arm's figures over several sites."""

    def __init__(self):
        self.reports = []

    def add(self, report, at):
        self.reports.append((report, report["arms"][at], at))

    def total(self, value):
        return sum(value(report, arm) for report, arm, _ in self.reports)

    def finding(self, name):
        return self.total(lambda _, arm: arm["findings"].get(name, 0))

    def queries(self):
        """Average precision and P@10 of every query, as-is and in this arm."""
        for report, _, at in self.reports:
            for query in report["views"][0]["queries"]:
                answers = query["answers"]
                yield answers[0]["values"], answers[at]["values"]

    def cells(self):
        pages = self.total(lambda report, _: report["collection"]["pages"]["indexed"])
        share = lambda some, of: f"{100 * some / of:.1f} %" if of else ""
        less = lambda now, before: f"−{100 * (1 - now / before):.1f} %" if before else ""
        postings = lambda arm: arm["fields"]["body"]["postings"]
        before = self.total(lambda report, _: postings(report["arms"][0]))
        size = lambda arm: sum(arm["sizes"].values())
        size_before = self.total(lambda report, _: size(report["arms"][0]))
        pairs = list(self.queries())
        means = [sum(pair[1][n] for pair in pairs) / len(pairs) for n in (0, 1)]
        changes = [new[0] - old[0] for old, new in pairs if abs(new[0] - old[0]) > 1e-12]
        first = all(at == 0 for _, _, at in self.reports)
        facts = self.total(lambda report, _: (report["facts"] or {}).get("visible", 0))
        kept = self.total(lambda _, arm: (arm["facts"] or {}).get("kept", 0))
        tokens = self.finding("compared_by_token")
        return [
            share(self.finding("pages_with_peer"), pages) if self.finding("groups") else "",
            share(tokens, pages) if self.finding("groups") else "",
            "" if first else less(self.total(lambda _, arm: postings(arm)), before),
            less(self.finding("html_bytes_kept"), self.finding("html_bytes")),
            "" if first else less(self.total(lambda _, arm: size(arm)), size_before),
            *(f"{mean:.4f}" for mean in means),
            "" if first else f"{sum(c > 0 for c in changes)} / {sum(c < 0 for c in changes)}",
            "" if first else tell(wilcoxon(changes)),
            share(facts - kept, facts) if facts else "",
        ]


def wilcoxon(changes):
    """Two-sided p of the signed-rank test, by the normal approximation with ties."""
    from math import erfc, sqrt

    order = sorted(changes, key=abs)
    ranks, at, ties = [], 0, 0
    while at < len(order):
        end = at
        while end < len(order) and abs(abs(order[end]) - abs(order[at])) < 1e-12:
            end += 1
        ranks += [(at + end + 1) / 2] * (end - at)
        ties += (end - at) ** 3 - (end - at)
        at = end
    n = len(order)
    above = sum(rank for rank, change in zip(ranks, order) if change > 0)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    return erfc(abs(above - n * (n + 1) / 4) / sqrt(variance) / sqrt(2)) if variance else 1.0


def tell(p):
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def table(title, reports, arms):
    rows = [Sum() for _ in arms]
    for report in reports:
        for at, row in enumerate(rows):
            row.add(report, at)
    cells = [row.cells() for row in rows]
    shown = [n for n in range(len(COLUMNS)) if any(row[n] for row in cells)]
    queries = len(list(rows[0].queries()))
    print(f"\n{title}, {queries:,} queries:\n")
    print("| | " + " | ".join(COLUMNS[n] for n in shown) + " |")
    print("|---|" + "---|" * len(shown))
    for arm, row in zip(arms, cells):
        print(f"| `{arm}` | " + " | ".join(row[n] for n in shown) + " |")
    sys.stdout.flush()


def structured(data):
    reports = [compared(site, site / "pages", ARMS) for site in sites(data, "structured")]
    table(f"{len(reports)} structured sites", reports, ARMS)


def docs(data):
    for site in sites(data, "docs"):
        table(f"`{site.name}`", [compared(site, site / "pages", ARMS)], ARMS)


def groups(data):
    """Pages as JSON lines with the URLs in their `base` elements."""
    reports = []
    for site in sites(data, "structured"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pages.jsonl"
            with open(file, "w", encoding="utf-8") as out:
                for page in sorted((site / "pages").iterdir()):
                    html = page.read_bytes().decode("utf-8-sig", "replace")
                    url = re.search(r'<base href="([^"]*)"', html)
                    if url:
                        out.write(json.dumps({"id": page.name, "url": url.group(1), "html": html}) + "\n")
            reports.append(compared(site, file, GROUPS))
    table(f"{len(reports)} structured sites with their URLs", reports, GROUPS)


def labelled(data):
    rows = {arm: [] for arm in ARMS}
    for site in sites(data, "labelled"):
        answer = run("eval", "tokens", site / "pages", "--gold", site / "gold", "--strip", ",".join(ARMS))
        for arm, row in zip(ARMS, answer["methods"]):
            rows[arm].append(row["mean"])
    print(f"\n{len(rows[ARMS[0]])} labelled sites, words:\n")
    print("| | precision | recall | F1 |\n|---|---|---|---|")
    for arm, means in rows.items():
        mean = lambda key: sum(row[key] for row in means) / len(means)
        print(f"| `{arm}` | {mean('precision'):.3f} | {mean('recall'):.3f} | {mean('f1'):.3f} |")


def main():
    data = os.environ.get("UNHUSK_DATA")
    if not data:
        sys.exit("experiments/methods.py: UNHUSK_DATA names no folder with development sets")
    parts = {"structured": structured, "docs": docs, "groups": groups, "labelled": labelled}
    for part in sys.argv[1:] or parts:
        if part not in parts:
            sys.exit(__doc__)
        parts[part](Path(data))


if __name__ == "__main__":
    main()

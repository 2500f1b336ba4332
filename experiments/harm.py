#!/usr/bin/env python3
"""What methods do to each site of a set: the tables of docs/methods/auto.md.

    experiments/harm.py FOLDER... [--strip none,table,auto] [--language none]

A folder holds sites, each with `pages`, and with `queries.tsv` and `qrels.txt` (search; `facts.tsv` too where values must survive) or with
`gold` (the text of each page). The first method is what the others are compared to. A site is harmed when MAP falls by 0.005 or more
with p < 0.01 (Wilcoxon), title and text searched. The worst sites are named, since a mean hides them. It needs a built program:
`cargo build --release`, or $UNHUSK names one.
"""

import argparse
from pathlib import Path

from methods import run, wilcoxon

HARM, SURE = 0.005, 0.01


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--strip", default="none,table,auto")
    arguments.add_argument("--language", default="none")
    asked = arguments.parse_args()
    for folder in asked.folders:
        sites = sorted(site for site in folder.iterdir() if (site / "pages").is_dir())
        print(f"## {folder.name}, {len(sites)} sites\n")
        texts = [site for site in sites if (site / "gold").is_dir()]
        searched = [site for site in sites if (site / "queries.tsv").exists()]
        if searched:
            print_search(searched, asked)
        if texts:
            print_texts(texts, asked)


def print_search(sites, asked):
    methods = asked.strip.split(",")
    reports = [(site.name, compared(site, asked)) for site in sites]
    print("| method | better / worse | mean change of MAP | postings saved | facts not in the content | facts lost | harmed |")
    print("|---|--:|--:|--:|--:|--:|---|")
    for at, method in enumerate(methods[1:], 1):
        rows = [(name, changes(report, at), report) for name, report in reports]
        better = sum(change > 0 for _, site, _ in rows for change in site)
        worse = sum(change < 0 for _, site, _ in rows for change in site)
        mean = sum(sum(site) / len(site) for _, site, _ in rows) / len(rows)
        saved = sum(1 - postings(report, at) / postings(report, 0) for *_, report in rows) / len(rows)
        harmed = [(sum(site) / len(site), name) for name, site, _ in rows if is_harmed(site)]
        harmed = ", ".join(f"{name} {change:+.4f}" for change, name in sorted(harmed)) or "none"
        aside, lost = (facts(rows, at, kept) for kept in ("kept", "kept_anywhere"))
        print(f"| {method} | {better} / {worse} | {mean:+.4f} | {saved:.1%} | {aside} | {lost} | {harmed} |")
    print()


def compared(site, asked):
    facts = ["--facts", site / "facts.tsv"] if (site / "facts.tsv").exists() else []
    files = ["--queries", site / "queries.tsv", "--qrels", site / "qrels.txt", *facts]
    return run("compare", site / "pages", *files, "--strip", asked.strip, "--language", asked.language, "-m", "MAP")


def changes(report, at):
    """How the first measure changes, query by query."""
    answers = (query["answers"] for query in report["views"][0]["queries"])
    return [answer[at]["values"][0] - answer[0]["values"][0] for answer in answers]


def is_harmed(site):
    different = [change for change in site if abs(change) > 1e-12]
    return sum(site) / len(site) <= -HARM and wilcoxon(different) < SURE


def postings(report, at):
    return sum(field["postings"] for name, field in report["arms"][at]["fields"].items() if name != "title")


def facts(rows, at, kept):
    """How many facts are not kept, of how many, and on which site the largest share."""
    sites = [(report["facts"]["visible"], report["arms"][at]["facts"][kept], name) for name, _, report in rows if report["facts"]]
    if not sites:
        return ""
    missing, visible = sum(all_ - has for all_, has, _ in sites), sum(all_ for all_, *_ in sites)
    worst, name = max(((all_ - has) / all_ if all_ else 0, name) for all_, has, name in sites)
    return f"{missing} of {visible}" + (f", {name} {worst:.1%}" if missing else "")


def print_texts(sites, asked):
    options = ["--strip", asked.strip]
    scores = [(site.name, run("eval", "tokens", site / "pages", "--gold", site / "gold", *options)) for site in sites]
    print("| method | precision | recall | F1 | worst site |\n|---|--:|--:|--:|---|")
    for at, method in enumerate(asked.strip.split(",")):
        means = [(score["methods"][at]["mean"], name) for name, score in scores]
        mean = {of: sum(means_[of] for means_, _ in means) / len(means) for of in ("precision", "recall", "f1")}
        worst, name = min((means_["f1"], name) for means_, name in means)
        print(f"| {method} | {mean['precision']:.3f} | {mean['recall']:.3f} | {mean['f1']:.3f} | {name} {worst:.3f} |")
    print()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Fits the trees by which `auto` tells content from what stands beside it (crates/strip/src/strip/auto/blocks.trees).

    cargo build --release --example blocks
    python3 -m venv fit && fit/bin/pip install -r experiments/fit/requirements.txt
    UNHUSK_DATA=DIR fit/bin/python experiments/fit/fit.py [--out FILE]

DIR has the folders `labelled`, `structured` and `docs` (docs/rivals.md). Whole kinds of sites are left out in turn and judged by trees that were
fitted on the others; what comes of it is printed, the worst site beside the mean. With --out, trees fitted on all sites are written.

What a block is, is known in three ways. Labelled sites: most of its runs of three words are in the text a person cut out. Structured sites:
it holds a fact, so it is content; it is in a list of links and holds none, so it is not; of the rest nothing is known. Manuals: what is inside of
an element that the tool which made them uses for navigation is not content.
"""

import argparse
import collections
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import lightgbm
import numpy

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = ROOT / "target/release/examples/blocks"
WORD = re.compile(r"[\u2e80-\uffff]|[^\W_]+")
NAVIGATION = re.compile(
    r"(^| )(nav|footer|header)#|sphinxsidebar|docs-sidebar|bd-sidebar|bd-toc|toc-item|wy-nav-side|wy-side|table-of-contents|t-navbar|nav_table"
    r"|navheader|navfooter|three\.columns|#sidebar\.|div#(hd|ft)\.|related|DEBUG|navigation|breadcrumb|#\.header|div#nav|headertitle|navpath",
    re.I,
)
TOOLS = {
    "sphinx": ["django", "keystone", "numba", "groonga-ja", "cmake", "scipy"],
    "texinfo": ["octave", "lily-notation"],
    "docbook": ["postgresql", "gimp", "slony"],
}
# Of a site's weight, what blocks that are content and blocks that are not have together. Structured sites say little about the latter.
WEIGHTS = {"labelled": None, "structured": (0.15, 0.5), "docs": (0.25, 0.5)}
PARAMETERS = dict(
    objective="binary", num_leaves=8, learning_rate=0.08, min_data_in_leaf=200, min_sum_hessian_in_leaf=0.005, feature_fraction=0.6,
    bagging_fraction=0.7, bagging_freq=1, lambda_l2=0.05, max_bin=63, seed=1, deterministic=True, num_threads=1, verbose=-1,
)
TREES = 120
MOST_BLOCKS = 4000
# As in site.rs.
ARTICLE, BOUND = (0.78, 0.85), (0.2, 0.5)


class Site:
    def __init__(self, part, folder):
        self.part, self.name, self.folder = part, folder.name, folder
        said = subprocess.run([BLOCKS, folder / "pages"], capture_output=True, text=True, check=True).stdout.splitlines()
        head = said[0].split("\t")
        rows = [row for row in (line.split("\t") for line in said[1:]) if len(row) == len(head)]
        self.names = head[4:-2]
        self.pages = [row[0] for row in rows]
        self.words = numpy.array([float(row[2]) for row in rows])
        self.numbers = numpy.array([[float(value) for value in row[4:-2]] for row in rows], dtype=numpy.float32)
        self.paths, self.texts = [row[-2] for row in rows], [row[-1] for row in rows]
        self.known = getattr(self, part)()

    def kind(self):
        """What is left out together: a kind of records, a language or a source, the tool that made a manual."""
        if self.part == "docs":
            return next((tool for tool, names in TOOLS.items() if self.name in names), self.name)
        return self.part + ("portal" if self.name.endswith("portal") else self.name.split("-")[0])

    def labelled(self):
        gold = {}
        for file in (self.folder / "gold").iterdir():
            text = html.unescape(re.sub(r"<[^>]*>", "\n", file.read_text(errors="replace")))
            lines = [WORD.findall(line.lower()) for line in text.split("\n")]
            words = [word for line in lines for word in line]
            gold[file.stem] = set(zip(words, words[1:], words[2:])) | {tuple(line) for line in lines if 0 < len(line) < 3}
        known = []
        for page, text in zip(self.pages, self.texts):
            words = WORD.findall(text.lower())
            runs = list(zip(words, words[1:], words[2:])) or [tuple(words)]
            runs_of = gold.get(Path(page).stem)
            known.append(-1 if runs_of is None else int(2 * sum(run in runs_of for run in runs) >= len(runs)))
        return numpy.array(known)

    def structured(self):
        self.facts = collections.defaultdict(list)
        for line in open(self.folder / "facts.tsv", encoding="utf-8"):
            page, _, value = line.rstrip("\n").split("\t")
            self.facts[page].append(folded(value))
        listing, links = self.numbers[:, self.names.index("listing")], self.numbers[:, self.names.index("link_share")]
        is_list = (listing >= 1.3) & (links > 0.3)
        has_fact = [any(fact in folded(text) for fact in self.facts[page]) for page, text in zip(self.pages, self.texts)]
        return numpy.where(has_fact, 1, numpy.where(is_list, 0, -1))

    def docs(self):
        return numpy.array([0 if NAVIGATION.search(path) else 1 for path in self.paths])

    def weights(self):
        """A site counts as much as another of its part, whatever its size."""
        weights = numpy.sqrt(numpy.minimum(self.words, 200)) * (self.known >= 0)
        if WEIGHTS[self.part] is None:
            return weights / max(weights.sum(), 1)
        for of, share in enumerate(WEIGHTS[self.part]):
            these = self.known == of
            weights[these] *= share / max(weights[these].sum(), 1e-9)
        return weights

    def kept(self, sure):
        article = self.numbers[0, self.names.index("site_article")]
        along = numpy.clip((article - ARTICLE[0]) / (ARTICLE[1] - ARTICLE[0]), 0, 1)
        written = numpy.array(["textarea#" in path for path in self.paths])
        return (sure >= BOUND[0] + along * (BOUND[1] - BOUND[0])) & ~written


def folded(text):
    return " ".join(text.split()).lower()


def fit(sites):
    chance = numpy.random.default_rng(1)
    numbers, known, weights = [], [], []
    for site in sites:
        some = numpy.flatnonzero(site.known >= 0)
        weight = site.weights()[some]
        if len(some) > MOST_BLOCKS:
            drawn = chance.choice(len(some), MOST_BLOCKS, replace=False)
            some, weight = some[drawn], weight[drawn] * len(some) / MOST_BLOCKS
        numbers.append(site.numbers[some])
        known.append(site.known[some])
        weights.append(1000 * weight)
    data = lightgbm.Dataset(numpy.concatenate(numbers), numpy.concatenate(known), weight=numpy.concatenate(weights))
    return lightgbm.train(PARAMETERS, data, TREES)


def by_page(site):
    pages = collections.defaultdict(list)
    for number, page in enumerate(site.pages):
        pages[page].append(number)
    return pages.items()


def f1(site, kept):
    scores = []
    for _, blocks in by_page(site):
        content = sum(site.words[n] for n in blocks if site.known[n] == 1)
        if content:
            both = sum(site.words[n] for n in blocks if kept[n] and site.known[n] == 1)
            all_kept = sum(site.words[n] for n in blocks if kept[n])
            scores.append(2 * both / (content + all_kept))
    return numpy.mean(scores)


def facts_aside(site, kept):
    aside = total = 0
    for page, blocks in by_page(site):
        texts = [folded(site.texts[n]) for n in blocks]
        left = [text for text, n in zip(texts, blocks) if kept[n]]
        there = [fact for fact in site.facts[page] if any(fact in text for text in texts)]
        total += len(there)
        aside += sum(not any(fact in text for text in left) for fact in there)
    return aside / max(total, 1)


def content_aside(site, kept):
    content = site.words[site.known == 1].sum()
    return site.words[(site.known == 1) & ~kept].sum() / max(content, 1)


def leave_out(sites):
    measured = collections.defaultdict(list)
    measure = {"labelled": f1, "structured": facts_aside, "docs": content_aside}
    for kind in sorted({site.kind() for site in sites}):
        trees = fit([site for site in sites if site.kind() != kind])
        for site in (site for site in sites if site.kind() == kind):
            value = measure[site.part](site, site.kept(trees.predict(site.numbers, num_threads=1)))
            measured[site.part].append((value, kind, site.name))
    for part, name in (("labelled", "F1"), ("structured", "facts aside"), ("docs", "content aside")):
        values = sorted(measured[part], reverse=part != "labelled")
        print(f"{part}: {name} {numpy.mean([value for value, *_ in values]):.4f}; worst", *(f"{n} {v:.4f}" for v, _, n in values[:5]), sep="  ")


def write(trees, names, file):
    def node(found):
        if "leaf_value" in found:
            return f"{found['leaf_value']:.5f}"
        children = node(found["left_child"]), node(found["right_child"])
        return " ".join([f"{names[found['split_feature']]}:{found['threshold']:.6g}", *children])

    lines = [node(tree["tree_structure"]) for tree in trees.dump_model()["tree_info"]]
    Path(file).write_text("# Made by experiments/fit; not to be edited.\n" + "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    arguments = parser.parse_args()
    data = Path(os.environ.get("UNHUSK_DATA") or sys.exit("fit.py: UNHUSK_DATA names no folder with development sets"))
    parts = [(part, folder) for part in WEIGHTS for folder in sorted((data / part).glob("*")) if (folder / "pages").is_dir()]
    sites = [Site(part, folder) for part, folder in parts]
    leave_out(sites)
    if arguments.out:
        write(fit(sites), sites[0].names, arguments.out)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""scrapely and autoscraper on the structured sites, with the labelled pages and the measure of `wrappers curve`.

    python3 -m venv VENV && VENV/bin/pip install autoscraper
    VENV/bin/pip install scrapely            # needs setuptools < 60 and a C compiler
    VENV/bin/python experiments/wrappers/rivals.py autoscraper STRUCTURED ORDER [SITE...]

ORDER is a file with a line `site<TAB>id id id ...`: the labelled pages first, as `wrappers order STRUCTURED` prints them.
A page's value is right when it is one of the true ones, white space and case folded; mean F1 over sites and attributes.
"""
import collections
import html
import pathlib
import sys
import time

fold = lambda text: " ".join(html.unescape(text).split()).lower()


def facts(path):
    out = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in path.read_text(encoding="utf-8").splitlines():
        page, attribute, value = line.split("\t")
        out[page][attribute].append(value)
    return out


class Auto:
    """autoscraper: rules by alias; the first value of an alias is the page's."""

    def __init__(self):
        from autoscraper import AutoScraper

        self.scraper = AutoScraper()

    def train(self, page, record):
        self.scraper.build(html=page, wanted_dict={name: values[:1] for name, values in record.items()}, update=True)

    def apply(self, page):
        return self.scraper.get_result_exact(html=page, group_by_alias=True) or {}


class Scrapely:
    def __init__(self):
        from scrapely import Scraper

        self.scraper = Scraper()

    def train(self, page, record):
        from scrapely.htmlpage import HtmlPage

        try:
            self.scraper.train_from_htmlpage(HtmlPage(body=page), {name: values[0] for name, values in record.items()})
        except Exception:  # a value that it cannot place: without it
            for name, values in record.items():
                try:
                    self.scraper.train_from_htmlpage(HtmlPage(body=page), {name: values[0]})
                except Exception:
                    pass

    def apply(self, page):
        from scrapely.htmlpage import HtmlPage

        found = self.scraper.scrape_page(HtmlPage(body=page))
        return found[0] if found else {}


def main():
    tool, folder, order_file, *only = sys.argv[1:]
    order = dict(line.split("\t") for line in pathlib.Path(order_file).read_text().splitlines())
    most = 40  # pages that are tested a site
    totals = collections.defaultdict(list)
    seconds, pages_done = 0.0, 0
    for site in sorted(order):
        if only and site not in only:
            continue
        truth = facts(pathlib.Path(folder) / site / "facts.tsv")
        ids = order[site].split()
        read = lambda page: (pathlib.Path(folder) / site / "pages" / page).read_text(encoding="utf-8-sig", errors="replace")
        names = sorted({name for record in truth.values() for name in record})
        for k in (1, 3, 10):
            rival = {"autoscraper": Auto, "scrapely": Scrapely}[tool]()
            for page in ids[:k]:
                if truth.get(page):
                    rival.train(read(page), truth[page])
            counts = {name: [0, 0, 0] for name in names}
            for page in ids[10 : 10 + most]:
                text = read(page)
                start = time.perf_counter()
                try:
                    found = rival.apply(text)
                except Exception:
                    found = {}
                seconds += time.perf_counter() - start
                pages_done += 1
                for name in names:
                    got = [fold(value) for value in found.get(name, [])][:1]
                    true = [fold(value) for value in truth[page].get(name, [])]
                    right = bool(got) and got[0] in true
                    counts[name][0] += right
                    counts[name][1] += bool(got) and not right
                    counts[name][2] += bool(true) and not right
            for right, wrong, missed in counts.values():
                totals[k].append(2 * right / (2 * right + wrong + missed) if right else 0.0)
        print(site, {k: round(sum(v) / len(v), 3) for k, v in totals.items()}, flush=True)
    for k, scores in totals.items():
        print(f"{tool} k={k} mean F1 {sum(scores) / len(scores):.4f} over {len(scores)}")
    print(f"{tool} {pages_done / seconds:.1f} pages a second")


main()

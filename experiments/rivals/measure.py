"""Holds unhusk's methods against the tools people use, on the same pages.

Usage: UNHUSK_DATA=DIR measure.py [--methods none,table,…] [--parts labelled,structured,docs,speed] [--cache DIR]

Writes docs/results/rivals.md and docs/results/rivals.json: figures only, no text of any page. A part that is not measured
keeps the figures it had. docs/rivals.md says what is measured and how.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import page
import tools

ROOT = tools.HERE.parent.parent
RESULT = ROOT / "docs/results/rivals"
PARTS = ["labelled", "structured", "docs", "speed"]
RIVALS = [*tools.TOOLS, *tools.PROGRAMS]

# What the speed is measured on and against: a few sites of each set, and the rivals that are fast or much used.
SPEED_SITES = [
    "structured/auto-cars",
    "structured/book-borders",
    "structured/movie-boxofficemojo",
    "structured/university-ecampustours",
    "labelled/chinese-finance.ifeng.com",
    "labelled/english-www.bbc.co.uk",
    "labelled/greek-www.express.gr",
    "docs/lily-notation",
]
SPEED_RIVALS = ["trafilatura", "resiliparse", "dom_smoothie"]
SPEED_ROUNDS = 3


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class Experiment:
    def __init__(self, options):
        self.data = Path(options.data)
        self.cache = Path(options.cache)
        self.unhusk = options.unhusk
        self.absent = {}
        self.methods = [method for method in options.methods.split(",") if self.knows(method)]
        self.versions = {}
        self.rivals = [rival for rival in RIVALS if self.has(rival)]

    def knows(self, method):
        said = subprocess.run(
            [self.unhusk, "strip", ROOT / "tests/fixtures/site", "--strip", *method.split(), "-q"], capture_output=True, text=True
        )
        if said.returncode != 0:
            self.absent[method] = (said.stderr.splitlines() or ["unhusk failed"])[0].removeprefix("error: ")
        return said.returncode == 0

    def has(self, rival):
        try:
            self.versions[rival] = tools.build(rival)[1] if rival in tools.PROGRAMS else tools.TOOLS[rival]("")[0]
        except tools.Absent as absent:
            self.absent[rival] = str(absent)
        return rival in self.versions

    def sites(self, part):
        folder = self.data / part
        if not folder.is_dir():
            say(f"skipped: {folder} is not there")
            return []
        names = sorted(site.name for site in folder.iterdir() if (site / "pages").is_dir())
        if part != "structured":
            return names
        # The first two of each kind are for choosing thresholds; they are not reported.
        seen = Counter()
        reported = []
        for name in names:
            kind = name.split("-")[0]
            seen[kind] += 1
            if seen[kind] > 2:
                reported.append(name)
        return reported

    def texts(self, site):
        """The file with a rival's texts for each rival, made where it is not in the cache, and what it cost."""
        files, costs = {}, {}
        for rival in self.rivals:
            file = self.cache / site / f"{rival}.jsonl"
            cost = file.with_suffix(".cost")
            if not cost.exists() or json.loads(cost.read_text())["version"] != self.versions[rival]:
                say(f"{rival}: {site}")
                extract(rival, self.data / site, file)
            files[rival] = file
            costs[rival] = json.loads(cost.read_text())
        return files, costs

    def arms(self, site):
        files, costs = self.texts(site)
        names = [*self.methods, *files]
        strip = ",".join([*self.methods, *(f"given --texts {file}" for file in files.values())])
        return names, strip, costs

    def run(self, *args):
        said = subprocess.run([self.unhusk, *args, "--format", "json", "-q"], capture_output=True, text=True)
        if said.returncode != 0:
            sys.exit(f"unhusk {args[0]} failed: {said.stderr}")
        return json.loads(said.stdout)

    def labelled(self):
        for site in self.sites("labelled"):
            say(f"labelled/{site}")
            folder = self.data / "labelled" / site
            names, strip, costs = self.arms(f"labelled/{site}")
            answer = self.run("eval", "tokens", folder / "pages", "--gold", folder / "gold", "--strip", strip)
            scores = {name: row["mean"] for name, row in zip(names, answer["methods"])}
            yield {"site": site, "pages": answer["scored"], "arms": scores, "costs": costs_of(costs)}

    def compared(self, part):
        for site in self.sites(part):
            say(f"{part}/{site}")
            folder = self.data / part / site
            names, strip, costs = self.arms(f"{part}/{site}")
            facts = ["--facts", folder / "facts.tsv"] if (folder / "facts.tsv").exists() else []
            files = ["--queries", folder / "queries.tsv", "--qrels", folder / "qrels.txt", *facts]
            report = self.run("compare", folder / "pages", *files, "--strip", strip, "--language", "en", "-m", "MAP")
            arms = {name: arm(report, at) for at, name in enumerate(names)}
            pages = report["collection"]["pages"]["indexed"]
            yield {"site": site, "pages": pages, "arms": arms, "costs": costs_of(costs)}

    def speed(self):
        """CPU seconds on the same pages, in turn, so that what else the machine does hits all alike; the best of the rounds."""
        for site in SPEED_SITES:
            folder = self.data / site
            if not folder.is_dir():
                say(f"skipped: {folder} is not there")
                continue
            say(f"speed on {site}")
            rivals = [rival for rival in self.rivals if rival in SPEED_RIVALS]
            rounds = {name: [] for name in rivals}
            whole = {name: [] for name in self.methods}
            masks = [{} for _ in range(SPEED_ROUNDS)]
            size = [path.stat().st_size for path in (folder / "pages").rglob("*") if path.is_file()]
            for number in range(SPEED_ROUNDS):
                masks[number] = mask_seconds(folder / "pages")
                for method in self.methods:
                    whole[method].append(self.strip_seconds(folder / "pages", method))
                for rival in rivals:
                    with tempfile.TemporaryDirectory() as temporary:
                        file = Path(temporary) / "texts.jsonl"
                        extract(rival, folder, file)
                        rounds[rival].append(json.loads(file.with_suffix(".cost").read_text())["seconds"])
            for method in masks[0]:
                rounds[method] = [seconds[method] for seconds in masks]
            best = lambda rounds: {name: min(seconds) for name, seconds in rounds.items()}
            yield {"site": site, "pages": len(size), "bytes": sum(size), "seconds": best(rounds), "strip": best(whole)}

    def strip_seconds(self, pages, method):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [self.unhusk, "strip", pages, "--strip", *method.split(), "--threads", "1", "-q"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def mask_seconds(pages):
    """What the benchmark `mask` says, a round of each method it knows."""
    environment = os.environ | {"UNHUSK_BENCH_COLLECTION": str(pages), "UNHUSK_BENCH_ROUNDS": "1"}
    command = ["cargo", "bench", "--quiet", "--bench", "mask", "--manifest-path", ROOT / "Cargo.toml"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"the benchmark mask failed: {said.stderr[-2000:]}")
    lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    return {line["method"]: line["seconds"] for line in lines}


def extract(rival, site, file):
    # Rivals log what they think of a page; that is shown only where one failed altogether.
    said = subprocess.run([sys.executable, tools.HERE / "extract.py", rival, site, file], capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"{rival} failed on {site}: {said.stderr[-2000:]}")


def costs_of(costs):
    """Without the names of pages."""
    return {rival: {**cost, "failed": len(cost["failed"])} for rival, cost in costs.items()}


def arm(report, at):
    """What one arm comes to, beside the first."""
    found = report["arms"][at]
    figures = {"postings": found["fields"]["body"]["postings"], "text_bytes": found["kept_bytes"]}
    if report["facts"] is not None:
        figures["facts"] = report["facts"]["visible"]
        figures["facts_lost"] = report["facts"]["visible"] - found["facts"]["kept"]
    for view, name in zip(report["views"], ["title_and_body", "body"]):
        figures[name] = {"map": view["means"][at][0]}
        if at > 0:
            both = (report["arms"][0]["name"], found["name"])
            (pair,) = (pair for pair in view["pairs"] if (pair["first"], pair["second"]) == both)
            (every,) = (group for group in pair["groups"] if group["name"] == "all")
            difference = every["differences"][0]
            figures[name] |= {key: difference[key] for key in ["better", "worse", "mean"]}
            figures[name]["p"] = difference["wilcoxon"]["p"]
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("UNHUSK_DATA"), help="the folder with the sets [default: $UNHUSK_DATA]")
    parser.add_argument("--methods", default="none,table,sandwich,cluster,auto", help="unhusk's methods; the first must be none")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--unhusk", default=ROOT / "target/release/unhusk", help="the program")
    parser.add_argument("--cache", default=ROOT / "target/rivals", help="where the rivals' texts are kept")
    options = parser.parse_args()
    if not options.data:
        sys.exit("name the folder with the sets: UNHUSK_DATA=DIR")
    if options.methods.split(",")[0] != "none":
        sys.exit("the first method must be none: it is what the others are compared to")
    experiment = Experiment(options)
    for name, why in experiment.absent.items():
        say(f"absent: {name}: {why}")
    file = RESULT.with_suffix(".json")
    results = json.loads(file.read_text()) if file.exists() else {}
    results |= {"methods": experiment.methods, "rivals": experiment.versions, "absent": experiment.absent}
    measured = {"labelled": experiment.labelled, "speed": experiment.speed}
    for part in options.parts.split(","):
        found = []
        for site in measured.get(part, lambda part=part: experiment.compared(part))():
            found.append(site)
            # After each site, so that what was measured stays whatever comes after.
            results[part] = found
            file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            RESULT.with_suffix(".md").write_text(page.markdown(results))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Clusters of pages whose template is known: the tables of docs/methods/cluster.md, and figures.

    UNHUSK_DATA=... experiments/clusters.py tables > tables.md
    cargo bench --bench clusters > clusters.tsv
    experiments/clusters.py figures clusters.tsv docs/results/clusters.svg

`tables` mixes pages of the sites in $UNHUSK_DATA/structured, a site being a template: D1 is 10 sites with 3 pages each, D2
is 20 with 10, D3 is 9 with 10 to 50. It needs a built program: `cargo build --release`, or $UNHUSK names one. $UNHUSK_SEEDS,
$UNHUSK_WAYS and $UNHUSK_LEAVE_OUT (sites) may be given, with commas between.
`figures` draws seconds and cost by the number of pages and by the length of signatures.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("UNHUSK", ROOT / "target/release/unhusk")
SEEDS = [int(seed) for seed in os.environ.get("UNHUSK_SEEDS", "1,2,3,4,5").split(",")]
KINDS = {"D1": (10, lambda rng: 3), "D2": (20, lambda rng: 10), "D3": (9, lambda rng: rng.randint(10, 50))}
WAYS = os.environ.get("UNHUSK_WAYS", "mdl,hash,max,rtdm")
NAMES = {"mdl": "TEXT-MDL", "hash": "TEXT-HASH", "max": "TEXT-MAX", "rtdm": "RTDM", "sampled": "sample of 3,000, TEXT-MAX"}


def mix(sites, kind, seed, out):
    """Copies pages of several sites into one folder, and writes down which came from where."""
    rng = random.Random(seed)
    number, pages_of = KINDS[kind]
    (out / "pages").mkdir(parents=True)
    with open(out / "truth.tsv", "w", encoding="utf-8") as truth:
        for site in rng.sample(sites, number):
            pages = sorted(page.name for page in (site / "pages").iterdir())
            for page in rng.sample(pages, pages_of(rng)):
                shutil.copy(site / "pages" / page, out / "pages" / f"{site.name}-{page}")
                truth.write(f"{site.name}-{page}\t{site.name}\n")


def evaluate(folder, seed, more=()):
    command = [PROGRAM, "eval", "clusters", folder / "pages", "--truth", folder / "truth.tsv", "--no-dedup", "--quiet"]
    command += ["--threads", "1", "--format", "json", "--cluster-with", WAYS, "--cluster-seed", str(seed), *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tables():
    data = os.environ.get("UNHUSK_DATA")
    if not data:
        sys.exit("experiments/clusters.py: UNHUSK_DATA names no folder with development sets")
    left_out = os.environ.get("UNHUSK_LEAVE_OUT", "").split(",")
    sites = sorted(site for site in (Path(data) / "structured").iterdir() if (site / "pages").is_dir())
    sites = [site for site in sites if site.name not in left_out]
    print("| pages | way | clusters | precision | recall | worst recall | Rand | cost, estimated | true | seconds |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for kind in KINDS:
        rows = {}
        for seed in SEEDS:
            with tempfile.TemporaryDirectory() as folder:
                mix(sites, kind, seed, Path(folder))
                for row in evaluate(Path(folder), seed)["ways"]:
                    rows.setdefault(row["way"], []).append(row)
        for way, found in rows.items():
            mean = lambda key: sum(row[key] or 0 for row in found) / len(found)
            estimated = f"{mean('cost_estimated'):,.0f}" if found[0]["cost_estimated"] is not None else ""
            cells = [kind, NAMES[way], f"{mean('clusters'):.1f}", f"{mean('precision'):.3f}", f"{mean('recall'):.3f}"]
            cells += [f"{min(row['recall'] for row in found):.3f}", f"{mean('adjusted_rand'):.3f}", estimated]
            cells += [f"{mean('cost'):,.0f}", f"{mean('seconds'):.3f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


# Figures

COLOURS = {"mdl": "#b3541e", "hash": "#3f7cac", "max": "#2f7d4f", "sampled": "#7a5195"}
DASHES = {"estimated": "5 3"}
WIDTH, HEIGHT, LEFT, TOP = 400, 240, 60, 30


class Panel:
    """One figure: lines of points on axes whose scale may be logarithmic."""

    def __init__(self, title, x_name, y_name, log_x=True, log_y=True):
        self.title, self.x_name, self.y_name, self.log_x, self.log_y = title, x_name, y_name, log_x, log_y
        self.lines = []

    def line(self, name, colour, points, dash=None):
        points = sorted(point for point in points if point[0] > 0 and point[1] > 0)
        if points:
            self.lines.append((name, colour, points, dash))

    def draw(self, left, top):
        xs = [x for line in self.lines for x, _ in line[2]]
        ys = [y for line in self.lines for _, y in line[2]]
        x_of, x_ticks = scale(min(xs), max(xs), self.log_x)
        y_of, y_ticks = scale(min(ys), max(ys), self.log_y)
        px = lambda x: left + LEFT + x_of(x) * WIDTH
        py = lambda y: top + TOP + (1 - y_of(y)) * HEIGHT
        out = [f'<text class="title" x="{left + LEFT}" y="{top + 16}">{self.title}</text>']
        for x in x_ticks:
            out.append(f'<path class="grid" d="M{px(x):.1f} {top + TOP}v{HEIGHT}"/>')
            out.append(f'<text x="{px(x):.1f}" y="{top + TOP + HEIGHT + 16}" text-anchor="middle">{short(x)}</text>')
        for y in y_ticks:
            out.append(f'<path class="grid" d="M{left + LEFT} {py(y):.1f}h{WIDTH}"/>')
            out.append(f'<text x="{left + LEFT - 6}" y="{py(y) + 4:.1f}" text-anchor="end">{short(y)}</text>')
        middle = left + LEFT + WIDTH / 2
        out.append(f'<text x="{middle}" y="{top + TOP + HEIGHT + 34}" text-anchor="middle">{self.x_name}</text>')
        out.append(f'<text transform="translate({left + 12} {top + TOP + HEIGHT / 2}) rotate(-90)" text-anchor="middle">{self.y_name}</text>')
        for number, (name, colour, points, dash) in enumerate(self.lines):
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            path = "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in points)
            out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
            out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"><title>{name}: {x:g}, {y:g}</title></circle>' for x, y in points]
            at = top + TOP + HEIGHT + 54 + 15 * number
            out.append(f'<path d="M{left + LEFT} {at - 4}h24" stroke="{colour}" stroke-width="2"{dashes}/>')
            out.append(f'<text x="{left + LEFT + 30}" y="{at}">{name}</text>')
        return "\n".join(out)


def scale(low, high, logarithmic):
    if logarithmic:
        low, high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        high = max(high, low + 1)
        return (lambda v: (math.log10(v) - low) / (high - low)), [10.0**e for e in range(low, high + 1)]
    step = 10 ** math.floor(math.log10(high / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if high / (step * factor) <= 6)
    top = math.ceil(high / step) * step
    return (lambda v: v / top), [step * n for n in range(round(top / step) + 1)]


def short(value):
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


def figures(source, target):
    lines = Path(source).read_text(encoding="utf-8").splitlines()
    head = lines[0].split("\t")
    rows = [dict(zip(head, line.split("\t"))) for line in lines[1:]]
    number = lambda row, key: float(row[key])
    by_pages = [row for row in rows if row["signature"] == "50"]
    lengths = {row["signature"] for row in rows}
    fixed = max((row["pages"] for row in rows if row["signature"] != "50"), default="0", key=int)
    by_length = [row for row in rows if row["pages"] == fixed and row["way"] in ("hash", "max")] if len(lengths) > 1 else []
    panels = [
        Panel("Time by number of pages", "pages", "seconds"),
        Panel("Cost by number of pages", "pages", "cost"),
        Panel(f"Time by length of signature, {int(fixed):,} pages", "entries", "seconds", log_x=False, log_y=False),
        Panel(f"Cost by length of signature, {int(fixed):,} pages", "entries", "cost", log_x=False, log_y=False),
    ]
    for way, colour in COLOURS.items():
        ours = [row for row in by_pages if row["way"] == way]
        name = NAMES[way]
        seconds = "whole_seconds" if way == "sampled" else "seconds"
        panels[0].line(name + (", all from the spool to the templates" if way == "sampled" else ""), colour, {(number(r, "pages"), number(r, seconds)) for r in ours})
        if way != "sampled":
            panels[1].line(name, colour, {(number(r, "pages"), number(r, "cost")) for r in ours})
        ours = {row["signature"]: row for row in by_length if row["way"] == way}.values()
        panels[2].line(name, colour, {(number(r, "signature"), number(r, "seconds")) for r in ours})
        panels[3].line(name + ", true", colour, {(number(r, "signature"), number(r, "cost")) for r in ours})
        panels[3].line(name + ", estimated", colour, {(number(r, "signature"), number(r, "cost_estimated")) for r in ours}, DASHES["estimated"])
    step_x, step_y = LEFT + WIDTH + 40, TOP + HEIGHT + 130
    drawn = [panel.draw(20 + step_x * (at % 2), 10 + step_y * (at // 2)) for at, panel in enumerate(panels) if panel.lines]
    width, height = 20 + 2 * step_x, 10 + 2 * step_y
    style = "text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd;fill:none}"
    Path(target).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>Seconds and cost of TEXT-MDL, TEXT-HASH and TEXT-MAX by number of pages and length of signature</title>"
        f'<style>{style}</style><rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(drawn) + "\n</svg>\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["tables"]:
        tables()
    elif sys.argv[1:2] == ["figures"] and len(sys.argv) == 4:
        figures(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)

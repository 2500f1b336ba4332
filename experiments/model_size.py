"""How models grow with the pages they are learned from: Heaps' law on chunks, and what a page adds to a sample.

    python3 experiments/model_size.py --unhusk target/release/unhusk FOLDER... [--generate 8000] [--json FILE]

For each folder of pages, and for a generated site, models are learned from random halves, quarters, … of the pages. Of `table` the number of
distinct chunks V is fitted as V = K n^b over the number of pages n; of `auto`, whose sample is bounded, the bytes of a sampled page are
given. The last columns say what the fit foretells, with all pages of one site (b as measured) and with every site its own.
"""

import argparse
import json
import math
import os
import random
import subprocess
import tempfile


def learn(unhusk, collection, method, folder):
    out = os.path.join(folder, "model")
    command = [unhusk, "model", "learn", collection, "--out", out, "--force", "--strip", method, "--format", "json", "-q"]
    head = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return head["pages"], head["entries"], os.path.getsize(out)


def pages_of(folder):
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    return sorted(path for path in found if path.endswith((".html", ".htm")))


def parts_of(folder, rng):
    """Folders of links to a random part of the pages, each half as large as the one before."""
    pages = pages_of(folder)
    rng.shuffle(pages)
    count = len(pages)
    while count >= 50 or count == len(pages):
        with tempfile.TemporaryDirectory() as part:
            for number, page in enumerate(pages[:count]):
                os.symlink(os.path.abspath(page), os.path.join(part, f"{number}.html"))
            yield part
        count //= 2


def generated(unhusk, most):
    count = most
    while count >= 125:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "site.jsonl")
            subprocess.run([unhusk, "generate", "--pages", str(count), "--jsonl", path, "-q"], check=True)
            yield path
        count //= 2


def fit(points):
    """Least squares on logarithms: K, b and the largest relative error."""
    xs, ys = zip(*((math.log(n), math.log(v)) for n, v in points))
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    b = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / max(sum((x - mean_x) ** 2 for x in xs), 1e-12)
    k = math.exp(mean_y - b * mean_x)
    error = max(abs(k * n**b / v - 1) for n, v in points)
    return k, b, error


def measure(unhusk, name, parts, scratch):
    chunks, table, auto = [], None, None
    for part in parts:
        pages, entries, size = learn(unhusk, part, "table", scratch)
        chunks.append((pages, entries))
        if table is None:
            table = size / entries
            sampled = learn(unhusk, part, "auto", scratch)
            auto = sampled[2] / max(sampled[1], 1)
    k, b, error = fit(chunks)
    return {"name": name, "points": chunks, "k": k, "b": b, "error": error, "bytes_per_chunk": table, "bytes_per_sampled_page": auto}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--unhusk", default="target/release/unhusk")
    parser.add_argument("--generate", type=int, default=8000)
    parser.add_argument("--json")
    args = parser.parse_args()
    rows = []
    print("| collection | pages | chunks | K | b | worst error | bytes/chunk | bytes/sampled page | chunks at 10⁶ pages | at 10⁹ |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        sources = [(folder, parts_of(folder, random.Random(1))) for folder in args.folders]
        if args.generate:
            sources.append(("generated", generated(args.unhusk, args.generate)))
        for name, parts in sources:
            row = measure(args.unhusk, name, parts, scratch)
            rows.append(row)
            pages, chunks = row["points"][0]
            at = lambda n: f"{row['k'] * n ** row['b']:.2g}"
            short = "/".join(name.rstrip("/").split("/")[-2:])
            print(f"| {short} | {pages} | {chunks} | {row['k']:.1f} | {row['b']:.2f} | {100 * row['error']:.0f} % | "
                  f"{row['bytes_per_chunk']:.1f} | {row['bytes_per_sampled_page']:.0f} | {at(1e6)} | {at(1e9)} |", flush=True)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()

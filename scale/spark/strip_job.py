"""Learns templates from shards of a collection and strips all of its pages, on Apache Spark.

    spark-submit scale/spark/strip_job.py --out DIR SHARD... [-- OPTIONS OF `unhusk model learn`]

A shard is a file that `unhusk` reads (WARC or JSON lines, compressed or not) under a path that all workers see. Each is a task
that runs `unhusk` as a process of its own:

    observe   unhusk model learn SHARD        a partial model for each shard
    merge     unhusk model merge A B          pairwise, in a tree; only models travel
    strip     unhusk model apply MODEL SHARD  JSON lines: id, url, title, text, what was dropped and why

DIR gets `model` and `stripped/part-*`. The model is byte for byte the one that a single machine learns, and the lines are those it
prints, whatever the order of the tasks and whichever of them had to be repeated.
"""

import argparse
import os
import subprocess
import sys
import tempfile


class WorkerFailed(Exception):
    """An `unhusk` that ended with an error. It has named the page, where a page is to blame."""


def run(command, about):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ended.returncode != 0:
        raise WorkerFailed(f"{about}: {command[0]} ended with {ended.returncode}: {last_words(ended.stderr)}")
    return ended.stdout


def last_words(stderr):
    return stderr.decode("utf-8", "replace").strip()[-2000:] or "it said nothing"


def observe(unhusk, options):
    def model_of(shard):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "model")
            run([unhusk, "model", "learn", shard, "--out", out, "--threads", "1", "-q", *options], shard)
            with open(out, "rb") as model:
                return model.read()

    return model_of


def merge(unhusk):
    def merged(one, other):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("one", "other", "merged")]
            for path, model in zip(paths, (one, other)):
                with open(path, "wb") as file:
                    file.write(model)
            run([unhusk, "model", "merge", paths[0], paths[1], "--out", paths[2], "-q"], "merging models")
            with open(paths[2], "rb") as model:
                return model.read()

    return merged


def strip(unhusk, model, options):
    def lines_of(shard):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            with open(path, "wb") as file:
                file.write(model.value)
            command = [unhusk, "model", "apply", path, shard, "--format", "jsonl", "--threads", "1", "-q", *options]
            with open(os.path.join(folder, "stderr"), "w+b") as stderr:
                with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr) as worker:
                    for line in worker.stdout:
                        yield line.decode("utf-8").rstrip("\n")
                    code = worker.wait()
                if code != 0:
                    stderr.seek(0)
                    raise WorkerFailed(f"{shard}: {unhusk} ended with {code}: {last_words(stderr.read())}")

    return lines_of


def arguments():
    own, learning = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, learning = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", nargs="+", metavar="SHARD")
    parser.add_argument("--out", required=True, metavar="DIR", help="a folder that all workers see, and that is not there yet")
    parser.add_argument("--unhusk", default="unhusk", metavar="PATH", help="the program, as the workers find it")
    parser.add_argument("--strict", action="store_true", help="fail at the first page that is skipped or damaged, and name it")
    args = parser.parse_args(own)
    args.learning = learning
    args.reading = ["--strict"] if args.strict else []
    return args


def main():
    from pyspark.sql import SparkSession

    args = arguments()
    os.makedirs(args.out)
    context = SparkSession.builder.appName("unhusk").getOrCreate().sparkContext
    shards = context.parallelize([os.path.abspath(shard) for shard in args.shards], len(args.shards))

    models = shards.map(observe(args.unhusk, args.learning + args.reading))
    model = models.treeReduce(merge(args.unhusk), depth=2)
    with open(os.path.join(args.out, "model"), "wb") as file:
        file.write(model)

    broadcast = context.broadcast(model)
    stripped = shards.flatMap(strip(args.unhusk, broadcast, args.reading))
    stripped.saveAsTextFile("file://" + os.path.abspath(os.path.join(args.out, "stripped")))
    print(f"model of {len(model)} bytes; {len(args.shards)} shards stripped to {args.out}")


if __name__ == "__main__":
    main()

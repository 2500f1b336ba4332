"""Runs the job on a real standalone cluster on this machine and compares it with a single run, byte for byte.

    python3 scale/spark/test_cluster.py [--pages 20000] [--unhusk target/release/unhusk]

Needs pyspark (it brings Spark along) and Java 17; says `skipped: …` where they are not. One master and two workers are started on
127.0.0.1; while pages are stripped one executor is killed. It takes minutes, so it is run by hand and not with the other tests.
"""

import argparse
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HOST = "127.0.0.1"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


class Cluster:
    """One master and two workers with a core each; they end with the test."""

    def __init__(self, spark, folder, port):
        self.spark, self.folder, self.processes = spark, folder, []
        self.url = f"spark://{HOST}:{port}"
        self.environment = dict(os.environ, SPARK_LOCAL_IP=HOST, PYSPARK_PYTHON=sys.executable)
        self.start("master", "Master", "--host", HOST, "--port", str(port), "--webui-port", str(port + 1))
        for number in (1, 2):
            work = os.path.join(folder, f"work{number}")
            self.start(
                f"worker{number}", "Worker", "--host", HOST, "--cores", "1", "--memory", "2g", "--work-dir", work,
                "--webui-port", str(port + 1 + number), self.url,
            )
        self.wait_for_workers()

    def start(self, name, role, *arguments):
        package = role.lower()
        command = [os.path.join(self.spark, "bin", "spark-class"), f"org.apache.spark.deploy.{package}.{role}", *arguments]
        log = open(os.path.join(self.folder, f"{name}.log"), "wb")
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=self.environment))

    def wait_for_workers(self):
        deadline = time.time() + 180
        log = os.path.join(self.folder, "master.log")
        while time.time() < deadline:
            with open(log, errors="replace") as lines:
                if lines.read().count("Registering worker") >= 2:
                    return
            time.sleep(0.5)
        raise SystemExit("the workers did not come up; see " + self.folder)

    def submit(self, *arguments):
        command = [os.path.join(self.spark, "bin", "spark-submit"), "--master", self.url, "--conf", "spark.ui.enabled=false",
                   "--conf", f"spark.driver.host={HOST}", "--conf", "spark.executor.memory=1g", *arguments]
        log = open(os.path.join(self.folder, "driver.log"), "ab")
        return subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)

    def executors(self):
        """Executors that our own workers have started."""
        workers = {process.pid for process in self.processes}
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as stat:
                    parent = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{name}/cmdline", "rb") as line:
                    if parent in workers and b"CoarseGrainedExecutorBackend" in line.read():
                        found.append(int(name))
            except (OSError, IndexError, ValueError):
                continue
        return found

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def run(command):
    started = time.time()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ended.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode()[-1000:]}")
    return ended.stdout, time.time() - started


def warc(lines):
    """The same pages as WARC response records."""
    import json

    for line in lines:
        page = json.loads(line)
        body = page["html"].encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page['url']}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + len(body)}\r\n\r\n")
        yield head.encode() + http + body + b"\r\n\r\n"


def make_shards(unhusk, folder, pages, count):
    whole = os.path.join(folder, "whole.jsonl")
    run([unhusk, "generate", "--pages", str(pages), "--jsonl", whole, "-q"])
    with open(whole, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    shards = []
    for number in range(count):
        some = lines[number::count]
        if number % 2:
            path = os.path.join(folder, f"shard-{number:03}.warc.gz")
            with gzip.open(path, "wb", compresslevel=1) as file:
                file.writelines(warc(some))
        else:
            path = os.path.join(folder, f"shard-{number:03}.jsonl")
            with open(path, "wb") as file:
                file.writelines(some)
        shards.append(path)
    return shards


def sorted_lines(folder):
    lines = []
    for name in os.listdir(folder):
        if name.startswith("part-"):
            with open(os.path.join(folder, name), "rb") as file:
                lines.extend(file.read().splitlines())
    return sorted(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20000)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--port", type=int, default=17077)
    parser.add_argument("--unhusk", default=os.path.join(ROOT, "target", "release", "unhusk"))
    parser.add_argument("--strip", default="auto,table", help="methods, with commas between them")
    args = parser.parse_args()
    try:
        import pyspark
    except ImportError:
        skip("there is no pyspark here (pip install pyspark)")
    if shutil.which("java") is None:
        skip("there is no Java here")
    unhusk = os.path.abspath(args.unhusk)
    if not os.path.exists(unhusk):
        skip(f"there is no program at {unhusk}: cargo build --release")
    job = os.path.join(HERE, "strip_job.py")
    with tempfile.TemporaryDirectory(prefix="unhusk-spark-") as folder:
        shards = make_shards(unhusk, folder, args.pages, args.shards)
        cluster = Cluster(os.path.dirname(pyspark.__file__), folder, args.port)
        try:
            for method in args.strip.split(","):
                check(cluster, unhusk, job, shards, folder, method)
            check_loud_failure(cluster, unhusk, job, shards, folder)
        finally:
            cluster.stop()


def check(cluster, unhusk, job, shards, folder, method):
    model = os.path.join(folder, f"{method}.model")
    _, learning = run([unhusk, "model", "learn", *shards, "--out", model, "-q", "--threads", "2", "--strip", method])
    expected, applying = run([unhusk, "model", "apply", model, *shards, "--format", "jsonl", "-q", "--threads", "2"])
    out = os.path.join(folder, f"out-{method}")
    started = time.time()
    driver = cluster.submit(job, "--out", out, "--unhusk", unhusk, *shards, "--", "--strip", method)
    killed = kill_in_the_middle(cluster, out, driver)
    if driver.wait() != 0:
        with open(os.path.join(folder, "driver.log"), errors="replace") as log:
            raise SystemExit(f"the job failed:\n{log.read()[-4000:]}")
    took = time.time() - started
    with open(model, "rb") as one, open(os.path.join(out, "model"), "rb") as other:
        assert one.read() == other.read(), "the models differ"
    lines = sorted_lines(os.path.join(out, "stripped"))
    assert lines == sorted(expected.splitlines()), "the stripped pages differ"
    assert killed, "no executor was killed: give more --pages"
    single = learning + applying
    print(f"{method}: {len(lines)} pages, model of {os.path.getsize(model)} bytes: the same; executor {killed} was killed")
    print(f"{method}: Spark {took:.1f} s with one executor killed, one machine {single:.1f} s with two threads"
          f" (learn {learning:.1f} s, apply {applying:.1f} s)")


def kill_in_the_middle(cluster, out, driver):
    """Kills an executor once the first part of the stripped pages is there."""
    stripped = os.path.join(out, "stripped")
    while driver.poll() is None:
        parts = [name for _, _, names in os.walk(stripped) for name in names if re.fullmatch(r"part-\d+", name)]
        executors = cluster.executors()
        if len(parts) >= 2 and executors:
            os.kill(executors[0], signal.SIGKILL)
            return executors[0]
        time.sleep(0.05)
    return None


def check_loud_failure(cluster, unhusk, job, shards, folder):
    bad = os.path.join(folder, "bad.jsonl")
    with open(bad, "w") as file:
        file.write('{"url": "http://bad.example/empty-page", "html": " "}\n')
    out = os.path.join(folder, "out-bad")
    driver = cluster.submit(job, "--strict", "--out", out, "--unhusk", unhusk, shards[0], bad)
    assert driver.wait() != 0, "the job should have failed"
    with open(os.path.join(folder, "driver.log"), errors="replace") as log:
        assert "http://bad.example/empty-page" in log.read(), "the page is not named"
    print("a worker that fails on a page fails the job, and the page is named")


if __name__ == "__main__":
    main()

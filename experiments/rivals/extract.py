"""Runs one rival over the pages of one site: texts as JSON lines, and what it cost.

Usage: extract.py TOOL SITE FILE

SITE is a folder with `pages/`. FILE, NAME.jsonl, gets a line {"id", "text"} a page, and NAME.cost a JSON document with the
version, the pages, their bytes, CPU seconds and the pages that failed. All pages are read before the clock starts; one thread
works.
"""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import tools

# A page that takes more CPU seconds has failed: a rival that hangs must not hang the experiment, nor a busy machine fail a rival.
SECONDS_A_PAGE = 60
PAGES = {".html", ".htm", ".xhtml", ".shtml"}


class TooLong(Exception):
    pass


def ring(_signal, _frame):
    raise TooLong


def pages(site):
    """Ids and paths, as unhusk names pages of a folder."""
    folder = site / "pages"
    found = (path for path in folder.rglob("*") if path.suffix.lower() in PAGES and path.is_file())
    return sorted((path.relative_to(folder).as_posix().replace(" ", "%20"), path) for path in found)


def run_function(name, site):
    version, extract = tools.TOOLS[name](site.name)
    read = [(page, path.read_bytes()) for page, path in pages(site)]
    signal.signal(signal.SIGPROF, ring)
    if read:  # What is loaded on first use is not the page's cost.
        guarded(extract, read[0][1])
    texts, failed = [], []
    start, cpu = time.perf_counter(), time.process_time()
    for page, data in read:
        text, error = guarded(extract, data)
        texts.append(text)
        if error:
            failed.append([page, error])
    cost = {"seconds": time.process_time() - cpu, "wall": time.perf_counter() - start}
    lines = [{"id": page, "text": text} for (page, _), text in zip(read, texts)]
    return lines, {"version": version, "pages": len(read), "bytes": sum(len(data) for _, data in read), **cost, "failed": failed}


def guarded(extract, data):
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_PAGE)
    try:
        return extract(data), None
    except TooLong:
        return "", f"longer than {SECONDS_A_PAGE} s"
    except Exception as error:  # Whatever a rival throws is the rival's answer to this page.
        return "", type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run_program(name, site):
    program, version = tools.build(name)
    found = pages(site)
    given = "".join(f"{page}\t{path}\n" for page, path in found)
    said = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    return lines, {"version": version, **json.loads(said.stderr.splitlines()[-1])}


def main(name, site, file):
    site, file = Path(site), Path(file)
    run = run_program if name in tools.PROGRAMS else run_function
    lines, cost = run(name, site)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as out:
        for line in lines:
            # A lone surrogate cannot be written; such texts are rare and lose that character only.
            line["text"] = line["text"].encode("utf-8", "replace").decode("utf-8")
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    # Written last: texts without a cost are those of a run that was cut off.
    file.with_suffix(".cost").write_text(json.dumps(cost) + "\n")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except tools.Absent as absent:
        sys.exit(f"absent: {absent}")

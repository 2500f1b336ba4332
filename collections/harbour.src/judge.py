"""Writes judgements from the topics, facts and words of the sources.

`queries.txt` holds, for each query, `id | text | rule`, and below it indented
lines `docid grade` that overrule. Rules, joined by ` + ` (the best counts):

  topic a,b      the page's grade for any of these topics
  all a,b        both topics: 2 if mainly about both, 1 if one is only touched
  all a,b,c      2 for a page with all three, 1 for one with two of them
  fact A=v; B=w  2 for a page whose fact A holds v and whose fact B holds w
  name Some One  2 for a page with the name in title or byline, 1 for a mention

No rule looks at an index or at a rendered page. A print version is judged like
its page. What is not listed is not relevant; four pages a query that are far
from it are listed with grade 0, besides those that a line gives a 0.
"""

import re

from pages import HERE

ZEROS = 4
SMALL = {"and", "for", "from", "the", "with"}


def read_queries():
    queries = []
    for line in (HERE / "queries.txt").read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            doc, grade = line.split()
            queries[-1][3][doc] = int(grade)
        else:
            number, text, rule = (part.strip() for part in line.split("|"))
            queries.append((number, text, rule, {}))
    return queries


def grade_all(page, topics):
    grades = [page.topics.get(t, 0) for t in topics]
    here = [g for g in grades if g]
    if len(topics) == 2:
        return min(grades)
    return max(0, len(here) - len(topics) + 2)


def grade_fact(page, conditions):
    def holds(condition):
        name, _, wanted = condition.strip().partition("=")
        rows = page.facts + [("Kind", page.kind)]
        return any(n == name and wanted in v for n, v in rows)
    return 2 if all(holds(c) for c in conditions.split(";")) else 0


def grade_name(page, name):
    if name in page.title or name in page.author:
        return 2
    return 1 if name in page.text else 0


def grade(page, rule):
    best = 0
    for part in rule.split(" + "):
        verb, _, rest = part.partition(" ")
        words = rest.split(",")
        best = max(best, {
            "topic": lambda: max(page.topics.get(t, 0) for t in words),
            "all": lambda: grade_all(page, words),
            "fact": lambda: grade_fact(page, rest),
            "name": lambda: grade_name(page, rest),
        }[verb]())
    return best


def far_pages(query, text, pages, judged):
    """Pages without one word of the query, in an order nobody chose."""
    words = set(re.findall(r"\w{3,}", text.lower())) - SMALL
    far = [p for p in pages if p.id not in judged and p.kind not in ("Index", "Print")
           and not words & set(re.findall(r"\w+", p.text.lower()))
           and not words & set(p.topics)]
    return sorted(far, key=lambda p: p.number(query, 1 << 32))[:ZEROS]


def judgements(pages):
    """(query id, document id, grade), in the order of the files."""
    rows = []
    for query, text, rule, overrides in read_queries():
        grades = {p.id: g for p in pages if (g := grade(p, rule))}
        grades.update(overrides)
        for page in pages:
            if page.kind == "Print" and page.twin in overrides:
                grades[page.id] = overrides[page.twin]
        for page in far_pages(query, text, pages, grades):
            grades[page.id] = 0
        rows += [(query, doc, g) for doc, g in sorted(grades.items())]
    return rows

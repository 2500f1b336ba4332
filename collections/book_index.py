"""Readers of the indexes at the backs of manuals, one for each tool that writes them.

Each is fed the text of an index page and hands back (term, link) pairs in the order of the page, sub-entries joined with the
entry they stand below.
"""

import html.parser
import re
import unittest


class Reader(html.parser.HTMLParser):
    """What the readers share: entries that gather text and links until they are complete."""

    def __init__(self, text):
        super().__init__()
        self.entries = []  # (term, [link, …])
        self.feed(text)
        self.close()

    def pairs(self):
        return [(" ".join(term.split()), link) for term, links in self.entries for link in links]


class DocBook(Reader):
    """`dt` is an entry, its own text up to the first link is the term, a `dl` within is the level below."""

    def __init__(self, text):
        self.levels = []  # the term of each open dl
        self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        if tag == "dl":
            self.levels.append("")
        elif tag == "dt" and self.levels:
            self.levels[-1] = ""
            self.inside = True
            self.entries.append(("", []))
        elif tag == "a" and self.entries and self.levels:
            if self.inside:
                self.inside = False
                self.levels[-1] = self.levels[-1].strip().rstrip(",")
                self.entries[-1] = (" ".join(self.levels), [])
            self.entries[-1][1].append(dict(attrs).get("href") or "")

    def handle_endtag(self, tag):
        if tag == "dl" and self.levels:
            self.levels.pop()
        elif tag == "dt":
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.levels[-1] += data


class Sphinx(Reader):
    """`li` within the index's tables is an entry; its text is that of the first link, or bare where there are only sub-entries."""

    def __init__(self, text):
        self.tables = 0  # how deep in an index table
        self.levels = []  # the term of each open li
        self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table" and (self.tables or "indextable" in (attrs.get("class") or "").split()):
            self.tables += 1
        elif not self.tables:
            return
        elif tag == "li":
            self.levels.append("")
            self.inside = True
            self.entries.append(("", []))
        elif tag == "a" and self.entries:
            self.entries[-1][1].append(attrs.get("href") or "")
        elif tag == "ul":
            self.complete()

    def handle_endtag(self, tag):
        if tag == "table" and self.tables:
            self.tables -= 1
        elif tag == "a":
            self.complete()
        elif tag == "li" and self.levels:
            self.complete()
            self.levels.pop()

    def complete(self):
        """The text of the innermost entry is complete: join it with those above."""
        if self.inside:
            self.inside = False
            above = self.levels[-2] if len(self.levels) > 1 else ""
            self.levels[-1] = self.joined(above, self.levels[-1].strip())
            self.entries[-1] = (self.levels[-1], self.entries[-1][1])

    @staticmethod
    def joined(above, text):
        if re.match(r"\(see (also )?", text):
            return above
        if text.startswith("("):  # the same name elsewhere: "name() (in module x)" and below it "(in module y)"
            above = re.sub(r"\s*\([^()]+\)$", "", above)
        return f"{above} {text}".strip()

    def handle_data(self, data):
        if self.inside:
            self.levels[-1] += data


class Texinfo(Reader):
    """A link whose fragment is `index-…` is an entry and its text is the term; the link to the section beside it is not."""

    def __init__(self, text):
        self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        link = dict(attrs).get("href") or ""
        if tag == "a" and "#index-" in link:
            self.inside = True
            self.entries.append(("", [link]))

    def handle_endtag(self, tag):
        if tag == "a":
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            term, links = self.entries[-1]
            self.entries[-1] = (term + data, links)


class ReaderPromises(unittest.TestCase):
    """What the readers promise, on samples written for this."""

    def test_docbook_entries_carry_the_terms_above_them(self):
        index = DocBook(
            '<p><a href="#x">A</a></p><dl><dt>sail, <a href="sail.html#s1">Sails</a>, <a href="rig.html">Rig</a></dt>'
            '<dd><dl><dt>mending, <a href="mend.html">Mending</a></dt><dt>(see also <a href="#i2">rope</a>)</dt></dl></dd>'
            '<dt id="i2">rope (see <a href="#i3">line</a>)</dt><dt>tar, <a href="tar.html">Tar</a></dt></dl>'
        )
        pages = [pair for pair in index.pairs() if not pair[1].startswith("#")]
        self.assertEqual(
            pages, [("sail", "sail.html#s1"), ("sail", "rig.html"), ("sail mending", "mend.html"), ("tar", "tar.html")]
        )

    def test_sphinx_entries_carry_the_name_above_them(self):
        index = Sphinx(
            '<ul><li><a href="nav.html">menu</a></li></ul><table class="indextable genindextable"><tr><td><ul>'
            '<li><a href="a.html#k.f">f() (in module k)</a><ul><li><a href="b.html#m.f">(in module m)</a></li></ul></li>'
            '<li>\n  knot\n <ul><li><a href="c.html">reef</a>, <a href="d.html">[1]</a></li></ul></li>'
            '<li>bend<ul><li><a href="c.html#b">(see knot)</a></li></ul></li></ul></td></tr></table><a href="e.html">foot</a>'
        )
        self.assertEqual(
            index.pairs(),
            [
                ("f() (in module k)", "a.html#k.f"),
                ("f() (in module m)", "b.html#m.f"),
                ("knot reef", "c.html"),
                ("knot reef", "d.html"),
                ("bend", "c.html#b"),
            ],
        )

    def test_texinfo_entries_are_links_to_index_anchors(self):
        index = Texinfo(
            '<a href="#symbol-1">!</a><tr><td><a href="a.html#index-x"><code>\\drum</code> roll</a></td>'
            '<td><a href="a.html#rolls">Rolls</a></td></tr>'
        )
        self.assertEqual(index.pairs(), [("\\drum roll", "a.html#index-x")])

"""Readers of the indexes at the backs of manuals, one for each tool that writes them.

Each is fed the text of an index page and hands back (term, link) pairs in the order of the page, sub-entries joined with the
entry they stand below. The lists of names that programs make of other programs are read as indexes too: there the term is the
name alone, without parameters and without the class or module it belongs to, as somebody would type who does not know where it is.
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
        return [(self.tidy(" ".join(term.split())), link) for term, links in self.entries for link in links]

    @staticmethod
    def tidy(term):
        """The term without what its tool adds to every one."""
        return term

    @staticmethod
    def classes(attrs):
        return (dict(attrs).get("class") or "").split()


# Indexes in levels.


class DocBook(Reader):
    """`dt` is an entry, its own text up to the first link is the term, a `dl` within is the level below.

    The links stand behind the term or in the `dd` that follows.
    """

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
        elif tag == "dd":
            self.complete()
        elif tag == "a" and self.entries and self.levels and dict(attrs).get("href"):
            self.complete()
            self.entries[-1][1].append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        if tag == "dl" and self.levels:
            self.complete()
            self.levels.pop()
        elif tag == "dt":
            self.complete()

    def complete(self):
        """The text of the innermost entry is complete: join it with those above."""
        if self.inside:
            self.inside = False
            self.levels[-1] = self.levels[-1].strip().rstrip(",")
            self.entries[-1] = (" ".join(self.levels), [])

    def handle_data(self, data):
        if self.inside:
            self.levels[-1] += data


class LaTeX2HTML(DocBook):
    """The same elements: the term in `dt`, its links and the level below in the `dd`."""


class Xfpt(DocBook):
    """As LaTeX2HTML: Exim's manual goes from xfpt through DocBook to a style sheet of its own."""


class Grass(DocBook):
    """GRASS lists the modules below each keyword; the keyword is an anchor of its own."""


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


class Lines(Reader):
    """A line is an entry, its text up to the first link is the term; a line that begins with hard spaces is of the level below."""

    breaks = ("br", "div", "p", "h1", "h2", "hr")

    def __init__(self, text):
        self.head = ""  # the line above those of the level below
        self.line = ""
        self.inside = True
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        if tag in self.breaks:
            self.complete()
            self.line, self.inside = "", True
        elif tag == "a" and dict(attrs).get("href"):
            if self.complete() or self.entries:
                self.entries[-1][1].append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        if tag in ("div", "p"):
            self.handle_starttag("br", [])

    def complete(self):
        """The text of the line is complete: whether it began an entry."""
        if not self.inside:
            return False
        self.inside = False
        text = self.line.strip(" \t\r\n")
        term = text.strip()
        if not text.startswith("\xa0"):
            self.head = term
        elif not re.match(r"see( also)?\b", term, re.I):
            term = f"{self.head} {term}"
        else:
            term = ""
        self.entries.append((term, []))
        return True

    def handle_data(self, data):
        if self.inside:
            self.line += data


class GapDoc(Lines):
    """GAPDoc: the term may name what it is for behind a comma."""


class Halibut(Lines):
    """Halibut: a colon between the term and its sections."""

    @staticmethod
    def tidy(term):
        return term.removesuffix(":")


class AdaManual(Lines):
    """The formatter of Ada's reference manual: a block for each entry, lines within for what is below it."""


# Lists where the term is a link.


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


class FirstLink(Reader):
    """The first link of an item is an entry and its text is the term; further links of the item lead elsewhere."""

    item, item_class = "", ""  # the element and a class it has
    within = ""  # a class of the list that holds the items, where a menu has such items too

    def __init__(self, text):
        self.open = not self.within  # the list has begun
        self.waiting = self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        classes = self.classes(attrs)
        self.open = self.open or self.within in classes
        if tag == self.item and self.open and (not self.item_class or self.item_class in classes):
            self.waiting = True
        if tag == "a" and self.waiting and dict(attrs).get("href"):
            self.waiting, self.inside = False, True
            self.entries.append(("", [dict(attrs)["href"]]))

    def handle_endtag(self, tag):
        if tag == "a":
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            term, links = self.entries[-1]
            self.entries[-1] = (term + data, links)


def bare(name):
    """A name without its parameters."""
    return re.sub(r"\s*\(.*$", "", name) or name


class GtkDoc(FirstLink):
    """gtk-doc: the name, and behind it a link to the page it is on."""

    item = "dt"

    @staticmethod
    def tidy(term):
        return bare(term)


class Javadoc(GtkDoc):
    """Javadoc: the name, and behind it a link to the class it belongs to."""


class OcamlDoc(FirstLink):
    """ocamldoc: a row with the name, the module in brackets, and a description with links of its own."""

    item = "tr"


class Epydoc(FirstLink):
    """Epydoc: a cell for each name; links to the places it is in follow."""

    item, item_class = "td", "link-index"

    @staticmethod
    def tidy(term):
        return bare(term)


class Yard(FirstLink):
    """YARD: an item for each method or class."""

    item = "li"

    @staticmethod
    def tidy(term):
        return term.lstrip("#.")


class Rdoc(Yard):
    """RDoc: an item for each method, a sharp before its name."""

    item_class = "method"

    @staticmethod
    def tidy(term):
        return term.lstrip("#:")


class Rustdoc(FirstLink):
    """rustdoc: an item for each path; its last part is the name."""

    item, within = "li", "all-items"

    @staticmethod
    def tidy(term):
        return term.split("::")[-1]


class Scribble(FirstLink):
    """Scribble: every link with a class of its own is an entry."""

    item = "a"
    item_class = "indexlink"


class SqliteSite(FirstLink):
    """SQLite's own script: an item for each keyword, below a menu."""

    item, within = "li", "lessindent"


# Lists where the term is text and links follow.


class TextThenLinks(Reader):
    """An item's text up to its end or its first link is the term, and the links up to the next item are where it leads."""

    item, item_class = "", ""

    def __init__(self, text):
        self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        if tag == self.item and (not self.item_class or self.item_class in self.classes(attrs)):
            self.inside = True
            self.entries.append(("", []))
        elif tag == "a" and self.entries and dict(attrs).get("href"):
            self.inside = False
            self.entries[-1][1].append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        if tag == self.item:
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            term, links = self.entries[-1]
            self.entries[-1] = (term + data, links)


class Doxygen(TextThenLinks):
    """Doxygen: the name of a member, a colon, and the classes that have it."""

    item = "li"

    @staticmethod
    def tidy(term):
        return bare(term.rstrip(": "))


class Haddock(TextThenLinks):
    """Haddock: a cell with the name, and cells with the modules that export it."""

    item, item_class = "td", "src"


class Scaladoc(TextThenLinks):
    """Scaladoc: a block with the name, and a block with the classes that have it."""

    item, item_class = "div", "name"


class Gri(TextThenLinks):
    """The script of Gri's manual: "term <2> ... see" and the section."""

    item = "li"

    @staticmethod
    def tidy(term):
        return re.sub(r"(\s*<\d+>)?\s*\.\.\. see$", "", term)


class NaturalDocs(Reader):
    """A symbol that is a link is an entry; one that is none leads to all the parents listed below it."""

    def __init__(self, text):
        self.inside = False
        super().__init__(text)

    def handle_starttag(self, tag, attrs):
        classes, link = self.classes(attrs), dict(attrs).get("href")
        if "ISymbol" in classes:
            self.inside = True
            self.entries.append(("", [link] if link else []))
        elif "IParent" in classes and link and self.entries:
            self.entries[-1][1].append(link)

    def handle_endtag(self, tag):
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

    def test_latex2html_xfpt_and_grass_have_their_links_in_the_dd(self):
        text = (
            "<dl><dt><strong>anchor </strong></dt><dd><a href='a.html#1'>The anchor</a> | <a href='b.html'>Chain</a><dl>"
            "<dt><strong>weighing</strong><dd><p><a href='c.html'>Leaving</a></p></dd></dl></dd>"
            "<dt><b><a name='bell'>bell</a></b></dt><dd> <a href='./d.html'>d</a></dd></dl>"
        )
        pairs = [("anchor", "a.html#1"), ("anchor", "b.html"), ("anchor weighing", "c.html"), ("bell", "./d.html")]
        for reader in (LaTeX2HTML, Xfpt, Grass):
            self.assertEqual(reader(text).pairs(), pairs)

    def test_gapdoc_lines_that_are_indented_belong_to_the_one_above(self):
        index = GapDoc(
            "<div class='index'>\n<code>Knots</code>, for a rope  <a href='chap4.html#X'>4.4</a>  <br />\n"
            "sheet <br />\n&nbsp;&nbsp;&nbsp;&nbsp;main  <a href='chap7.html'>7.1</a>  <a href='chap8.html'>8</a>  <br />\n</div>"
        )
        self.assertEqual(
            index.pairs(),
            [("Knots, for a rope", "chap4.html#X"), ("sheet main", "chap7.html"), ("sheet main", "chap8.html")],
        )

    def test_halibut_lines_have_a_colon_behind_the_term(self):
        index = Halibut(
            "<p><a href='contents.html'>Contents</a> | Next</p><h1>Index</h1><p>\nBow line: <a href='bow.html#i1'>Section 2</a>, "
            "<a href='stern.html'>Section 3</a><br>\nBuoys: <a href='buoy.html'>Section 4</a><br>\n</p>"
        )
        pairs = [pair for pair in index.pairs() if pair[0]]
        self.assertEqual(pairs, [("Bow line", "bow.html#i1"), ("Bow line", "stern.html"), ("Buoys", "buoy.html")])

    def test_ada_manual_blocks_hold_an_entry_and_what_is_below_it(self):
        index = AdaManual(
            '<div class="Index">tide&nbsp;&nbsp; <A HREF="rm-1.html#I1">1(2)</A></div>\n<div class="Index">water<BR>\n'
            '&nbsp;&nbsp;&nbsp;<I>in</I> Harbour&nbsp;&nbsp; \n<A HREF="rm-2.html">2(1)</A><BR>\n'
            '&nbsp;&nbsp;&nbsp;<I>See also</I> tide&nbsp;&nbsp; <A HREF="rm-1.html">1(2)</A></div>'
        )
        pairs = [pair for pair in index.pairs() if pair[0]]
        self.assertEqual(pairs, [("tide", "rm-1.html#I1"), ("water in Harbour", "rm-2.html")])

    def test_gtk_doc_and_javadoc_entries_are_the_first_links_without_parameters(self):
        index = GtkDoc(
            '<a href="index.html">Home</a><dl><dt><a class="link" href="hull.html#f">hull_paint ()</a>, function in '
            '<a href="hull.html">Hull</a></dt><dd>replaced by <a href="x.html">x</a></dd></dl>'
        )
        self.assertEqual(index.pairs(), [("hull_paint", "hull.html#f")])
        index = Javadoc(
            '<dl><dt><span class="memberNameLink"><a href="p/Hull.html#paint(p.Colour)">paint(Colour)</a></span> - Method in '
            'class p.<a href="p/Hull.html">Hull</a></dt><dd>Paints a <a href="p/Hull.html">hull</a>.</dd></dl>'
        )
        self.assertEqual(index.pairs(), [("paint", "p/Hull.html#paint(p.Colour)")])

    def test_ocamldoc_rows_have_the_name_first(self):
        index = OcamlDoc(
            '<table><tr><td align="left"><div>P</div></td></tr><tr><td><a href="Hull.html#VALpaint">paint</a> '
            '[<a href="Hull.html">Hull</a>]</td><td>as <a href="Mast.html">Mast</a></td></tr></table>'
        )
        self.assertEqual(index.pairs(), [("paint", "Hull.html#VALpaint")])

    def test_epydoc_cells_have_the_name_first(self):
        index = Epydoc(
            '<td><a href="help.html">Help</a></td><td class="link-index"><a href="hull.html#paint">paint()</a><br />'
            '<span>(in&nbsp;<a href="hull.html">Hull</a>)</span></td>'
        )
        self.assertEqual(index.pairs(), [("paint", "hull.html#paint")])

    def test_yard_and_rdoc_items_have_the_name_first(self):
        index = Yard('<li class="odd"><span><a href="Hull.html#paint" title="Hull#paint">#paint</a></span><small>Hull</small></li>')
        self.assertEqual(index.pairs(), [("paint", "Hull.html#paint")])
        index = Rdoc(
            '<li class="class"><a href="Hull.html">Hull</a></li><li class="method"><a href="Hull.html#m-c-new">::new</a> '
            '<span>Hull</span>'
        )
        self.assertEqual(index.pairs(), [("new", "Hull.html#m-c-new")])

    def test_rustdoc_names_are_the_last_parts_of_paths(self):
        index = Rustdoc(
            '<li><a href="#fns">Functions</a></li><ul class="all-items"><li><a href="hull/fn.paint.html">hull::paint</a></li></ul>'
        )
        self.assertEqual(index.pairs(), [("paint", "hull/fn.paint.html")])

    def test_scribble_links_of_the_index_are_entries(self):
        index = Scribble('<a href="top.html">top</a><a href="hull.html#x" class="indexlink"><span>paint-hull</span><br/></a>')
        self.assertEqual(index.pairs(), [("paint-hull", "hull.html#x")])

    def test_sqlite_keywords_stand_below_the_menu(self):
        index = SqliteSite(
            "<ul><li><a href='about.html'>About</a></ul>"
            "<ul class='lessindent'><li> <a href='hull.html#p'>hull paint</a> </li></ul>"
        )
        self.assertEqual(index.pairs(), [("hull paint", "hull.html#p")])

    def test_doxygen_members_lead_to_all_their_classes(self):
        index = Doxygen(
            '<li>paint()&#160;:&#160;<a href="classHull.html#a1">Hull</a>, <a href="classMast.html#a2">Mast</a></li>'
            '<li>operator()()\n: <a href="classSail.html#a3">Sail</a></li>'
        )
        self.assertEqual(
            index.pairs(),
            [("paint", "classHull.html#a1"), ("paint", "classMast.html#a2"), ("operator", "classSail.html#a3")],
        )

    def test_haddock_names_lead_to_the_modules_below_them(self):
        index = Haddock(
            '<tr><td class="src">paint</td><td>&nbsp;</td></tr><tr><td class="alt">1 (Function)</td><td class="module">'
            '<a href="Hull.html#v:paint">Hull</a></td></tr><tr><td class="src">reef</td><td class="module">'
            '<a href="Sail.html#v:reef">Sail</a>, <a href="Mast.html#v:reef">Mast</a></td></tr>'
        )
        self.assertEqual(
            index.pairs(), [("paint", "Hull.html#v:paint"), ("reef", "Sail.html#v:reef"), ("reef", "Mast.html#v:reef")]
        )

    def test_scaladoc_names_lead_to_their_occurrences(self):
        index = Scaladoc(
            '<div class="entry"><div class="name">paint</div><div class="occurrences"><a href="../p/Hull.html">Hull</a> '
            '<a href="../p/Mast.html">Mast</a></div></div>'
        )
        self.assertEqual(index.pairs(), [("paint", "../p/Hull.html"), ("paint", "../p/Mast.html")])

    def test_gri_terms_are_numbered_where_they_come_back(self):
        index = Gri(
            '<ul><li>\nhull, paint\n... see <a href="a.html#a">A</a>\n'
            '<li>\nhull, paint &lt;2&gt;\n... see <a href="b.html">B</a></ul>'
        )
        self.assertEqual(index.pairs(), [("hull, paint", "a.html#a"), ("hull, paint", "b.html")])

    def test_natural_docs_symbols_lead_to_their_parents_where_they_have_several(self):
        index = NaturalDocs(
            '<a href="../files/menu.html">menu</a><td class=IEntry>'
            '<a href="../files/hull.html#Hull.paint" class=ISymbol>paint</a>, <span class=IParent>Hull</span></td><td class=IEntry>'
            '<span class=ISymbol>reef</span><div class=ISubIndex>'
            '<a href="../files/sail.html#reef" class=IParent>Sail</a><a href="../files/mast.html#reef" class=IParent>Mast</a></div>'
        )
        self.assertEqual(
            index.pairs(),
            [
                ("paint", "../files/hull.html#Hull.paint"),
                ("reef", "../files/sail.html#reef"),
                ("reef", "../files/mast.html#reef"),
            ],
        )

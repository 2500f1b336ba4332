"""What several layouts share: links, boxes, adverts, and the words in them.

All of it is template on purpose: the navigation names every section, boxes
repeat other pages' titles, and tides, counters and dates change from page to
page while their place does not.
"""

import html
import posixpath

from pages import SECTIONS

PAPER = "The Skerrow Packet"
TAGLINE = "News of the harbour, the council, business and the law since 1861"
BANNER = ("Subscribe for £2.40 a week: harbour news, weather, health and "
          "sport on your doorstep before breakfast.")
ADVERTS = [
    ("Iqbal & Daughter", "Law for boats, wills and neighbours. First half-hour free."),
    ("Fore Street Dispensary", "Your health, our scales. Flu jabs without appointment."),
    ("FathomNet", "Technology that goes deeper. Broadband from £24 a month."),
    ("Capstan Theatre", "Friends of the arts sit dry. Join from £15 a year."),
    ("Soames & Niece", "Business on the water? Rope, paint and sound advice."),
    ("Boreal Wind", "The weather is working. So could you: see our jobs page."),
]
MOST_READ = [
    "harbour/lifeboat-rescues-trawler-crew.html",
    "law/mooring-fees-judgment.html",
    "sport/mariners-promotion-decider.html",
    "harbour/oystermen-blockade-dredger.html",
    "health/clinic-scanner-arrives.html",
]
SKIES = ["Showers", "Sunny spells", "Fog patches", "Overcast", "Fair", "Drizzle"]
WINDS = ["NW 4", "SW 5", "E 3", "N 6", "S 2", "W 7"]

esc = html.escape


class Site:
    """The pages in their order, and who stands beside whom."""

    def __init__(self, articles):
        self.articles = articles
        self.by_id = {p.id: p for p in articles}

    def section(self, name):
        return [p for p in self.articles if p.section == name]

    def neighbours(self, page):
        """The page before and the page after in the same section."""
        row = self.section(page.section)
        at = row.index(page)
        return (row[at - 1] if at else None,
                row[at + 1] if at + 1 < len(row) else None)

    def related(self, page, count=4):
        """The pages that share most topics, the section's own counting least."""
        def shared(other):
            return sum(1 if t in SECTIONS else 3
                       for t in page.topics if t in other.topics)
        others = [p for p in self.articles
                  if p is not page and p.section != "notices" and shared(p)]
        others.sort(key=lambda p: (-shared(p), p.number("rel", 1 << 32)))
        return others[:count]

    def most_read(self):
        return [self.by_id[i] for i in MOST_READ]


def href(page, target):
    """The relative address of a document id, seen from a page."""
    return posixpath.relpath(target, posixpath.dirname(page.id) or ".")


def link(page, other, attributes=""):
    return f'<a{attributes} href="{href(page, other.id)}">{esc(other.title)}</a>'


def menu(page, item):
    """One `item` (a format with {href} and {name}) for each navigation entry."""
    entries = [("index.html", "Home")]
    entries += [(f"{s}/index.html", name) for s, name in SECTIONS.items()]
    return "\n".join(item.format(href=href(page, i), name=n) for i, n in entries)


def items(links):
    return "\n".join(f"<li>{text}</li>" for text in links)


def tides(page):
    """Two high and two low waters that look like a tide table's."""
    first = 15 + page.number("tide", 360)
    times = [first + step for step in (0, 372, 745, 1117)]
    return [("High" if n % 2 == 0 else "Low", f"{t // 60 % 24:02}.{t % 60:02}")
            for n, t in enumerate(times)]


def sky(page):
    """Sidebar weather: a sky, a wind and a temperature."""
    return (SKIES[page.number("sky", len(SKIES))],
            WINDS[page.number("wind", len(WINDS))],
            6 + page.number("warm", 14))


def advert(page):
    return ADVERTS[page.number("advert", len(ADVERTS))]


def views(page):
    return f"{180 + page.number('views', 9000):,}"


def prose(page, paragraph="<p>{}</p>", entry="<li>{}</li>", group="<ul>\n{}\n</ul>"):
    """The body: paragraphs and lists, each paragraph on one line."""
    def render(block):
        if isinstance(block, str):
            return paragraph.format(esc(block, quote=False))
        return group.format("\n".join(entry.format(esc(e, quote=False)) for e in block))
    return "\n".join(render(b) for b in page.blocks)

"""Letters, obituaries and recipes: divs with classes, other names and order."""

from furniture import (BANNER, PAPER, TAGLINE, advert, esc, href, link, menu,
                       prose, sky, tides, views)
from layout_modern import STUB, crumbs, pager, teasers
from pages import SECTIONS

STYLE = """
body{margin:0;background:#fbf8f3;font:18px/1.6 "Palatino Linotype",Palatino,serif;color:#2b2320}
a{color:#8a3b12}.wrap{max-width:58em;margin:0 auto;padding:0 1em}
.top{border-top:6px solid #8a3b12;padding:1em 0;display:flex;justify-content:space-between;align-items:baseline;flex-wrap:wrap}
.logo{font-size:2em;font-weight:bold}.menu{font:14px sans-serif;border-top:1px solid #cbb;border-bottom:1px solid #cbb;padding:.5em 0}
.menu div{display:inline-block;margin-right:1em}.where,.credit,.steps,.hits{font:14px sans-serif;color:#7a6a62}
.row{display:flex;gap:2.5em;flex-wrap:wrap}.col-story{flex:1 1 30em}.col-side{flex:0 1 15em;font-size:15px}
.panel{border-left:3px solid #d9c3b3;padding-left:1em;margin:1.4em 0}.panel-title{font-weight:bold}
.headline{font-size:1.9em;line-height:1.2;margin:.3em 0}.card{background:#f1e6da;padding:.4em 1em;font:15px sans-serif}
.teaser h2{margin:.6em 0 0;font-size:1.2em}.byline{font:14px sans-serif;color:#7a6a62;margin:0}
.below{margin-top:2em;padding:1em 0;border-top:1px solid #cbb;font:13px sans-serif}
""".strip()


def panel(title, rows):
    lines = "\n".join(f"<div>{row}</div>" for row in rows)
    return f'<div class="panel">\n<div class="panel-title">{title}</div>\n{lines}\n</div>'


def frame(site, page, content):
    name, text = advert(page)
    weather, wind, warm = sky(page)
    side = [panel("Most read this week", [link(page, p) for p in site.most_read()])]
    side.append(panel("Harbour clock", [f"{k} water {t}" for k, t in tides(page)]))
    side.append(panel("Weather", [f"{weather}, {wind}, {warm}°"]))
    side.append(panel("Advertisement", [f"<b>{esc(name)}</b>", esc(text)]))
    boxes = "\n".join(side)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{esc(page.title)} - {SECTIONS[page.section]} - {PAPER}</title>
<style>
{STYLE}
</style>
{STUB % page.id}
</head>
<body>
<div class="wrap">
<div class="top"><div class="logo">{PAPER}</div><div class="motto">{TAGLINE}</div></div>
<div class="menu">
{menu(page, '<div><a href="{href}">{name}</a></div>')}
</div>
<div class="where">You are here: {crumbs(page)}</div>
<div class="row">
<div class="col-story">
{content}
</div>
<div class="col-side">
{boxes}
</div>
</div>
<div class="below">
<div>{BANNER}</div>
<div>Write to the editor: 12 Customs House Steps, Skerrowmouth, or letters by hand through the brass flap.</div>
<div>Copyright 2025 Skerrow Packet Press. <a href="{href(page, "index.html")}">Front page</a></div>
</div>
</div>
</body>
</html>
"""


def card(page):
    """A recipe's facts, shown in a box above the method."""
    if not page.facts:
        return ""
    rows = "\n".join(f"<div><b>{n}:</b> {esc(v)}</div>" for n, v in page.facts)
    return f'<div class="card">\n{rows}\n</div>\n'


def article(site, page):
    left, right = pager(site, page)
    also = panel("You may also like", [link(page, p) for p in site.related(page)])
    return frame(site, page, f"""<div class="headline">{esc(page.title, quote=False)}</div>
<div class="credit">{page.day} | {esc(page.author, quote=False)}</div>
{card(page)}<div class="copy">
{prose(page)}
</div>
<div class="hits">{views(page)} readers so far</div>
<div class="steps"><div>{left}</div><div>{right}</div></div>
{also}""")


def index(site, page):
    return frame(site, page, f"""<div class="headline">{esc(page.title)}</div>
{teasers(page, site.section(page.section))}""")

"""The paper's present layout, its minified form, and the features' layout."""

from furniture import (BANNER, PAPER, TAGLINE, advert, esc, href, items, link,
                       menu, prose, sky, tides, views)
from pages import SECTIONS

STYLE = """
body{margin:0;font:17px/1.55 Georgia,serif;color:#1c2730;background:#f6f4ee}
a{color:#0b5873;text-decoration:none}a:hover{text-decoration:underline}
.banner{background:#0b3b4f;color:#fff;text-align:center;padding:.4em;font:14px sans-serif}
.masthead{text-align:center;padding:1.2em 1em .6em;border-bottom:3px double #0b3b4f}
.masthead b{font-size:2.6em;letter-spacing:.02em}.masthead p{margin:.2em 0;font-style:italic}
.main-nav ul{display:flex;flex-wrap:wrap;justify-content:center;gap:.3em 1.1em;list-style:none;margin:0;padding:.6em;background:#e3ecee;font:14px sans-serif}
.layout{display:grid;grid-template-columns:minmax(0,1fr) 17em;gap:2.5em;max-width:62em;margin:1em auto;padding:0 1em}
h1{line-height:1.15;margin:.3em 0}.byline,.crumbs,.pager,.share,.counter{font:14px sans-serif;color:#5a6872}
.box{background:#fff;border:1px solid #d8d3c6;padding:.6em 1em;margin-bottom:1.2em;font-size:15px}
.box h2,.box h3{margin:.2em 0;font-size:1.05em}.box ol,.box ul{padding-left:1.2em;margin:.4em 0}
.advert{background:#fff7d9;text-align:center}.pager{display:flex;justify-content:space-between;gap:1em;border-top:1px solid #d8d3c6;padding:.8em 0}
.facts{background:#e3ecee;padding:.5em 1em;font:15px sans-serif}.teaser{border-bottom:1px solid #d8d3c6;padding:.6em 0}.teaser h2{margin:0;font-size:1.2em}
.site-footer{background:#0b3b4f;color:#dce8ec;padding:1.2em;font:14px sans-serif;text-align:center}.site-footer a{color:#fff}
@media(max-width:50em){.layout{display:block}}
""".strip()

STUB = """<!-- page counter: counts in memory only, sends nothing -->
<script>
window.packet = window.packet || {queue: []};
packet.queue.push(["view", "%s", "health,technology,law,weather"]);
</script>"""


def head(page, title):
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{esc(title)} | {PAPER}</title>
<style>
{STYLE}
</style>
{STUB % page.id}
</head>"""


def crumbs(page):
    trail = [f'<a href="{href(page, "index.html")}">Home</a>']
    if page.section:
        name = SECTIONS[page.section]
        index = href(page, f"{page.section}/index.html")
        trail.append(f'<a href="{index}">{name}</a>')
    if page.kind != "Index":
        trail.append(f"<span>{esc(page.title)}</span>")
    return " &rsaquo; ".join(trail)


def pager(site, page):
    before, after = site.neighbours(page)
    left = "Newer: " + link(page, before) if before else "This is the newest story"
    right = "Older: " + link(page, after) if after else "This is the oldest story"
    return left, right


def tide_box(page):
    rows = "\n".join(f"<li>{kind} water {time}</li>" for kind, time in tides(page))
    weather, wind, warm = sky(page)
    return f"""<h2>Tides at the town quay</h2>
<ul>
{rows}
</ul>
<h2>Weather today</h2>
<p>{weather}, wind {wind}, {warm} degrees</p>"""


def aside(site, page):
    name, text = advert(page)
    read = items(link(page, p) for p in site.most_read())
    return f"""<aside class="sidebar">
<section class="box tides">
{tide_box(page)}
</section>
<section class="box most-read">
<h2>Most read</h2>
<ol>
{read}
</ol>
</section>
<!-- advert slot 2 -->
<div class="box advert"><small>Advertisement</small><h3>{esc(name)}</h3><p>{esc(text)}</p></div>
</aside>"""


def footer(page):
    return f"""<footer class="site-footer">
<p>{PAPER}, 12 Customs House Steps, Skerrowmouth. Telephone 01632 960100. Letters to the editor are welcome and may be shortened.</p>
<p><a href="{href(page, "notices/bylaws-slipway.html")}">Harbour bylaws</a> · <a href="{href(page, "notices/how-to-read-the-tide-table.html")}">Reading the tide table</a> · <a href="{href(page, "directory/index.html")}">Business directory</a></p>
<p>Copyright 2025 Skerrow Packet Press. All rights reserved under the law of copyright. Page served 17 December 2025.</p>
</footer>"""


def frame(site, page, title, content):
    """Everything round the content of a modern page."""
    nav = menu(page, '<li><a href="{href}">{name}</a></li>')
    return f"""{head(page, title)}
<body class="section-{page.section or "home"}">
<div class="banner" role="banner">{BANNER} <a href="{href(page, "index.html")}" style="color:#fff">Subscribe now</a></div>
<header class="masthead">
<b>{PAPER}</b>
<p>{TAGLINE}</p>
</header>
<nav class="main-nav" aria-label="Sections">
<ul>
{nav}
</ul>
</nav>
<div class="layout">
<main>
<nav class="crumbs">{crumbs(page)}</nav>
{content}
</main>
{aside(site, page)}
</div>
{footer(page)}
</body>
</html>
"""


def article(site, page):
    left, right = pager(site, page)
    twin = ""
    if page.options.get("print"):
        twin = f' · <a href="{page.slug}-print.html">Print version</a>'
    related = items(link(page, p) for p in site.related(page))
    return frame(site, page, page.title, f"""<article>
<h1>{esc(page.title, quote=False)}</h1>
<p class="byline">By <span class="author">{esc(page.author, quote=False)}</span>, <time datetime="{page.date}">{page.day}</time></p>
<!-- story begins -->
<div class="story">
{prose(page)}
</div>
<!-- story ends -->
</article>
<p class="share">Share this story: Post · Mail · Semaphore{twin}</p>
<p class="counter">Read {views(page)} times · {page.number("talk", 60)} comments</p>
<nav class="pager"><span>{left}</span><span>{right}</span></nav>
<section class="box related">
<h2>Related</h2>
<ul>
{related}
</ul>
</section>""")


def teasers(page, entries):
    return "\n".join(f"""<div class="teaser">
<h2>{link(page, p)}</h2>
<p class="byline">{p.day}</p>
<p>{esc(p.lead, quote=False)}</p>
</div>""" for p in entries)


def index(site, page):
    """A section's index, or the front page: its links are its content."""
    entries = site.section(page.section)
    notices = ""
    if not page.section:
        news = [p for p in site.articles if p.date and p.section in
                list(SECTIONS)[:9]]
        entries = sorted(news, key=lambda p: p.date, reverse=True)[:14]
        rows = items(link(page, p) for p in site.section("notices"))
        notices = f"\n<h2>Public notices</h2>\n<ul class=\"notices\">\n{rows}\n</ul>"
    return frame(site, page, page.title, f"""<h1>{esc(page.title)}</h1>
{teasers(page, entries)}{notices}""")


def minified(text):
    """The whole page on one line, as a build step would leave it."""
    return "".join(line.strip() for line in text.split("\n")) + "\n"

"""The directory's own layout, the print version, and no layout at all."""

from furniture import PAPER, advert, esc, href, link, menu, prose, views

STYLE = """
body{margin:0;font:16px/1.5 "Segoe UI",Helvetica,sans-serif;background:#eef3ef;color:#16302a}
a{color:#0c6b4f}.dir-head{background:#0c6b4f;color:#fff;padding:1em 2em}.dir-head a{color:#fff}.dir-head h2{margin:0}
.dir-sections{background:#dbe8df;padding:.5em 2em;font-size:14px}.dir-sections a{margin-right:.9em}
.dir-body{display:flex;flex-wrap:wrap;gap:2em;max-width:64em;margin:1.5em auto;padding:0 1em}
.listing{flex:2 1 28em;background:#fff;padding:1em 2em;border-radius:8px}.listing h1{margin:.2em 0}
.kind{text-transform:uppercase;letter-spacing:.1em;font-size:13px;color:#577}
dl{display:grid;grid-template-columns:9em 1fr;gap:.3em 1em}dt{font-weight:bold}dd{margin:0}
table{border-collapse:collapse}th,td{text-align:left;padding:.3em .9em .3em 0;border-bottom:1px solid #d5e2da;vertical-align:top}
.dir-side{flex:1 1 14em;font-size:15px}.dir-side div{background:#fff;border-radius:8px;padding:.7em 1em;margin-bottom:1em}
.dir-foot{padding:1.5em 2em;font-size:13px;color:#466}
""".strip()


def rows(page):
    """Restaurants show their facts as a list of terms, all others as a table."""
    if any(name == "Cuisine" for name, _ in page.facts):
        lines = "\n".join(f"<dt>{n}:</dt><dd>{esc(v)}</dd>" for n, v in page.facts)
        return f"<dl>\n{lines}\n</dl>"
    lines = "\n".join(f"<tr><th>{n}</th><td>{esc(v)}</td></tr>" for n, v in page.facts)
    return f'<table class="facts">\n{lines}\n</table>'


def listing(site, page):
    return f"""<p class="kind">{page.kind}</p>
<h1>{esc(page.title)}</h1>
{rows(page)}
<div class="about">
{prose(page)}
</div>
<p><small>Listing seen {views(page)} times. Is something wrong? Tell the harbour business desk.</small></p>"""


def contents(site, page):
    """The index: every entry with its kind and what it is known for."""
    lines = "\n".join(f"<tr><td>{link(page, p)}</td><td>{p.kind}</td><td>{esc(p.facts[0][1])}</td></tr>"
                      for p in site.section("directory"))
    return f"""<h1>Restaurants, boats and shops</h1>
<table>
<tr><th>Name</th><th>Kind</th><th>Known for</th></tr>
{lines}
</table>"""


def directory(site, page):
    name, text = advert(page)
    main = contents(site, page) if page.kind == "Index" else listing(site, page)
    near = [p for p in site.section("directory") if p is not page]
    near.sort(key=lambda p: (p.kind != page.kind, p.number(page.slug, 1 << 32)))
    also = "\n".join(f"<li>{link(page, p)}</li>" for p in near[:5])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{esc(page.title)} | Skerrowmouth Directory</title>
<style>
{STYLE}
</style>
<script>/* listing counter, offline */ var seen = (window.seen || 0) + 1;</script>
</head>
<body>
<div class="dir-head"><h2><a href="{href(page, "directory/index.html")}">Skerrowmouth Directory</a></h2>Eat, sail and buy with {PAPER}: restaurants open Monday to Sunday, boats, shops, health and law</div>
<div class="dir-sections">
{menu(page, '<a href="{href}">{name}</a>')}
</div>
<div class="dir-body">
<div class="listing">
{main}
</div>
<div class="dir-side">
<div><b>Also in the directory</b>
<ul>
{also}
</ul></div>
<div><b>Good to know</b><p>Most restaurants on the Strand are closed on Monday in winter. Italian, Indian and French kitchens stop at ten.</p></div>
<div><b>{esc(name)}</b><p>{esc(text)}</p><small>Advertisement</small></div>
</div>
</div>
<!-- directory footer, shared -->
<div class="dir-foot">Add your business for £30 a year. Opening hours are supplied by the owners and change with the weather. Copyright 2025 Skerrow Packet Press.</div>
</body>
</html>
"""


def bare(site, page):
    """The print version: the article and nothing beside it."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{esc(page.title)} (print version)</title>
<meta name="robots" content="noindex">
<style>body{{max-width:38em;margin:2em auto;font:16px/1.5 serif}}</style>
</head>
<body>
<h1>{esc(page.title, quote=False)}</h1>
<p>By {esc(page.author)}, {page.day}</p>
{prose(page)}
<hr>
<p><small>Printed from {PAPER}. <a href="{href(page, page.twin)}">Full version</a></small></p>
</body>
</html>
"""


def none(site, page):
    """No template: tags left open, as somebody typed them."""
    body = prose(page, "<p>{}", "<li>{}", "<ul>\n{}\n</ul>")
    return f"""<title>{esc(page.title)}</title>
<h1>{esc(page.title)}</h1>
{body}
<p>{esc(page.author)}, {page.day}
"""

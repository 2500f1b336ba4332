"""Two old layouts: 2012 made of nothing but divs, 2001 of nested tables."""

from furniture import PAPER, advert, esc, href, link, menu, prose, tides, views
from pages import SECTIONS

STYLE_2012 = """
body{margin:0;background:#cfdde3;font:15px/1.5 Verdana,sans-serif;color:#222}
#container{width:960px;max-width:100%;margin:0 auto;background:#fff;overflow:hidden}
#banner{background:#134;color:#fff;padding:18px;font-size:28px}#motto{font-size:13px}
#menu{background:#369;padding:6px}#menu div{display:inline-block;padding:2px 8px}#menu a{color:#fff}
#left{float:left;width:17%;padding:1%;font-size:12px}#content{float:left;width:56%;padding:1% 2%}
#right{float:left;width:17%;padding:1%;font-size:12px}.headline{font-size:24px;font-weight:bold}
.meta{color:#777;font-size:12px}.para{margin:12px 0}.boxhead{background:#def;font-weight:bold;padding:3px}
.entry{margin:6px 0}#bottom{clear:both;background:#eee;padding:12px;font-size:11px;text-align:center}
""".strip()

TAGS = "council health technology law weather sport business arts harbour".split()

# A chart of the estuary, drawn here so that the page needs no other file.
CHART = ("data:image/svg+xml,"
         "%3Csvg xmlns='http://www.w3.org/2000/svg' width='150' height='180'%3E"
         "%3Crect width='150' height='180' fill='%23a8cfe0'/%3E"
         "%3Cpath d='M0 0h60l20 60-30 50 20 70H0z' fill='%23d8cfa0'/%3E"
         "%3Ccircle cx='115' cy='55' r='16' fill='%23d8cfa0'/%3E"
         "%3Ctext x='8' y='40' font-size='12'%3ETown%3C/text%3E"
         "%3Ctext x='100' y='92' font-size='12'%3EIsland%3C/text%3E"
         "%3Ctext x='85' y='150' font-size='12'%3EHarbour%3C/text%3E%3C/svg%3E")


def entries_or_body(site, page, body, entry):
    """An index page lists its section; any other page has its own body."""
    if page.kind != "Index":
        return body
    return "\n".join(entry.format(link=link(page, p), day=p.day,
                                  lead=esc(p.lead, quote=False))
                     for p in site.section(page.section))


def steps(site, page):
    if page.kind == "Index":
        return "Choose a story above"
    before, after = site.neighbours(page)
    links = [link(page, p) for p in (before, after) if p]
    return " | ".join(["Previous and next"] + links)


def divs(site, page):
    """2012: no element but div, a and span below the body."""
    name, text = advert(page)
    body = prose(page, '<div class="para">{}</div>', '<div class="entry">{}</div>', "{}")
    content = entries_or_body(site, page, body, '<div class="entry">{link} <span class="meta">{day}</span> {lead}</div>')
    related = "" if page.kind == "Index" else "\n".join(
        f'<div class="entry">{link(page, p)}</div>' for p in site.related(page, 3))
    read = "\n".join(f'<div class="entry">{link(page, p)}</div>'
                     for p in site.section(page.section)[:4] if p is not page)
    cloud = "\n".join(f'<span class="tag">{t}</span>' for t in TAGS)
    byline = "" if page.kind == "Index" else (
        f'<div class="meta">Posted by {esc(page.author)} on {page.day} | {views(page)} views</div>')
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>{esc(page.title)} - Packet Online</title>
<style type="text/css">
{STYLE_2012}
</style>
<script type="text/javascript">var _hits = _hits || []; _hits.push(['track', '{page.slug}']);</script>
</head>
<body>
<div id="container">
<div id="banner">{PAPER} Online<div id="motto">Harbour, health, technology and law: the whole town in one place</div></div>
<div id="menu">
{menu(page, '<div><a href="{href}">{name}</a></div>')}
</div>
<div id="left">
<div class="boxhead">Also in 2012</div>
{read}
<div class="boxhead">Tags</div>
<div class="cloud">
{cloud}
</div>
</div>
<div id="content">
<!-- content start -->
<div class="headline">{esc(page.title, quote=False)}</div>
{byline}
<div class="text">
{content}
</div>
<!-- content end -->
<div class="meta">{steps(site, page)}</div>
</div>
<div id="right">
<div class="boxhead">Related</div>
{related}
<div class="boxhead">Sponsored</div>
<div class="entry">{esc(name)}: {esc(text)}</div>
<div class="boxhead">Weather</div>
<div class="entry">Sea area Mare Bank: variable 3, fair, good</div>
</div>
<div id="bottom">Copyright 2012 Skerrow Packet Press | Contact | Terms | Follow the Packet | <a href="{href(page, "index.html")}">Today's paper</a></div>
</div>
</body>
</html>
"""


def areas(page):
    spots = [("0,0,70,60", "arts", "Arts in the town"),
             ("0,60,70,180", "council", "Town council"),
             ("99,39,131,71", "archive/2001", "Island archive"),
             ("75,110,150,180", "harbour", "Harbour and weather")]
    return "\n".join(f'<AREA SHAPE="RECT" COORDS="{c}" HREF="{href(page, s + "/index.html")}" ALT="{a}">'
                     for c, s, a in spots)


def tables(site, page):
    """2001: three columns of nested tables, font tags and an image map."""
    name, text = advert(page)
    charset = page.options.get("charset", "us-ascii")
    body = prose(page, '<P><FONT FACE="Times New Roman" SIZE="3">{}</FONT></P>')
    content = entries_or_body(site, page, body, "<P>{link}<BR>\n<FONT SIZE=\"2\">{day}. {lead}</FONT></P>")
    byline = "" if page.kind == "Index" else (
        f'<P><FONT SIZE="2"><I>{esc(page.author)}, {page.day}</I></FONT></P>')
    water = "<BR>\n".join(f"{k} water {t}" for k, t in tides(page))
    others = "<BR>\n".join(link(page, p) for p in site.section(page.section) if p is not page)
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<HTML>
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={charset}">
<TITLE>{esc(page.title)} (Packet Archive 2001)</TITLE>
</HEAD>
<BODY BGCOLOR="#FFFFEE" TEXT="#000033" LINK="#0000CC" VLINK="#663399">
<CENTER>
<TABLE WIDTH="780" BORDER="0" CELLPADDING="4" CELLSPACING="0">
<TR><TD COLSPAN="3" BGCOLOR="#003366" ALIGN="CENTER">
<FONT COLOR="#FFFFFF" SIZE="6" FACE="Times New Roman"><B>{PAPER}</B></FONT><BR>
<FONT COLOR="#FFFFCC" SIZE="2">Archive of the year 2001. News, health, computers and technology, law, sport, weather</FONT>
</TD></TR>
<TR VALIGN="TOP"><TD WIDTH="150" BGCOLOR="#DDEEFF">
<TABLE WIDTH="100%" BORDER="0" CELLPADDING="2">
{menu(page, '<TR><TD><FONT SIZE="2"><A HREF="{href}">{name}</A></FONT></TD></TR>')}
</TABLE>
<IMG SRC="{CHART}" USEMAP="#chart" WIDTH="150" HEIGHT="180" BORDER="0" ALT="Chart of the estuary">
<MAP NAME="chart">
{areas(page)}
</MAP>
</TD><TD WIDTH="470">
<TABLE WIDTH="100%" BORDER="0" CELLPADDING="6"><TR><TD>
<!-- BEGIN STORY -->
<H2>{esc(page.title, quote=False)}</H2>
{byline}
{content}
<!-- END STORY -->
<HR SIZE="1">
<FONT SIZE="2">{steps(site, page)}</FONT>
</TD></TR></TABLE>
</TD><TD WIDTH="160" BGCOLOR="#EEEEDD">
<TABLE WIDTH="100%" BORDER="1" CELLPADDING="3">
<TR><TD BGCOLOR="#CCCC99"><B>Tides today</B></TD></TR>
<TR><TD><FONT SIZE="2">{water}</FONT></TD></TR>
<TR><TD BGCOLOR="#CCCC99"><B>Other stories</B></TD></TR>
<TR><TD><FONT SIZE="2">{others}</FONT></TD></TR>
<TR><TD BGCOLOR="#CCCC99"><B>Our sponsor</B></TD></TR>
<TR><TD><FONT SIZE="2">{esc(name)}. {esc(text)}</FONT></TD></TR>
</TABLE>
</TD></TR>
<TR><TD COLSPAN="3" ALIGN="CENTER" BGCOLOR="#DDEEFF"><FONT SIZE="1">You are visitor number {views(page)}. Best viewed at 800 by 600. Copyright 2001 Skerrow Packet Press, 12 Customs House Steps. <A HREF="{href(page, "index.html")}">Back to the present</A></FONT></TD></TR>
</TABLE>
</CENTER>
</BODY>
</HTML>
"""

//! The layout of 1999 to 2005: nested tables, an image map for the sections, spacer images, fonts.
//!
//! Each template part is a table of its own with no table inside, so its text is one chunk of the table-text-chunk
//! method, and the outer tables have no text. These texts are what a discovery ratio is computed against.

use super::frame::{Frame, Link, head};
use super::html::Html;
use super::marks::Part;

const SPACER: &str = "<tr><td><img src=\"/img/spacer.gif\" width=\"1\" height=\"4\" border=\"0\" alt=\"\"></td></tr>";

/// Writes a whole page.
pub(super) fn write(html: &mut Html, frame: &Frame<'_>, content: impl FnOnce(&mut Html)) {
    head(html, frame);
    html.line("<body bgcolor=\"#ffffff\" text=\"#000000\" link=\"#003366\" topmargin=\"0\" leftmargin=\"0\">");
    html.line("<table width=\"760\" border=\"0\" cellpadding=\"0\" cellspacing=\"0\" align=\"center\">")
        .line("<tr><td>");
    banner(html, frame);
    html.line("</td></tr>").line("<tr><td>");
    map(html, frame);
    html.line("</td></tr>").line("</table>");
    html.line("<table width=\"760\" border=\"0\" cellpadding=\"4\" cellspacing=\"0\" align=\"center\">")
        .line("<tr valign=\"top\">");
    if frame.section.menu_first {
        side(html, frame);
    }
    html.line("<td width=\"440\">");
    crumbs(html, frame);
    notice(html, frame);
    html.line("<table width=\"100%\" border=\"0\" cellpadding=\"2\">").line("<tr><td>");
    content(html);
    html.line("</td></tr>").line("</table>");
    pager(html, frame);
    html.line("</td>");
    if !frame.section.menu_first {
        side(html, frame);
    }
    html.line("<td width=\"160\">");
    links(html, "Related pages", &frame.related);
    promos(html, frame);
    html.line("</td>").line("</tr>").line("</table>");
    footer(html, frame);
    html.line("</body>").line("</html>");
}

/// A template table whose rows `rows` writes.
fn table(html: &mut Html, colour: &str, rows: impl FnOnce(&mut Html)) {
    html.tag("<table width=\"100%\" border=\"0\" cellpadding=\"2\" cellspacing=\"0\" bgcolor=\"")
        .tag(colour)
        .line("\">");
    html.template_table("table", rows);
    html.line("</table>");
}

fn font(html: &mut Html, part: Part, text: &str) {
    html.element("font face=\"Arial, Helvetica\" size=\"1\"", part, text);
}

fn banner(html: &mut Html, frame: &Frame<'_>) {
    table(html, frame.section.colour, |html| {
        html.tag("<tr><td><font size=\"5\" color=\"#ffffff\">").element("b", Part::Banner, &frame.site.name);
        html.tag("</font></td><td align=\"right\">");
        font(html, Part::Banner, &frame.site.slogan);
        html.line("</td></tr>").line(SPACER);
    });
}

fn map(html: &mut Html, frame: &Frame<'_>) {
    html.line("<img src=\"/img/sections.gif\" width=\"760\" height=\"24\" border=\"0\" usemap=\"#sections\" alt=\"\">");
    html.line("<map name=\"sections\">");
    html.template_table("map", |html| {
        for (number, section) in frame.site.sections.iter().enumerate() {
            let (left, right) = (number * 90, number * 90 + 89);
            html.tag(&format!("<area shape=\"rect\" coords=\"{left},0,{right},24\" href=\"/{}/\"", section.path));
            html.alt(Part::Map, &section.name).line(">");
        }
    });
    html.line("</map>");
}

fn side(html: &mut Html, frame: &Frame<'_>) {
    html.line("<td width=\"150\" class=\"menu\">");
    table(html, "#e8e8e8", |html| {
        row(html, Part::Nav, "Sections");
        for section in &frame.site.sections {
            link_row(html, Part::Nav, &format!("/{}/", section.path), &section.name);
        }
        html.line(SPACER);
    });
    table(html, "#f4f4f4", |html| {
        row(html, Part::Nav, &format!("More on {}", frame.section.name));
        for (number, entry) in frame.section.menu.iter().enumerate() {
            link_row(html, Part::Nav, &format!("/{}/menu{number}.html", frame.section.path), entry);
        }
        html.line(SPACER);
    });
    html.line("<form action=\"/search\" method=\"get\">");
    table(html, "#ffffff", |html| {
        row(html, Part::Search, "Search these pages");
        html.line(
            "<tr><td><input type=\"text\" name=\"q\" size=\"12\"> <input type=\"submit\" value=\"Go\"></td></tr>",
        );
        link_row(html, Part::Search, "/search/help.html", "Advanced search and help");
    });
    html.line("</form>").line("</td>");
}

fn row(html: &mut Html, part: Part, text: &str) {
    html.tag("<tr><td>").element("b", part, text).line("</td></tr>");
}

fn link_row(html: &mut Html, part: Part, href: &str, text: &str) {
    html.tag("<tr><td><img src=\"/img/dot.gif\" width=\"5\" height=\"5\" alt=\"\"> ")
        .link(part, href, text)
        .line("</td></tr>");
}

fn crumbs(html: &mut Html, frame: &Frame<'_>) {
    if frame.crumbs.is_empty() {
        return;
    }
    table(html, "#ffffff", |html| {
        html.tag("<tr><td><font size=\"1\">");
        for (href, text) in &frame.crumbs {
            html.link(Part::Crumbs, href, text).text(Part::Crumbs, frame.section.separator);
        }
        html.text(Part::Crumbs, frame.title).line("</font></td></tr>");
    });
}

fn notice(html: &mut Html, frame: &Frame<'_>) {
    if let Some(text) = frame.notice {
        table(html, "#ffffcc", |html| row(html, Part::Notice, text));
    }
}

fn pager(html: &mut Html, frame: &Frame<'_>) {
    if frame.previous.is_none() && frame.next.is_none() {
        return;
    }
    table(html, "#eeeeee", |html| {
        html.tag("<tr>");
        for (label, link) in [("Previous: ", &frame.previous), ("Next: ", &frame.next)] {
            if let Some((href, title)) = link {
                html.tag("<td width=\"50%\">").text(Part::Pager, label).link(Part::Pager, href, title).tag("</td>");
            }
        }
        html.line("</tr>");
    });
}

fn links(html: &mut Html, heading: &str, links: &[Link]) {
    if links.is_empty() {
        return;
    }
    table(html, "#eef2f6", |html| {
        row(html, Part::Related, heading);
        for (href, title) in links {
            link_row(html, Part::Related, href, title);
        }
    });
}

fn promos(html: &mut Html, frame: &Frame<'_>) {
    for (number, (heading, text)) in frame.section.promos.iter().enumerate() {
        table(html, "#fff8e8", |html| {
            row(html, Part::Promo, heading);
            html.tag("<tr><td>");
            font(html, Part::Promo, text);
            html.line("</td></tr>");
            link_row(html, Part::Promo, &format!("/offers/{number}.html"), "Find out more");
        });
    }
}

fn footer(html: &mut Html, frame: &Frame<'_>) {
    let inside = frame.section.counter_in_footer && !frame.site.shape.plain;
    html.line("<table width=\"760\" border=\"0\" align=\"center\">").line("<tr><td>");
    table(html, "#dddddd", |html| {
        html.tag("<tr><td align=\"center\">");
        for (number, section) in frame.site.sections.iter().enumerate() {
            if number > 0 {
                html.text(Part::Footer, " | ");
            }
            html.link(Part::Footer, &format!("/{}/", section.path), &section.name);
        }
        html.line("</td></tr>");
        for text in &frame.section.legal {
            html.tag("<tr><td>");
            font(html, Part::Footer, text);
            html.line("</td></tr>");
        }
        row(html, Part::Footer, &frame.site.copyright);
        if let Some(counter) = frame.counter.as_ref().filter(|_| inside) {
            row(html, Part::Counter, counter);
        }
    });
    if let Some(counter) = frame.counter.as_ref().filter(|_| !inside) {
        table(html, "#dddddd", |html| row(html, Part::Counter, counter));
    }
    html.line("</td></tr>").line("</table>");
}

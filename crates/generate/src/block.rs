//! The layout of today: header, nav, main, aside and footer, with divs and classes.

use super::frame::{Frame, head};
use super::html::Html;
use super::marks::Part;

/// Writes a whole page.
pub(super) fn write(html: &mut Html, frame: &Frame<'_>, content: impl FnOnce(&mut Html)) {
    let class = frame.section.class;
    head(html, frame);
    html.line(&format!("<body class=\"{class} {}\">", frame.section.path));
    banner(html, frame);
    html.line(&format!("<div class=\"{class}-columns\">"));
    if frame.section.menu_first {
        menu(html, frame);
    }
    html.line(&format!("<main class=\"{class}-main\" id=\"content\">"));
    crumbs(html, frame);
    if let Some(text) = frame.notice {
        html.line("<div class=\"notice\">").element("p", Part::Notice, text).end_line().line("</div>");
    }
    html.line(&format!("<article class=\"{class}-article\">"));
    content(html);
    html.line("</article>");
    pager(html, frame);
    html.line("</main>");
    if !frame.section.menu_first {
        menu(html, frame);
    }
    aside(html, frame);
    html.line("</div>");
    footer(html, frame);
    html.line("</body>").line("</html>");
}

fn item(html: &mut Html, part: Part, href: &str, text: &str) {
    html.tag("<li class=\"item\">").link(part, href, text).line("</li>");
}

fn banner(html: &mut Html, frame: &Frame<'_>) {
    html.line(&format!("<header class=\"{}-header\" role=\"banner\">", frame.section.class));
    html.tag("<a class=\"logo\" href=\"/\">").element("strong", Part::Banner, &frame.site.name).line("</a>");
    html.element("p class=\"slogan\"", Part::Banner, &frame.site.slogan).end_line();
    html.line("<nav class=\"sections\" aria-label=\"sections\">").line("<ul>");
    for section in &frame.site.sections {
        item(html, Part::Nav, &format!("/{}/", section.path), &section.name);
    }
    html.line("</ul>").line("</nav>");
    html.line("<form class=\"search\" action=\"/search\" method=\"get\">");
    html.element("label for=\"q\"", Part::Search, "Search these pages").end_line();
    html.tag("<input type=\"text\" id=\"q\" name=\"q\">")
        .element("button type=\"submit\"", Part::Search, "Search")
        .end_line();
    html.line("</form>").line("</header>");
}

fn menu(html: &mut Html, frame: &Frame<'_>) {
    let section = frame.section;
    html.line(&format!("<nav class=\"{}-menu\" aria-label=\"{}\">", section.class, section.path));
    html.element("h2", Part::Nav, &format!("More on {}", section.name)).end_line().line("<ul>");
    for (number, entry) in section.menu.iter().enumerate() {
        item(html, Part::Nav, &format!("/{}/menu{number}.html", section.path), entry);
    }
    html.line("</ul>").line("</nav>");
}

fn crumbs(html: &mut Html, frame: &Frame<'_>) {
    if frame.crumbs.is_empty() {
        return;
    }
    html.tag("<div class=\"crumbs\">");
    for (href, text) in &frame.crumbs {
        html.link(Part::Crumbs, href, text).text(Part::Crumbs, frame.section.separator);
    }
    html.element("span class=\"here\"", Part::Crumbs, frame.title).line("</div>");
}

fn pager(html: &mut Html, frame: &Frame<'_>) {
    if frame.previous.is_none() && frame.next.is_none() {
        return;
    }
    html.line("<div class=\"pager\">");
    for (label, rel, link) in [("Previous: ", "prev", &frame.previous), ("Next: ", "next", &frame.next)] {
        if let Some((href, title)) = link {
            html.tag(&format!("<div class=\"pager-{rel}\">")).text(Part::Pager, label);
            html.tag(&format!("<a rel=\"{rel}\" href=\"{href}\">")).text(Part::Pager, title).line("</a></div>");
        }
    }
    html.line("</div>");
}

fn aside(html: &mut Html, frame: &Frame<'_>) {
    html.line(&format!("<aside class=\"{}-aside\">", frame.section.class));
    if !frame.related.is_empty() {
        html.line("<section class=\"box related\">")
            .element("h2", Part::Related, "Related pages")
            .end_line()
            .line("<ul>");
        for (href, title) in &frame.related {
            item(html, Part::Related, href, title);
        }
        html.line("</ul>").line("</section>");
    }
    for (number, (heading, text)) in frame.section.promos.iter().enumerate() {
        html.line("<section class=\"box promo\">").element("h2", Part::Promo, heading).end_line();
        html.element("p", Part::Promo, text).end_line();
        html.tag("<p class=\"more\">")
            .link(Part::Promo, &format!("/offers/{number}.html"), "Find out more")
            .line("</p>");
        html.line("</section>");
    }
    html.line("</aside>");
}

fn footer(html: &mut Html, frame: &Frame<'_>) {
    let class = frame.section.class;
    let counter = |html: &mut Html| {
        if let Some(text) = &frame.counter {
            html.element("p class=\"updated\"", Part::Counter, text).end_line();
        }
    };
    html.line(&format!("<footer class=\"{class}-footer\">")).line("<ul class=\"sections\">");
    for section in &frame.site.sections {
        item(html, Part::Footer, &format!("/{}/", section.path), &section.name);
    }
    html.line("</ul>").line("<div class=\"legal\">");
    for text in &frame.section.legal {
        html.element("p", Part::Footer, text).end_line();
    }
    html.element("p", Part::Footer, &frame.site.copyright).end_line();
    if frame.section.counter_in_footer {
        counter(html);
    }
    html.line("</div>").line("</footer>");
    if !frame.section.counter_in_footer {
        counter(html);
    }
}

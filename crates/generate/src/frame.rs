//! What a template says around the content of one page, whatever its layout.

use super::Site;
use super::html::Html;
use super::marks::Part;
use super::plan::{PageKind, Plan};
use super::section::Section;
use super::words::{MONTHS, below, mix};
use unhusk_pages::random::Rng;

/// A link to another page.
pub(super) type Link = (String, String);

/// The words of a page's template. What is empty or absent is not shown.
pub(super) struct Frame<'a> {
    pub(super) site: &'a Site,
    pub(super) section: &'a Section,
    pub(super) title: &'a str,
    /// Front page, section, folder.
    pub(super) crumbs: Vec<Link>,
    pub(super) previous: Option<Link>,
    pub(super) next: Option<Link>,
    pub(super) related: Vec<Link>,
    pub(super) counter: Option<String>,
    pub(super) notice: Option<&'static str>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(site: &'a Site, plan: &Plan, title: &'a str) -> Self {
        let section = &site.sections[plan.section];
        let mut rng = Rng::new(mix(site.options.seed, 50, plan.index));
        let mut frame = Frame {
            site,
            section,
            title,
            crumbs: Vec::new(),
            previous: None,
            next: None,
            related: Vec::new(),
            counter: site.shape.counter.then(|| counter(&mut rng)),
            notice: (plan.index < site.shape.noticed_pages)
                .then_some("Our offices are closed for the holidays. Orders and letters are answered from the second of the month."),
        };
        if !site.shape.plain {
            frame.add_links(plan, &mut rng);
        }
        frame
    }

    fn add_links(&mut self, plan: &Plan, rng: &mut Rng) {
        let site = self.site;
        let pages = site.planner.section_pages(plan.section);
        let folder = site.folder(plan);
        let year = folder.split('/').nth(1).unwrap_or_default().to_owned();
        let link = |ordinal: u64| {
            let other = site.planner.plan(site.planner.page(plan.section, ordinal));
            (format!("/{}", site.id(&other)), site.title(&other))
        };
        self.crumbs = vec![
            ("/".to_owned(), "Home".to_owned()),
            (format!("/{}/", self.section.path), self.section.name.clone()),
            (format!("/{folder}/index.html"), year),
        ];
        if plan.kind != PageKind::Index {
            self.previous = plan.ordinal.checked_sub(1).map(link);
            self.next = (plan.ordinal + 1 < pages).then(|| link(plan.ordinal + 1));
        }
        self.related = (0..6).map(|_| link(below(rng, pages))).collect();
    }
}

fn counter(rng: &mut Rng) -> String {
    let year = 1999 + below(rng, 6);
    let date = date(rng, year);
    format!("Last updated {date}. This page has been viewed {} times.", 100 + rng.below(90_000))
}

/// A day of a year.
pub(super) fn date(rng: &mut Rng, year: u64) -> String {
    let month = MONTHS[rng.below(12)];
    format!("{} {month} {year}", 1 + rng.below(28))
}

/// The head of a page, from the document type to `</head>`.
pub(super) fn head(html: &mut Html, frame: &Frame<'_>) {
    let colour = frame.section.colour;
    if frame.section.block {
        html.line("<!DOCTYPE html>").line("<html lang=\"en\">");
    } else {
        html.line("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">").line("<html>");
    }
    html.line("<head>").line("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\">");
    html.tag("<title>").text(Part::Title, frame.title).text(Part::SiteName, &frame.site.title_suffix).line("</title>");
    html.line("<link rel=\"stylesheet\" type=\"text/css\" href=\"/style/site.css\">");
    html.line("<style type=\"text/css\">").line(&format!("h1 {{ color: {colour}; font-size: 1.4em }}"));
    html.line(&format!("td.menu, .{}-menu {{ background: {colour}; padding: 4px }}", frame.section.class));
    html.line("</style>").line("<script type=\"text/javascript\">");
    html.line("function go(list) { if (list.value) { window.location = list.value; } }");
    html.line(&format!("var section = \"{}\"; var started = new Date();", frame.section.path));
    html.line("</script>").line("</head>");
}

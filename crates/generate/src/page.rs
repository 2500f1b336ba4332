//! Writes one page: its content, inside the template of its section or outside of any.

use super::frame::{Frame, date};
use super::html::Html;
use super::marks::{Marks, Part, TemplateTable};
use super::plan::{PageKind, Plan};
use super::prose::{PLACES, Prose};
use super::records::Values;
use super::topics::Topic;
use super::words::{below, mix};
use super::{Site, block, table};
use unhusk_pages::random::Rng;

/// The most entries of an index page.
const ENTRIES: u64 = 40;

/// An attribute of a page and its value, which stands in the page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What is said.
    pub attribute: String,
    /// The value as it stands in the page.
    pub value: String,
}

/// A page and all that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedPage {
    /// Its path below `pages/`.
    pub id: String,
    /// What kind of page it is.
    pub kind: PageKind,
    /// Its HTML: UTF-8, in fact ASCII.
    pub html: String,
    /// What of it is template.
    pub marks: Marks,
    /// What its content states.
    pub facts: Vec<Fact>,
    /// The template tables and image maps, in page order; none in the block layout.
    pub tables: Vec<TemplateTable>,
}

impl GeneratedPage {
    /// The kinds of template on the page.
    pub fn templates(&self) -> Vec<Part> {
        let has = |part: &Part| self.marks.pieces.iter().any(|piece| piece.part == *part);
        Part::TEMPLATE.into_iter().filter(has).collect()
    }
}

/// What a page says, before layout.
enum Content {
    Article { byline: Byline, paragraphs: Vec<String> },
    Record { values: Values, paragraphs: Vec<String> },
    Index { entries: Vec<(String, String)> },
}

struct Byline {
    author: String,
    place: String,
    date: String,
}

impl Site {
    /// Makes the page with this number, from the seed and the number alone. Numbers start at 0; they wrap around at the
    /// site's number of pages.
    pub fn page(&self, index: u64) -> GeneratedPage {
        let plan = self.planner.plan(index % self.options.pages);
        let title = self.title(&plan);
        let content = self.content(&plan);
        let section = &self.sections[plan.section];
        let facts = content.facts();
        let mut html = Html::new(section.minified);
        match plan.kind {
            PageKind::Print => self.write_print(&mut html, &plan, &title, &content),
            PageKind::Bare => {
                html.tag("<html><head>").element("title", Part::Title, &title).line("</head>").line("<body>");
                content.write(&mut html, &title, false, section.block);
                html.line("</body></html>");
            }
            _ => {
                let frame = Frame::new(self, &plan, &title);
                let inner = |html: &mut Html| content.write(html, &title, true, section.block);
                if section.block {
                    block::write(&mut html, &frame, inner)
                } else {
                    table::write(&mut html, &frame, inner)
                }
            }
        }
        let (html, marks, tables) = html.finish();
        GeneratedPage { id: self.id(&plan), kind: plan.kind, html, marks, facts, tables }
    }

    fn write_print(&self, html: &mut Html, plan: &Plan, title: &str, content: &Content) {
        let original = self.id(&self.planner.plan(plan.source));
        html.line("<html>").tag("<head>").element("title", Part::Title, title).line("</head>");
        html.line("<body bgcolor=\"#ffffff\" onload=\"window.print()\">");
        content.write(html, title, true, true);
        html.line("<hr>")
            .tag("<p>")
            .text(Part::Footer, "Printed from ")
            .text(Part::Footer, &self.name)
            .text(Part::Footer, ". ");
        html.link(Part::Footer, &format!("/{original}"), "Back to the page")
            .line("</p>")
            .line("</body>")
            .line("</html>");
    }

    fn content(&self, plan: &Plan) -> Content {
        let mut prose = Prose::new(&self.vocabulary, &self.section_words, mix(self.options.seed, 61, plan.source));
        match (plan.kind, self.records) {
            (PageKind::Index, _) => Content::Index { entries: self.entries(plan) },
            (PageKind::Record, Some(records)) => {
                let values = records.values(plan.index, &self.vocabulary);
                let words = self.record_words(plan.index);
                let paragraphs = (0..prose.between(3, 6)).map(|_| prose.paragraph(&words, false)).collect();
                Content::Record { values, paragraphs }
            }
            _ => {
                // A print version says what its article says.
                let source = self.planner.plan(plan.source);
                Content::Article { byline: self.byline(&source), paragraphs: self.paragraphs(&source, &mut prose) }
            }
        }
    }

    fn byline(&self, plan: &Plan) -> Byline {
        let mut rng = Rng::new(mix(self.options.seed, 62, plan.index));
        let authors = &self.sections[plan.section].authors;
        let author = authors[rng.below(authors.len())].clone();
        let place = self.vocabulary.place(below(&mut rng, PLACES));
        Byline { author, place, date: date(&mut rng, self.year(plan)) }
    }

    fn paragraphs(&self, plan: &Plan, prose: &mut Prose<'_>) -> Vec<String> {
        let subject = self.topics.subject(plan.section, plan.ordinal, plan.index);
        let topic = |number| self.topics.get(number, &self.vocabulary);
        let main = topic(subject.main);
        let (low, high) = self.shape.paragraphs;
        let count = prose.between(low, high);
        let mut paragraphs: Vec<String> = (0..count).map(|n| prose.paragraph(&main, n == 0)).collect();
        if let Some(secondary) = subject.secondary.map(topic) {
            paragraphs.push(prose.paragraph(&secondary, true));
            if count > 5 {
                paragraphs.insert(2, prose.paragraph(&secondary, false));
            }
        }
        if let (Some(passing), Some(paragraph)) = (subject.passing.map(topic), paragraphs.get_mut(1)) {
            prose.mention(&passing, paragraph);
        }
        paragraphs
    }

    /// The words a record's description favours: like a topic's, but nobody asks for them.
    fn record_words(&self, page: u64) -> Topic {
        let mut rng = Rng::new(mix(self.options.seed, 63, page));
        let words = (0..10).map(|_| self.vocabulary.common(&mut rng).to_owned()).collect();
        let aspects = [rng.below(self.sections.len()), self.sections.len() - 1];
        Topic { words, person: self.vocabulary.person(&mut rng, 200), aspects }
    }

    fn entries(&self, plan: &Plan) -> Vec<(String, String)> {
        let size = self.planner.folder_pages(plan.section);
        let end = (plan.ordinal + size).min(self.planner.section_pages(plan.section));
        let ordinals = plan.ordinal + 1..end.min(plan.ordinal + 1 + ENTRIES);
        let entry = |ordinal| {
            let other = self.planner.plan(self.planner.page(plan.section, ordinal));
            (format!("/{}", self.id(&other)), self.title(&other))
        };
        ordinals.map(entry).collect()
    }
}

impl Content {
    fn facts(&self) -> Vec<Fact> {
        let fact = |attribute: &str, value: &str| Fact { attribute: attribute.to_lowercase(), value: value.to_owned() };
        match self {
            Content::Article { byline, .. } => {
                vec![fact("author", &byline.author), fact("place", &byline.place)]
            }
            Content::Record { values, .. } => values.iter().map(|(name, value)| fact(name, value)).collect(),
            Content::Index { .. } => Vec::new(),
        }
    }

    /// Writes heading and content; `labelled` with the fixed words of the template, `block` with modern elements.
    fn write(&self, html: &mut Html, title: &str, labelled: bool, block: bool) {
        html.element("h1", Part::Title, title).end_line();
        match self {
            Content::Article { byline, paragraphs } => {
                html.tag("<p class=\"byline\">").text(Part::Label, if labelled { "By " } else { "" });
                html.text(Part::Byline, &format!("{}, {}, {}", byline.author, byline.place, byline.date)).line("</p>");
                write_paragraphs(html, paragraphs);
            }
            Content::Record { values, paragraphs } => {
                if block {
                    write_list(html, values)
                } else {
                    write_table(html, values)
                }
                write_paragraphs(html, paragraphs);
            }
            Content::Index { entries } => {
                html.element("p", Part::Label, "Pages of this folder in the order they came in.").end_line();
                html.line("<ul class=\"index\">");
                for (href, title) in entries {
                    html.tag("<li>").link(Part::Entry, href, title).line("</li>");
                }
                html.line("</ul>");
            }
        }
    }
}

fn write_paragraphs(html: &mut Html, paragraphs: &[String]) {
    for paragraph in paragraphs {
        html.element("p", Part::Body, paragraph).end_line();
    }
}

fn write_table(html: &mut Html, values: &Values) {
    html.line("<table border=\"1\" cellpadding=\"3\">");
    for (attribute, value) in values {
        html.tag("<tr><td>").element("b", Part::Label, attribute).text(Part::Label, ":").tag("</td>");
        html.element("td", Part::Value, value).line("</tr>");
    }
    html.line("</table>");
}

fn write_list(html: &mut Html, values: &Values) {
    html.line("<dl class=\"record\">");
    for (attribute, value) in values {
        html.element("dt", Part::Label, attribute).element("dd", Part::Value, value).end_line();
    }
    html.line("</dl>");
}

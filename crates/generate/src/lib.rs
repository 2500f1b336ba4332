//! Makes a synthetic site whose templates, facts, queries and judgements are known, because it was made with them.
//!
//! A real collection tells how well a method does but not why, and nobody has marked a million pages. A generated
//! site has a mark on each piece of text. It has what makes template removal hard: sections with templates of their
//! own, boxes whose words change from page to page, values that recur and are content all the same, index pages
//! whose links are their content, print versions, pages without template, pages in one source line. And its
//! navigation is made of words that people search for.
//!
//! Any page can be made from the seed and its number alone ([`Site::page`]), so a site of a million pages
//! streams in flat memory, and the same options give the same bytes on every machine.
//!
//! ```
//! use unhusk_generate::{Options, Site};
//!
//! let site = Site::new(Options { pages: 100, seed: 7, ..Options::default() })?;
//! let page = site.page(42);
//! assert!(page.html.contains("<title>"));
//! assert!(page.marks.pieces.iter().any(|piece| piece.part.is_template()));
//! # Ok::<(), unhusk_generate::Error>(())
//! ```

#![forbid(unsafe_code)]

mod block;
mod frame;
mod html;
mod marks;
mod page;
mod plan;
mod prose;
mod queries;
mod records;
mod samples;
mod section;
mod table;
mod topics;
mod words;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;

pub use marks::{Marks, Part, Piece, TemplateTable};
pub use page::{Fact, GeneratedPage};
pub use plan::PageKind;
pub use queries::{Judgement, Query};
pub use samples::{TableSample, table_samples, write_table_samples};
pub use write::{write_jsonl, write_site};

use plan::{Plan, Planner};
use prose::Prose;
use records::{Records, THEMES};
use section::Section;
use topics::Topics;
use words::{Vocabulary, below, mix};

use unhusk_pages::random::Rng;

/// The fewest pages a site can have: enough for a few in each section.
pub const FEWEST_PAGES: u64 = 24;

/// The most pages: above, topics would run out of words.
pub const MOST_PAGES: u64 = 5_000_000;

/// The year of the first folder.
const FIRST_YEAR: u64 = 2001;

/// How pages are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Nested layout tables and image maps.
    Table,
    /// Block elements: header, nav, main, aside, footer.
    Block,
    /// The one or the other, by section.
    #[default]
    Mixed,
}

impl FromStr for Style {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "table" => Ok(Style::Table),
            "block" => Ok(Style::Block),
            "mixed" => Ok(Style::Mixed),
            _ => Err(Error::UnknownStyle(name.to_owned())),
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Style::Table => "table",
            Style::Block => "block",
            Style::Mixed => "mixed",
        })
    }
}

/// What site to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Options {
    /// How many pages, at least [`FEWEST_PAGES`].
    pub pages: u64,
    /// Another seed, another site.
    pub seed: u64,
    /// How pages are laid out.
    pub style: Style,
    /// Whether [`write_site`] writes `marked/`, one file a page, and the texts of template tables.
    pub marks: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { pages: 1_000, seed: 1, style: Style::Mixed, marks: true }
    }
}

/// Why a site could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The number of pages is out of range.
    #[error("a site of {0} pages cannot be made: expected {FEWEST_PAGES} to {MOST_PAGES}")]
    Pages(u64),
    /// No style has this name.
    #[error("no style is called {0:?}: expected table, block or mixed")]
    UnknownStyle(String),
    /// The directory to write to has something in it.
    #[error("{} is not empty: name a new or an empty directory", .0.display())]
    NotEmpty(PathBuf),
    /// A file could not be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A stream could not be written.
    #[error("cannot write page {page} of the stream")]
    Stream {
        /// The page's number.
        page: u64,
        /// What went wrong.
        source: std::io::Error,
    },
}

/// A result of this module.
pub type Result<T> = std::result::Result<T, Error>;

/// What the samples vary and a caller does not.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Articles only, in one section, and no template that differs from page to page.
    plain: bool,
    /// Whether pages carry a date and a counter.
    counter: bool,
    /// How many pages, from the first, carry a notice.
    noticed_pages: u64,
    /// Fewest and most paragraphs of an article.
    paragraphs: (u64, u64),
    /// Boxes that advertise the site itself.
    promos: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { plain: false, counter: true, noticed_pages: 0, paragraphs: (4, 8), promos: 3 }
    }
}

/// A synthetic site: what its pages have in common. The pages are made on demand.
#[derive(Debug)]
pub struct Site {
    options: Options,
    shape: Shape,
    name: String,
    slogan: String,
    copyright: String,
    title_suffix: String,
    vocabulary: Vocabulary,
    sections: Vec<Section>,
    /// The sections' names as articles use them.
    section_words: Vec<String>,
    planner: Planner,
    topics: Topics,
    records: Option<Records>,
}

impl Site {
    /// Draws sections, templates and topics.
    pub fn new(options: Options) -> Result<Self> {
        if !(FEWEST_PAGES..=MOST_PAGES).contains(&options.pages) {
            return Err(Error::Pages(options.pages));
        }
        Ok(Self::shaped(options, Shape::default()))
    }

    fn shaped(options: Options, shape: Shape) -> Self {
        let Options { pages, seed, style, .. } = options;
        let mut rng = Rng::new(mix(seed, 2, 0));
        let vocabulary = Vocabulary::new(seed);
        let sections = 5 + below(&mut rng, 4);
        let theme = (!shape.plain).then(|| THEMES[rng.below(THEMES.len())]);
        let drawn = section::draw(seed, style, sections as usize, theme, shape.promos, &vocabulary);
        // A plain site names its sections but has pages in the first only, so all share one template.
        let filled = if shape.plain { 1 } else { sections };
        let planner = Planner { seed, pages, sections: filled, records: theme.is_some(), articles_only: shape.plain };
        let with_topics = filled - u64::from(theme.is_some());
        let name = format!(
            "The {} {}",
            vocabulary.proper(below(&mut rng, 1_000)),
            ["Courier", "Herald", "Gazette", "Observer"][rng.below(4)]
        );
        Site {
            slogan: format!("News for {} and the coast since {}", vocabulary.place(0), 1850 + rng.below(140)),
            copyright: format!("© {FIRST_YEAR} {name}. Contact us. About us. Help."),
            title_suffix: format!(" - {name}"),
            name,
            section_words: drawn.iter().map(|section| section.path.clone()).collect(),
            sections: drawn,
            topics: Topics::new(seed, with_topics, planner.section_pages(0)),
            records: theme.map(|theme| Records::new(seed, theme, planner.section_pages(sections as usize - 1))),
            planner,
            vocabulary,
            shape,
            options,
        }
    }

    /// What the site was made from.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// All pages, in order.
    pub fn pages(&self) -> impl Iterator<Item = GeneratedPage> {
        (0..self.options.pages).map(|index| self.page(index))
    }

    /// What stands before a page's id in its URL.
    pub fn base_url(&self) -> String {
        format!("http://www.{}.example/", self.name.to_lowercase().replace(' ', "-"))
    }

    /// A page's folder: section and year, and the week where a section has many folders.
    fn folder(&self, plan: &Plan) -> String {
        let section = &self.sections[plan.section].path;
        let year = self.year(plan);
        if self.planner.folders(plan.section) > 5 {
            format!("{section}/{year}/w{:02}", plan.folder % 52 + 1)
        } else {
            format!("{section}/{year}")
        }
    }

    fn year(&self, plan: &Plan) -> u64 {
        let each = if self.planner.folders(plan.section) > 5 { 52 } else { 1 };
        FIRST_YEAR + plan.folder / each
    }

    fn id(&self, plan: &Plan) -> String {
        let folder = self.folder(plan);
        match plan.kind {
            PageKind::Index => format!("{folder}/index.html"),
            PageKind::Print => format!("{folder}/print{:06}.html", plan.ordinal - 1),
            PageKind::Record => format!("{folder}/entry{:06}.html", plan.ordinal),
            _ => format!("{folder}/art{:06}.html", plan.ordinal),
        }
    }

    fn title(&self, plan: &Plan) -> String {
        match (plan.kind, self.records) {
            (PageKind::Index, _) => {
                let folder = self.folder(plan).split('/').skip(1).collect::<Vec<_>>().join(" ");
                format!("{} archive {folder}", self.sections[plan.section].name)
            }
            (PageKind::Record, Some(records)) => records.name(plan.index, &self.vocabulary),
            _ => {
                let source = self.planner.plan(plan.source);
                let subject = self.topics.subject(source.section, source.ordinal, source.index);
                let topic = self.topics.get(subject.main, &self.vocabulary);
                let mut prose =
                    Prose::new(&self.vocabulary, &self.section_words, mix(self.options.seed, 60, source.index));
                topic.headline(&mut prose)
            }
        }
    }
}

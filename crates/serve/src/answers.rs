//! What the server answers: the values of the JSON interface, which the pages show too. `docs/openapi.json` describes them.

use serde::Serialize;
use serde_json::Value;

use super::state::{App, Opened};
use super::text::{self, Fragment};
use unhusk_documents::export::{Detail, Values};
use unhusk_eval::report::figures;
use unhusk_index::index::templates::Group;
use unhusk_index::search::{Facet, Hit, Place, Searched as Field, Shown};
use unhusk_pages::field::Fields;
use unhusk_strip::strip::Template;

/// Why a request is not answered.
#[derive(Serialize)]
pub(super) struct Problem {
    pub(super) error: String,
}

/// How the server is, and what is open.
#[derive(Serialize)]
pub(super) struct Health {
    pub(super) status: &'static str,
    pub(super) unhusk: &'static str,
    pub(super) indexes: Vec<IndexSummary>,
    pub(super) queries: usize,
    pub(super) judging: bool,
}

/// An index that is open.
#[derive(Serialize)]
pub(super) struct IndexSummary {
    pub(super) name: String,
    pub(super) method: &'static str,
    pub(super) pages: u64,
    pub(super) bytes: u64,
    pub(super) language: String,
    pub(super) keeps_pages: bool,
    pub(super) templates: usize,
}

impl IndexSummary {
    pub(super) fn new(opened: &Opened) -> Self {
        let manifest = opened.engine.manifest();
        IndexSummary {
            name: opened.name.clone(),
            method: manifest.method.name(),
            pages: manifest.pages.indexed,
            bytes: manifest.sizes.total(),
            language: manifest.language.to_string(),
            keeps_pages: opened.kept.is_some(),
            templates: opened.templates.templates.len(),
        }
    }
}

/// A document that was found.
#[derive(Clone, Serialize)]
pub(super) struct Found {
    pub(super) rank: usize,
    pub(super) id: String,
    pub(super) url: String,
    pub(super) title: String,
    pub(super) aliases: Vec<String>,
    pub(super) score: f32,
    pub(super) snippet: String,
    /// The field it is from.
    pub(super) snippet_from: Field,
    pub(super) highlights: Vec<(usize, usize)>,
    /// What it was judged for this query; none where it was not.
    pub(super) grade: Option<i32>,
    /// What else is known of it.
    #[serde(serialize_with = "plainly")]
    pub(super) fields: Fields,
}

fn plainly<S: serde::Serializer>(fields: &Fields, serializer: S) -> Result<S::Ok, S::Error> {
    Values { fields, detail: Detail::Plain }.serialize(serializer)
}

fn explained<S: serde::Serializer>(fields: &Fields, serializer: S) -> Result<S::Ok, S::Error> {
    Values { fields, detail: Detail::Explained }.serialize(serializer)
}

/// Date, author and price, for a line.
fn line(fields: &Fields) -> String {
    let values = |name: &str| {
        fields.get(name).iter().take(5).map(|value| value.content.to_string()).collect::<Vec<_>>().join(", ")
    };
    let price = format!("{} {}", values("price"), values("currency"));
    let parts = [values("published"), values("author"), if values("price").is_empty() { String::new() } else { price }];
    text::shortened(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "), 160)
}

impl Found {
    pub(super) fn new(rank: usize, hit: Hit, shown: Shown, grade: Option<i32>) -> Self {
        let Shown { url, title, aliases, snippet, snippet_from, highlights, fields } = shown;
        let (id, score) = (hit.id, hit.score);
        Found { rank, id, url, title, aliases, score, snippet, snippet_from, highlights, grade, fields }
    }

    /// Date, author and price.
    pub(super) fn known(&self) -> String {
        line(&self.fields)
    }

    pub(super) fn heading(&self) -> String {
        text::title(&self.title, &self.id)
    }

    pub(super) fn address(&self) -> String {
        text::shortened(&self.url, 120)
    }

    pub(super) fn outside(&self) -> Option<String> {
        text::outside(&self.url)
    }

    pub(super) fn fragments(&self) -> Vec<Fragment> {
        text::fragments(&self.snippet, &self.highlights)
    }

    /// Whether it was found by words that are not its content.
    pub(super) fn is_aside(&self) -> bool {
        self.snippet_from == Field::Aside
    }

    pub(super) fn relevant(&self) -> bool {
        self.grade.is_some_and(|grade| grade >= 1)
    }

    pub(super) fn not_relevant(&self) -> bool {
        self.grade == Some(0)
    }

    /// The first of its copies, and how many more there are.
    pub(super) fn also_at(&self) -> Option<String> {
        let first = text::shortened(self.aliases.first()?, 80);
        Some(match self.aliases.len() {
            1 => first,
            n => format!("{first} and {} more", n - 1),
        })
    }
}

/// The answer to a search.
#[derive(Serialize)]
pub(super) struct Searched {
    pub(super) query: String,
    pub(super) index: String,
    pub(super) host: Option<String>,
    pub(super) dir: Option<String>,
    pub(super) page: usize,
    pub(super) k: usize,
    pub(super) seconds: f64,
    /// How many pages match.
    pub(super) pages: u64,
    pub(super) hits: Vec<Found>,
    /// Values of fields among the pages that match.
    pub(super) facets: Vec<Facet>,
    /// The field results are sorted by; none where they are by score.
    pub(super) sort: Option<String>,
    /// Whether there is a next page.
    pub(super) more: bool,
    pub(super) suggestions: Vec<Suggestion>,
}

/// Another way to ask, which finds something.
#[derive(Serialize)]
pub(super) struct Suggestion {
    pub(super) why: String,
    pub(super) query: String,
    pub(super) index: String,
    pub(super) host: Option<String>,
    pub(super) dir: Option<String>,
}

/// Two rankings of one query.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) query: String,
    /// The id of the query in the query file; none where it is not there.
    pub(super) query_id: Option<String>,
    pub(super) k: usize,
    pub(super) before: Ranking,
    pub(super) after: Ranking,
}

/// One of two rankings.
#[derive(Serialize)]
pub(super) struct Ranking {
    pub(super) index: String,
    pub(super) seconds: f64,
    pub(super) relevant: usize,
    pub(super) hits: Vec<Moved>,
}

/// A document of one ranking, and where it is in the other.
#[derive(Serialize)]
pub(super) struct Moved {
    #[serde(flatten)]
    pub(super) found: Found,
    pub(super) other_rank: Option<usize>,
    pub(super) change: Change,
}

/// What became of a document from the first ranking to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    Same,
    Rose,
    Fell,
    Came,
    Went,
}

/// A page: what was indexed of it, what was set aside or dropped and why.
#[derive(Serialize)]
pub(super) struct Viewed {
    pub(super) index: String,
    pub(super) id: String,
    pub(super) url: String,
    pub(super) title: String,
    pub(super) aliases: Vec<String>,
    /// What else is known of it, with who says so.
    #[serde(serialize_with = "explained")]
    pub(super) fields: Fields,
    /// What is missing and why, where something is.
    pub(super) missing: Option<String>,
    /// Whether the page's source can be shown.
    pub(super) has_source: bool,
    pub(super) text_bytes: u64,
    pub(super) kept_bytes: u64,
    pub(super) aside_bytes: u64,
    pub(super) stretches: Vec<Stretch>,
    pub(super) reasons: Vec<TakenFor>,
    /// The learned templates that are on it, those on most pages first.
    pub(super) templates: Vec<Template>,
}

/// A stretch of a page's text with one mark.
#[derive(Serialize)]
pub(super) struct Stretch {
    pub(super) text: String,
    /// What stands in front of it: nothing, a space or a line break.
    pub(super) join: &'static str,
    /// The number of the reason it was set aside or dropped for; none where it is content.
    pub(super) reason: Option<usize>,
}

/// A reason, and how much of the page was set aside or dropped for it.
#[derive(Serialize)]
pub(super) struct TakenFor {
    pub(super) text: String,
    pub(super) details: Value,
    /// Whether it was set aside, and not dropped.
    pub(super) aside: bool,
    pub(super) bytes: u64,
}

/// Templates an index was built without.
#[derive(Serialize)]
pub(super) struct Listed {
    pub(super) index: String,
    pub(super) pages: u64,
    pub(super) total: usize,
    pub(super) page: usize,
    pub(super) k: usize,
    pub(super) templates: Vec<Together>,
}

/// Texts that stand together on the same pages: a whole menu, a whole footer, or one text.
#[derive(Serialize)]
pub(super) struct Together {
    /// Pages that the text with most pages is on.
    pub(super) pages: u32,
    pub(super) bytes_saved: u64,
    /// The page they were first found on.
    pub(super) example: String,
    pub(super) texts: Vec<Template>,
}

impl From<&Group<'_>> for Together {
    fn from(group: &Group<'_>) -> Self {
        Together {
            pages: group.pages().1,
            bytes_saved: group.bytes_saved(),
            example: group.example().to_owned(),
            texts: group.templates.iter().map(|&template| template.clone()).collect(),
        }
    }
}

/// A judgement that was made.
#[derive(Serialize)]
pub(super) struct Judged {
    pub(super) query: String,
    pub(super) query_id: String,
    pub(super) id: String,
    pub(super) grade: Option<i32>,
}

/// Hosts and directories to choose from.
pub(super) struct Choices {
    pub(super) hosts: Vec<Place>,
    pub(super) directories: Vec<Place>,
}

/// What every page shows around what it is about.
pub(super) struct Chrome {
    pub(super) title: String,
    /// The part of the site that is shown.
    pub(super) active: &'static str,
    /// What was asked, carried from page to page.
    pub(super) query: String,
    pub(super) indexes: Vec<String>,
    pub(super) judging: bool,
    pub(super) has_report: bool,
    pub(super) version: &'static str,
}

impl Chrome {
    pub(super) fn is(&self, part: &str) -> bool {
        self.active == part
    }

    pub(super) fn link(&self, path: &str) -> String {
        text::address(path, &[("q", &self.query)])
    }
}

impl App {
    pub(super) fn chrome(&self, title: &str, active: &'static str, query: &str) -> Chrome {
        Chrome {
            title: text::shortened(title, 80),
            active,
            query: query.to_owned(),
            indexes: self.names(),
            judging: self.judgements.writable(),
            has_report: self.judgements.given(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Seconds as people read them.
pub(super) fn duration(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1000.0) } else { format!("{seconds:.2} s") }
}

pub(super) fn count(number: impl Into<u64>) -> String {
    figures::count(number.into())
}

//! What a page says about itself becomes fields: title, author, dates, price and so on.
//!
//! Each way a page can say something is a file with a table of what is read of it. What all of them say is kept with the page; which of it a
//! document has is decided when the whole site has been seen ([`site`], [`choose`]).
//!
//! | file | reads |
//! |---|---|
//! | `json_ld` | `<script type="application/ld+json">`, with `json` |
//! | `microdata` | `itemscope`, `itemprop` |
//! | `rdfa` | `vocab`, `typeof`, `property` |
//! | `open_graph` | `<meta property="og:…">`, `article:…`, Twitter's cards |
//! | `meta` | `<meta name="…">`, Dublin Core, `docsearch:…` |
//! | `search_marks` | `data-pagefind-meta`, `-filter` and `-sort` |
//! | `markup` | `<time>`, `lang`, `<link rel=canonical>`, `rel=author`, `<h1>`, `<title>`, what is called author or date |
//! | `schema` | what the first three have in common: things with a type and properties |
//! | `dates`, `numbers` | values as their types |

pub mod choose;
mod dates;
mod json;
mod json_ld;
mod markup;
mod meta;
mod microdata;
mod numbers;
mod open_graph;
mod rdfa;
mod schema;
mod search_marks;
pub mod site;

use serde::{Deserialize, Serialize};

use crate::field::{Content, Counts, Fields, Kind, LeftOut, Place, Source, Value};
use crate::parse::Page;
use crate::parse::said::Said;
use dates::{Dated, Order};
use numbers::Counted;

/// Fields of one page; more are left out.
const MOST_FIELDS: usize = 200;
/// Values of one page; more are left out.
const MOST_VALUES: usize = 1000;
/// The longest keyword, text and address, in bytes.
const LONGEST: [(Kind, usize); 3] = [(Kind::Keyword, 300), (Kind::Text, 4000), (Kind::Url, 2000)];
/// The longest script that is read, in bytes.
const LONGEST_SCRIPT: usize = 512 << 10;

/// What is read of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// All properties, under their own names too.
    pub all: bool,
}

/// Reads what a page says about itself into [`Page::fields`].
pub fn read(page: &mut Page, said: &Said, reading: &Reading) {
    let mut collector = Collector {
        page,
        all: reading.all,
        order: Order::of(language(said)),
        fields: Fields::default(),
        counts: Counts::new(),
        values: 0,
    };
    search_marks::read(said, &mut collector);
    json_ld::read(said, &mut collector);
    microdata::read(said, &mut collector);
    rdfa::read(said, &mut collector);
    open_graph::read(said, &mut collector);
    meta::read(said, &mut collector);
    markup::read(said, &mut collector);
    let Collector { fields, counts, .. } = collector;
    page.fields = fields;
    page.left_out = counts;
}

/// The language of the page's root.
fn language(said: &Said) -> &str {
    let root = said.marks.first().filter(|mark| &*mark.tag == "html");
    root.and_then(|root| root.get("lang").or_else(|| root.get("xml:lang"))).unwrap_or_default()
}

/// Values on their way to their fields.
struct Collector<'p> {
    page: &'p Page,
    all: bool,
    order: Order,
    fields: Fields,
    counts: Counts,
    values: usize,
}

impl Collector<'_> {
    /// Adds a value as the type its field has.
    fn add(&mut self, name: &str, text: &str, source: Source, line: u32, path: impl FnOnce() -> String) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match self.content(name, text) {
            Ok(content) => self.push(name, content, source, line, path),
            Err(why) => self.count(why),
        }
    }

    fn push(&mut self, name: &str, content: Content, source: Source, line: u32, path: impl FnOnce() -> String) {
        let is_new = self.fields.get(name).is_empty();
        if self.values >= MOST_VALUES || (is_new && self.fields.len() >= MOST_FIELDS) {
            return self.count(LeftOut::TooMany);
        }
        self.values += 1;
        self.fields.add(name, Value { content, source, place: Place { line, path: path() } });
    }

    fn count(&mut self, why: LeftOut) {
        *self.counts.entry(why).or_default() += 1;
    }

    fn has(&self, name: &str) -> bool {
        !self.fields.get(name).is_empty()
    }

    fn content(&mut self, name: &str, text: &str) -> Result<Content, LeftOut> {
        match kind_of(name, text) {
            Kind::Date => match dates::read(text, self.order) {
                Dated::Read(date) => return Ok(Content::Date(date)),
                Dated::Impossible => return Err(LeftOut::Impossible),
                Dated::Unread => {}
            },
            Kind::Number => match numbers::read(text) {
                Counted::Read(amount) => return Ok(Content::Number { amount, unit: None }),
                Counted::Impossible => return Err(LeftOut::Impossible),
                Counted::Unread => {}
            },
            Kind::Text => return fitting(Kind::Text, folded(text)).map(Content::Text),
            Kind::Keyword => return fitting(Kind::Keyword, folded(text)).map(Content::Keyword),
            Kind::Url => return self.url(text),
        }
        self.count(LeftOut::Unread);
        fitting(Kind::Keyword, folded(text)).map(Content::Text)
    }

    /// An address, as it is from the page.
    fn url(&self, text: &str) -> Result<Content, LeftOut> {
        let text = fitting(Kind::Url, text.to_owned())?;
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Content::Url(text));
        }
        let absolute = url::Url::parse(&self.page.url).ok().and_then(|base| base.join(&text).ok());
        match absolute.map(|url| (url.scheme().to_owned(), url)) {
            Some((scheme, url)) if scheme == "http" || scheme == "https" => Ok(Content::Url(url.into())),
            // `data:` holds the image itself, and `javascript:` is no place.
            Some(_) => Err(LeftOut::Unread),
            None if text.contains(':') && !text.starts_with(['/', '.']) => Err(LeftOut::Unread),
            None => Ok(Content::Url(text)),
        }
    }
}

fn fitting(kind: Kind, text: String) -> Result<String, LeftOut> {
    let longest = LONGEST.iter().find(|(of, _)| *of == kind).map_or(usize::MAX, |(_, most)| *most);
    if text.len() <= longest { Ok(text) } else { Err(LeftOut::TooLong) }
}

/// White space folded, control characters gone.
fn folded(text: &str) -> String {
    let words =
        text.split(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The names people expect, and what kind of value they have.
pub const NAMES: [(&str, Kind); 17] = [
    ("title", Kind::Text),
    ("description", Kind::Text),
    ("author", Kind::Keyword),
    ("published", Kind::Date),
    ("modified", Kind::Date),
    ("image", Kind::Url),
    ("language", Kind::Keyword),
    ("section", Kind::Keyword),
    ("tags", Kind::Keyword),
    ("type", Kind::Keyword),
    ("url", Kind::Url),
    ("price", Kind::Number),
    ("currency", Kind::Keyword),
    ("brand", Kind::Keyword),
    ("availability", Kind::Keyword),
    ("rating", Kind::Number),
    (SITE_NAME, Kind::Keyword),
];

/// What the site calls itself: titles are cut by it.
pub(crate) const SITE_NAME: &str = "site_name";

/// What kind of value a field has. That of one with a name of its own is seen from the value.
fn kind_of(name: &str, text: &str) -> Kind {
    if let Some((_, kind)) = NAMES.iter().find(|(known, _)| *known == name) {
        return *kind;
    }
    let is_date = || name.starts_with("date") || name.ends_with("Date") || name.ends_with("Time");
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && text.parse::<f64>().is_ok() {
        Kind::Number
    } else if text.starts_with("http://") || text.starts_with("https://") {
        Kind::Url
    } else if is_date()
        && text.len() < 40
        && text.starts_with(|c: char| c.is_ascii_digit())
        && !matches!(dates::read(text, Order::Unknown), Dated::Unread)
    {
        Kind::Date
    } else if text.len() <= 100 {
        Kind::Keyword
    } else {
        Kind::Text
    }
}

/// Shows each part of a list in one text: `news, sport`.
fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '、']).map(str::trim).filter(|part| !part.is_empty())
}

/// The names in a text that is said to be an author: several where it surely has several.
fn names(text: &str) -> Vec<String> {
    let text = folded(text);
    let text = ["By ", "by ", "BY ", "Von ", "von ", "Par ", "Por ", "Di "]
        .iter()
        .fold(text.as_str(), |text, by| text.strip_prefix(by).unwrap_or(text));
    let is_name = |part: &str| part.split(' ').count() >= 2 && part.chars().any(char::is_uppercase);
    let mut parts = vec![text];
    for between in [";", "|", ", ", " and ", " & ", " und ", " et ", " y ", " e "] {
        let cut: Vec<&str> =
            parts.iter().flat_map(|part| part.split(between)).map(str::trim).filter(|part| !part.is_empty()).collect();
        if cut.len() > parts.len() && cut.iter().all(|part| is_name(part)) {
            parts = cut;
        }
    }
    parts.into_iter().filter(|part| is_person(part)).map(str::to_owned).collect()
}

/// Whether a text can be what somebody is called: no address, and no handle.
fn is_person(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && !text.contains("://")
        && !text.starts_with(['@', '/', '#'])
        && !text.starts_with("www.")
        && text.len() <= 200
}

#[cfg(test)]
mod tests;

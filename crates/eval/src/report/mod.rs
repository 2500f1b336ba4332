//! Reports: what a comparison found, for people and for programs.
//!
//! A [`Report`] is one value with several faces: one screen (`screen`) or all tables and sentences (`text`, `words`) for a
//! terminal, one JSON document (its fields, serialised; `docs/reports.md` describes them), and one web page ([`html`]).

pub mod figures;
pub mod html;
mod screen;
mod svg;
mod table;
mod text;
mod words;

pub use table::Table;
pub use text::{DIFFERENCE_HEAD, difference_cells};
pub use words::{Said, Verdict, summary};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::eval::{Coverage, Difference, Measure};
use unhusk_index::index::manifest::{FieldStatistics, PageCounts, Sizes};
use unhusk_index::index::words::Language;
use unhusk_index::search::Searched;
use unhusk_pages::dedup::Cut;
use unhusk_strip::strip::{Aside, Method};

/// The version of the JSON document. Fields may be added within a version; one that changes its meaning makes a new version.
pub const SCHEMA: &str = "unhusk.compare/1";

/// What a comparison found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The program's version.
    pub unhusk: &'static str,
    /// What was indexed.
    pub collection: Corpus,
    /// What is the same for every index.
    pub settings: Settings,
    /// What of the judgements has something to judge.
    pub judgements: Coverage,
    /// What of the facts can be looked for; none where no facts were given.
    pub facts: Option<FactsGiven>,
    /// The indexes that are compared; the first is what the others are compared to.
    pub arms: Vec<Arm>,
    /// The same queries, looked up in other fields: what was asked for first, the text without the title beside it.
    pub views: Vec<View>,
    /// The most memory the whole comparison held. One process builds all indexes, so there is no figure for each.
    pub peak_memory: Option<u64>,
}

/// What was indexed.
#[derive(Debug, Clone, Serialize)]
pub struct Corpus {
    /// Its name.
    pub name: String,
    /// What was read, as it was named.
    pub inputs: Vec<String>,
    /// A hash of all pages' ids and source lines (XXH3, 128 bits): the same figure, the same pages.
    pub hash: String,
    /// What became of the pages.
    pub pages: PageCounts,
    /// Bytes of HTML.
    pub corpus_bytes: u64,
    /// Bytes of visible text of the indexed pages.
    pub text_bytes: u64,
}

/// What is the same for every index.
#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    /// The language words are stemmed for.
    pub language: Language,
    /// What became of text that a method set aside.
    pub aside: Aside,
    /// When pages are duplicates; none where all were kept.
    pub dedup: Option<Cut>,
    /// Documents asked for, each query.
    pub depth: usize,
    /// The seed of the resampling methods.
    pub seed: u64,
    /// Threads that were allowed.
    pub threads: usize,
    /// The measures, in the order of all values below.
    pub measures: Vec<Measure>,
    /// Where no queries were given: how many known items are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_items: Option<KnownCounts>,
}

/// How many known items are asked for, by what they are asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KnownCounts {
    /// With the page's own rare words.
    pub own_words: usize,
    /// With the text of a link to the page.
    pub link_texts: usize,
}

/// What of the facts can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FactsGiven {
    /// All facts.
    pub facts: usize,
    /// Facts about pages that are not in the collection.
    pub unknown_pages: usize,
    /// Facts whose value is not in the page's visible text.
    pub not_visible: usize,
    /// The others: these are looked for in what a method keeps.
    pub visible: usize,
}

/// An index of the comparison.
#[derive(Debug, Clone, Serialize)]
pub struct Arm {
    /// What it is called: its method, with the parameters that were given.
    pub name: String,
    /// The method with its parameters.
    pub method: Method,
    /// What the method found.
    pub findings: serde_json::Map<String, serde_json::Value>,
    /// Bytes of content that were handed to the index.
    pub kept_bytes: u64,
    /// Bytes of text beside it that were set aside.
    pub aside_bytes: u64,
    /// Tokens, postings and distinct terms, by field.
    pub fields: BTreeMap<String, FieldStatistics>,
    /// Bytes on disk.
    pub sizes: Sizes,
    /// Seconds by stage. Reading is done once and counts for every index.
    pub seconds: Vec<(String, f64)>,
    /// Queries answered in a second.
    pub queries_per_second: f64,
    /// Visible facts that are still in the text it indexes, all and by attribute.
    pub facts: Option<FactsKept>,
}

/// Visible facts that a method keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactsKept {
    /// How many of [`FactsGiven::visible`] are in the content.
    pub kept: usize,
    /// How many are in the content or in what is set aside.
    pub kept_anywhere: usize,
    /// The first by attribute: visible and kept.
    pub attributes: BTreeMap<String, (usize, usize)>,
    /// The second by attribute.
    pub attributes_anywhere: BTreeMap<String, usize>,
}

/// Queries looked up in some fields.
#[derive(Debug, Clone, Serialize)]
pub struct View {
    /// The fields that are searched.
    pub fields: Vec<Searched>,
    /// What a match in the title is multiplied by.
    pub title_boost: f32,
    /// What a match in what is set aside is multiplied by.
    pub aside_boost: f32,
    /// The length that neither helps nor hurts a page, in average lengths.
    pub length_pivot: f32,
    /// The mean of each measure, for each index.
    pub means: Vec<Vec<f64>>,
    /// Each index compared to each before it.
    pub pairs: Vec<Pair>,
    /// Every judged query.
    pub queries: Vec<JudgedQuery>,
}

/// Two indexes compared.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The name of the first.
    pub first: String,
    /// The name of the second.
    pub second: String,
    /// Words of the queries whose document frequency falls by half or more from the first to the second.
    pub template_terms: Vec<TemplateTerm>,
    /// Ids of the queries that hold one of them.
    pub template_queries: Vec<String>,
    /// All queries, those with a template term, those without; groups without a query are not there.
    pub groups: Vec<Group>,
}

/// A word that mostly stands in templates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TemplateTerm {
    /// The word as the first query that holds it spells it.
    pub word: String,
    /// The term in the index.
    pub term: String,
    /// Pages it was on.
    pub before: u64,
    /// Pages it is still on.
    pub after: u64,
}

/// Some of the queries.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// Which.
    pub name: GroupName,
    /// For each measure, what changed.
    pub differences: Vec<Difference>,
}

/// Which queries are in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupName {
    /// All that are judged.
    All,
    /// Those with a template term.
    TemplateTerms,
    /// Those without.
    NoTemplateTerms,
}

/// A judged query.
#[derive(Debug, Clone, Serialize)]
pub struct JudgedQuery {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// How many pages are relevant.
    pub relevant: usize,
    /// What each index answers.
    pub answers: Vec<Answer>,
}

/// What an index answers to a query.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// The value of each measure.
    pub values: Vec<f64>,
    /// The best documents.
    pub top: Vec<Place>,
}

/// A place of a ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// The document.
    pub doc: String,
    /// Its grade; none where it is not judged.
    pub grade: Option<i32>,
}

impl Report {
    /// The measure sentences and figures speak of: MAP, or else the first.
    pub fn main_measure(&self) -> usize {
        self.settings.measures.iter().position(|&m| m == Measure::MeanAveragePrecision).unwrap_or(0)
    }
}

impl Report {
    /// Whether a method sets anything aside.
    fn sets_aside(&self) -> bool {
        self.arms.iter().any(|arm| arm.aside_bytes > 0)
    }
}

impl View {
    /// What was searched, in words.
    pub fn name(&self) -> &'static str {
        match self.fields.as_slice() {
            [Searched::Body] | [Searched::Body, Searched::Aside] => "body only",
            [Searched::Title] => "title only",
            [Searched::Aside] => "aside only",
            _ => "title and body",
        }
    }

    /// The comparisons to the first index.
    pub fn to_baseline(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| self.pairs.first().is_some_and(|baseline| baseline.first == pair.first))
    }
}

impl Pair {
    /// A group, where it has queries.
    pub fn group(&self, name: GroupName) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }
}

impl GroupName {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            GroupName::All => "all queries",
            GroupName::TemplateTerms => "with a template term",
            GroupName::NoTemplateTerms => "without one",
        }
    }
}

impl Arm {
    /// Bytes of all text that was handed to the index.
    pub fn indexed_bytes(&self) -> u64 {
        self.kept_bytes + self.aside_bytes
    }

    /// Tokens, postings and distinct terms of all fields together.
    pub fn statistics(&self) -> FieldStatistics {
        self.fields.values().fold(FieldStatistics::default(), |sum, field| FieldStatistics {
            tokens: sum.tokens + field.tokens,
            postings: sum.postings + field.postings,
            terms: sum.terms + field.terms,
        })
    }
}

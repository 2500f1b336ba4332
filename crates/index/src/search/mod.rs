//! Queries are answered: one at a time or in batches.
//!
//! A query is read leniently ([`syntax`]), looked up in the fields asked for, and ranked by BM25. Where documents
//! score the same, the one with the greater id comes first, as `trec_eval` reads runs.

mod batch;
mod best;
mod excluded;
mod facets;
mod fields;
mod ids;
mod inspect;
mod lookup;
mod places;
pub mod queries;
pub mod run;
mod sorting;
mod spelling;
pub mod syntax;
mod topics;

pub use batch::{Batch, run_batch};
pub use facets::{Facet, FacetValue};
pub use fields::{Asked, Condition, NoCondition, Test};
pub use inspect::{QueryTerm, Stored};
pub use places::{Place, Within};
pub use sorting::Sort;

use std::path::Path;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock};

use serde::Serialize;
use tantivy::query::{AllQuery, BooleanQuery, Occur, Query as TantivyQuery};
use tantivy::schema::{Field, Value};
use tantivy::snippet::SnippetGenerator;
use tantivy::{DocAddress, Searcher, TantivyDocument};

use crate::index::columns;
use crate::index::schema::Fields;
use crate::index::words::Words;
use crate::index::{IndexError, Manifest, of_one_build};
use best::{Best, Pivoted};
use ids::Ids;
use places::Places;
use syntax::Query;
use unhusk_documents::export::{Detail, Values};
use unhusk_pages::field;

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 200;

/// A field that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Searched {
    /// The page's title.
    Title,
    /// The page's content.
    Body,
    /// The page's own words that are not its content.
    Aside,
}

impl FromStr for Searched {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "title" => Ok(Searched::Title),
            "body" => Ok(Searched::Body),
            "aside" => Ok(Searched::Aside),
            _ => Err(format!("no field '{name}': choose title, body or aside")),
        }
    }
}

/// Where to look, and what counts how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// The fields a word without a field of its own is looked up in.
    pub fields: Vec<Searched>,
    /// What a match in the title is multiplied by.
    pub title_boost: f32,
    /// What a match in what is set aside is multiplied by.
    pub aside_boost: f32,
    /// The length that neither helps nor hurts a page, in average lengths. Tantivy's k1 of 1.2 and b of 0.75 are fixed; a pivot of p makes
    /// them k1 = 0.3 + 0.9 / p and b = 0.9 / (0.3 p + 0.9).
    pub length_pivot: f32,
}

impl Default for Scope {
    fn default() -> Self {
        let fields = vec![Searched::Title, Searched::Body, Searched::Aside];
        Scope { fields, title_boost: 0.5, aside_boost: 0.1, length_pivot: 6.0 }
    }
}

/// An index that is open for searching.
pub struct Engine {
    manifest: Manifest,
    fields: Fields,
    searcher: Searcher,
    words: Words,
    ids: Ids,
    places: OnceLock<Places>,
    reading_places: Mutex<()>,
}

/// A document that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document id.
    pub id: String,
    /// BM25.
    pub score: f32,
    address: DocAddress,
}

/// The answer to a search by words and fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The documents, best or first in order first.
    pub hits: Vec<Hit>,
    /// How many documents match, shown or not.
    pub pages: u64,
    /// The counts that were asked for.
    pub facets: Vec<Facet>,
}

/// What a result list shows of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// The page's URL.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Ids of pages that are the same page.
    pub aliases: Vec<String>,
    /// Text around the words that were found; nothing where the text is not stored.
    pub snippet: String,
    /// The field it is from: the body, or what is set aside where the body has none of the words.
    pub snippet_from: Searched,
    /// Byte ranges of the found words in the snippet.
    pub highlights: Vec<(usize, usize)>,
    /// What else is known of it.
    #[serde(serialize_with = "plainly")]
    pub fields: field::Fields,
}

fn plainly<S: serde::Serializer>(fields: &field::Fields, serializer: S) -> Result<S::Ok, S::Error> {
    Values { fields, detail: Detail::Plain }.serialize(serializer)
}

impl Engine {
    /// Opens an index.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        Ok(of_one_build(folder, || Self::open_once(folder))?.0)
    }

    fn open_once(folder: &Path) -> Result<Self, IndexError> {
        let manifest = Manifest::read(folder)?;
        let (index, fields) = manifest.open_index(folder)?;
        let searcher = index.reader()?.searcher();
        let ids = Ids::open(&searcher)?;
        let words = Words::new(manifest.language);
        Ok(Engine { manifest, fields, searcher, words, ids, places: OnceLock::new(), reading_places: Mutex::new(()) })
    }

    /// How the index was made.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The `limit` best documents for a query, best first.
    pub fn search(&self, query: &Query, scope: &Scope, limit: usize) -> Result<Vec<Hit>, IndexError> {
        match self.lookup(query, scope) {
            Some(query) => self.top(query.as_ref(), scope, limit),
            None => Ok(Vec::new()),
        }
    }

    /// Reads what was typed: a field that the index has may stand before a colon.
    pub fn read(&self, text: &str) -> Query {
        Query::parse_with(text, &self.field_names())
    }

    /// The same, refusing what looks like a mistake.
    pub fn read_strict(&self, text: &str) -> Result<Query, syntax::SyntaxError> {
        Query::parse_strict_with(text, &self.field_names())
    }

    /// The fields that pages of the index have.
    pub fn field_names(&self) -> Vec<String> {
        self.manifest.said.fields.keys().cloned().collect()
    }

    /// The `limit` best documents for a query in a part of the site, of those for which all filters hold; with the counts that were asked for. Where
    /// nothing but fields is asked for, all documents are found.
    pub fn ask(
        &self,
        query: &Query,
        scope: &Scope,
        within: &Within,
        asked: &Asked,
        limit: usize,
    ) -> Result<Answered, IndexError> {
        let conditions: Vec<Condition> = query.conditions.iter().chain(&asked.filters).cloned().collect();
        self.check_fields(asked)?;
        let is_asked = !conditions.is_empty() || !asked.facets.is_empty() || asked.sort.is_some();
        let words = match self.lookup(query, scope) {
            Some(words) => words,
            None if is_asked && query.clauses.is_empty() => Box::new(AllQuery),
            None => return Ok(Answered::default()),
        };
        let mut clauses = vec![(Occur::Must, words)];
        if !within.is_everywhere() {
            clauses.push((Occur::Must, Box::new(self.places()?.filter(within))));
        }
        if !conditions.is_empty() {
            let segments = self.searcher.segment_readers();
            clauses.push((Occur::Must, Box::new(fields::filter(segments, &conditions, &self.words)?)));
        }
        let all: Box<dyn TantivyQuery> = match clauses.len() {
            1 => clauses.remove(0).1,
            _ => Box::new(BooleanQuery::new(clauses)),
        };
        let statistics = Pivoted { searcher: &self.searcher, fields: &self.fields, pivot: scope.length_pivot };
        let counting = facets::Facets { names: &asked.facets };
        let (hits, (pages, counts)) = match &asked.sort {
            None => {
                let collector = (Best { limit }, counting);
                let (found, counts) =
                    self.searcher.search_with_statistics_provider(all.as_ref(), &collector, &statistics)?;
                (self.best_first(found, limit)?, counts)
            }
            Some(sort) => {
                let collector = (sorting::Sorted { sort, limit }, counting);
                let (found, counts) =
                    self.searcher.search_with_statistics_provider(all.as_ref(), &collector, &statistics)?;
                (self.in_order(found, sort, limit)?, counts)
            }
        };
        Ok(Answered { hits, pages, facets: facets::facets(&asked.facets, counts) })
    }

    fn check_fields(&self, asked: &Asked) -> Result<(), IndexError> {
        let known = &self.manifest.said.fields;
        match asked.names().find(|name| !known.contains_key(*name)) {
            Some(name) => Err(IndexError::NoField { name: name.to_owned(), known: self.field_names().join(", ") }),
            None => Ok(()),
        }
    }

    fn in_order(
        &self,
        found: Vec<(sorting::Key, f32, DocAddress)>,
        sort: &Sort,
        limit: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        let mut keyed = found
            .into_iter()
            .map(|(key, score, address)| Ok((key, Hit { id: self.ids.get(address)?, score, address })))
            .collect::<Result<Vec<_>, IndexError>>()?;
        keyed.sort_by(|(a, one), (b, other)| {
            let by_score = || other.score.total_cmp(&one.score).then_with(|| other.id.cmp(&one.id));
            sorting::order(a, b, sort.descending).then_with(by_score)
        });
        keyed.truncate(limit);
        Ok(keyed.into_iter().map(|(_, hit)| hit).collect())
    }

    fn lookup(&self, query: &Query, scope: &Scope) -> Option<Box<dyn TantivyQuery>> {
        let has_aside = self.manifest.has_aside();
        lookup::Lookup { fields: &self.fields, words: &self.words, scope, has_aside }.build(query)
    }

    /// The best documents of a query, ties decided by id.
    fn top(&self, query: &dyn TantivyQuery, scope: &Scope, limit: usize) -> Result<Vec<Hit>, IndexError> {
        let statistics = Pivoted { searcher: &self.searcher, fields: &self.fields, pivot: scope.length_pivot };
        let found = self.searcher.search_with_statistics_provider(query, &Best { limit }, &statistics)?;
        self.best_first(found, limit)
    }

    fn best_first(&self, found: Vec<(f32, DocAddress)>, limit: usize) -> Result<Vec<Hit>, IndexError> {
        let mut hits = found
            .into_iter()
            .map(|(score, address)| Ok(Hit { id: self.ids.get(address)?, score, address }))
            .collect::<Result<Vec<_>, IndexError>>()?;
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
        hits.truncate(limit);
        Ok(hits)
    }

    /// What to show of documents that were found, in their order.
    pub fn show(&self, query: &Query, scope: &Scope, hits: &[Hit]) -> Result<Vec<Shown>, IndexError> {
        let mut snippets = Vec::new();
        if let Some(lookup) = self.lookup(query, scope).filter(|_| self.manifest.stored) {
            // What is aside has a field of its own, or is searched with the body.
            let aside = if self.manifest.has_aside() { self.fields.aside } else { self.fields.body };
            let texts =
                [(Searched::Body, self.fields.body, self.fields.body), (Searched::Aside, self.fields.aside, aside)];
            for (searched, field, looked_up) in texts {
                let mut generator = SnippetGenerator::create(&self.searcher, lookup.as_ref(), looked_up)?;
                generator.set_max_num_chars(SNIPPET_CHARS);
                snippets.push((searched, field, generator));
            }
        }
        hits.iter().map(|hit| self.show_one(hit, &snippets)).collect()
    }

    fn show_one(&self, hit: &Hit, snippets: &[(Searched, Field, SnippetGenerator)]) -> Result<Shown, IndexError> {
        let document: TantivyDocument = self.searcher.doc(hit.address)?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).unwrap_or_default();
        let mut found = snippets.iter().map(|(from, field, generator)| (*from, generator.snippet(text(*field))));
        let (snippet_from, snippet, highlights) = match found.find(|(_, snippet)| !snippet.is_empty()) {
            Some((from, snippet)) => {
                let ranges = snippet.highlighted().iter().map(|range| (range.start, range.end)).collect();
                (from, snippet.fragment().to_owned(), ranges)
            }
            // Found by its title: the text's beginning says what the page is about.
            None => {
                let body = text(self.fields.body);
                (Searched::Body, body[..body.floor_char_boundary(SNIPPET_CHARS)].to_owned(), Vec::new())
            }
        };
        Ok(Shown {
            url: text(self.fields.url).to_owned(),
            title: text(self.fields.title).to_owned(),
            aliases: document.get_all(self.fields.alias).filter_map(|v| v.as_str().map(str::to_owned)).collect(),
            snippet,
            snippet_from,
            highlights,
            fields: columns::read(&document, &self.fields),
        })
    }
}

//! Where pages are: hosts and directories, to search in a part of a site.
//!
//! The index knows a page's URL only as stored text. The first who asks for a place reads all of them, once; what stays in
//! memory is a number a page, and each directory once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

use serde::Serialize;
use tantivy::index::SegmentId;
use tantivy::query::{
    BitSetDocSet, BooleanQuery, ConstScorer, EnableScoring, Explanation, Occur, Query, Scorer, Weight,
};
use tantivy::schema::Value;
use tantivy::{BitSet, DocId, Score, SegmentReader, TantivyDocument, TantivyError};

use super::{Engine, Hit, Scope, syntax};
use crate::index::IndexError;
use crate::index::schema::Fields;

/// Part of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Within {
    /// Pages of this host only.
    pub host: Option<String>,
    /// Pages below this directory only: `/news/`, or `news/` where pages have no URL.
    pub directory: Option<String>,
}

/// A host or a directory and the number of its pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Pages in it, those further down included.
    pub pages: u64,
}

/// The places of all pages.
pub(super) struct Places {
    /// Each host and directory once.
    all: Vec<(String, String)>,
    /// By segment, the place of each document.
    segments: HashMap<SegmentId, Vec<u32>>,
    hosts: Vec<Place>,
    directories: Vec<Place>,
}

impl Within {
    /// Whether it is the whole site.
    pub fn is_everywhere(&self) -> bool {
        self.host.is_none() && self.directory.is_none()
    }

    fn holds(&self, host: &str, directory: &str) -> bool {
        self.host.as_ref().is_none_or(|wanted| wanted == host)
            && self.directory.as_ref().is_none_or(|wanted| directory.starts_with(wanted.as_str()))
    }
}

/// Host and directory of a URL, the directory with a slash at its end; a path alone has no host.
fn split(url: &str) -> (&str, &str) {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = match url.split_once("://") {
        Some((_, rest)) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", url),
    };
    (host, &path[..path.rfind('/').map_or(0, |slash| slash + 1)])
}

impl Places {
    fn read(engine: &Engine) -> Result<Self, IndexError> {
        let Fields { url, .. } = engine.fields;
        let mut numbers: HashMap<(String, String), u32> = HashMap::new();
        let mut segments = HashMap::new();
        for reader in engine.searcher.segment_readers() {
            let store = reader.get_store_reader(1).map_err(TantivyError::from)?;
            let mut places = Vec::with_capacity(reader.max_doc() as usize);
            // One by one: the iterator of the store does not say which file is damaged.
            for number in 0..reader.max_doc() {
                let document: TantivyDocument = store.get(number)?;
                let (host, directory) = split(document.get_first(url).and_then(|v| v.as_str()).unwrap_or_default());
                let next = numbers.len() as u32;
                places.push(*numbers.entry((host.to_owned(), directory.to_owned())).or_insert(next));
            }
            segments.insert(reader.segment_id(), places);
        }
        let mut all: Vec<((String, String), u32)> = numbers.into_iter().collect();
        all.sort_by_key(|(_, number)| *number);
        let all: Vec<(String, String)> = all.into_iter().map(|(place, _)| place).collect();
        let mut counts = vec![0; all.len()];
        for &place in segments.values().flatten() {
            counts[place as usize] += 1;
        }
        Ok(Places { hosts: hosts(&all, &counts), directories: directories(&all, &counts), all, segments })
    }

    pub(super) fn filter(&self, within: &Within) -> Filter {
        let inside: Vec<bool> = self.all.iter().map(|(host, directory)| within.holds(host, directory)).collect();
        let bits = |places: &Vec<u32>| {
            let mut bits = BitSet::with_max_value(places.len() as u32);
            for (document, &place) in places.iter().enumerate() {
                if inside[place as usize] {
                    bits.insert(document as u32);
                }
            }
            bits
        };
        Filter(Arc::new(self.segments.iter().map(|(&segment, places)| (segment, bits(places))).collect()))
    }
}

impl Engine {
    pub(super) fn places(&self) -> Result<&Places, IndexError> {
        if let Some(places) = self.places.get() {
            return Ok(places);
        }
        // Whoever comes meanwhile waits: all pages are read, and once is enough.
        let _reading = self.reading_places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = self.places.get() {
            return Ok(places);
        }
        let places = Places::read(self)?;
        Ok(self.places.get_or_init(|| places))
    }

    /// The hosts of the pages, those with most pages first.
    pub fn hosts(&self) -> Result<&[Place], IndexError> {
        Ok(&self.places()?.hosts)
    }

    /// The directories of the pages, those with most pages first; one with all pages of the site is none.
    pub fn directories(&self) -> Result<&[Place], IndexError> {
        Ok(&self.places()?.directories)
    }

    /// The `limit` best documents for a query in a part of the site, best first.
    pub fn search_within(
        &self,
        query: &syntax::Query,
        scope: &Scope,
        within: &Within,
        limit: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        if within.is_everywhere() {
            return self.search(query, scope, limit);
        }
        let Some(query) = self.lookup(query, scope) else { return Ok(Vec::new()) };
        let filter: Box<dyn Query> = Box::new(self.places()?.filter(within));
        self.top(&BooleanQuery::new(vec![(Occur::Must, query), (Occur::Must, filter)]), scope, limit)
    }
}

fn hosts(all: &[(String, String)], counts: &[u64]) -> Vec<Place> {
    let mut hosts: BTreeMap<&str, u64> = BTreeMap::new();
    for ((host, _), pages) in all.iter().zip(counts) {
        *hosts.entry(host).or_default() += pages;
    }
    largest_first(hosts)
}

fn directories(all: &[(String, String)], counts: &[u64]) -> Vec<Place> {
    let mut directories: BTreeMap<&str, u64> = BTreeMap::new();
    for ((_, directory), pages) in all.iter().zip(counts) {
        for (end, _) in directory.match_indices('/') {
            *directories.entry(&directory[..=end]).or_default() += pages;
        }
    }
    let total: u64 = counts.iter().sum();
    directories.retain(|_, pages| *pages < total);
    largest_first(directories)
}

fn largest_first(places: BTreeMap<&str, u64>) -> Vec<Place> {
    let mut places: Vec<Place> =
        places.into_iter().map(|(name, pages)| Place { name: name.to_owned(), pages }).collect();
    // Stable, so that places of one size stay in the order of their names.
    places.sort_by_key(|place| std::cmp::Reverse(place.pages));
    places
}

/// Some documents of each segment, whatever they say: they count nothing.
#[derive(Clone)]
pub(super) struct Filter(pub(super) Arc<HashMap<SegmentId, BitSet>>);

impl std::fmt::Debug for Filter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Filter")
    }
}

impl Query for Filter {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Filter {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let empty = || BitSet::with_max_value(reader.max_doc());
        let documents = self.0.get(&reader.segment_id()).cloned().unwrap_or_else(empty);
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(documents), 0.0)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("in the part of the site that was asked for", 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_cut_into_host_and_directory() {
        assert_eq!(split("https://x.org/news/2026/a.html?p=/q#/r"), ("x.org", "/news/2026/"));
        assert_eq!(split("https://x.org"), ("x.org", ""));
        assert_eq!(split("news/a.html"), ("", "news/"));
        assert_eq!(split("a.html"), ("", ""));
    }
}

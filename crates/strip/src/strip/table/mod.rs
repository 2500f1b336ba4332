//! `table`: text between neighbouring table tags that many pages share.
//!
//! L. Ma, N. Goharian and A. Chowdhury, *Extracting unstructured data from template generated web documents*, CIKM 2003.
//! A page is cut at the tags of delimiting elements (`chunks`); a chunk's document frequency is the number of
//! pages that have it (`counts`); chunks on at least as many pages as the threshold says are template.
//!
//! The paper's delimiters are `table` and `map`, and its threshold is a number of pages. Pages of today have no layout
//! tables, so there is a second set of delimiters; and words that repeat in content ("Italian", a team, a rating) are
//! chunks of their own there, so a short chunk has to be on a larger share of the pages than a long one.

mod chunks;
mod counts;
mod saved;

pub use chunks::{Chunk, Delimiters, chunks};

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::scope::Scope;
use super::{Mask, Means, Model, Pages, Reason, StripError, Template};
use counts::{Count, Key, Scopes};
pub(crate) use saved::merge as merge_saved;
use saved::{CountsWriter, NO_PAGE};
use unhusk_pages::parse::Page;
use unhusk_pages::random::Rng;
use unhusk_pages::spool::{PackedWriter, PageNo};

/// Parameters of the method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Where pages are cut.
    pub delimiters: Delimiters,
    /// On how many pages a chunk has to be.
    pub min_df: Threshold,
    /// A chunk of fewer words than this has to be on [`Table::SHORT_SHARE`] of the pages as well.
    pub short_words: u32,
    /// Among which pages.
    pub scope: Scope,
    /// Learn from so many pages, drawn at random; none for all.
    pub sample: Option<Sample>,
    /// Bytes the counts may take before they are written to disk.
    pub memory: u64,
}

/// A random sample of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// How many pages.
    pub pages: usize,
    /// What decides which.
    pub seed: u64,
}

/// On how many pages a chunk has to be to be template.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threshold {
    /// On so many.
    Pages(u32),
    /// On this share of the pages in scope, and never on fewer than [`Threshold::FEWEST`].
    Share(f64),
}

impl Default for Table {
    fn default() -> Self {
        Table {
            delimiters: Delimiters::Block,
            min_df: Threshold::Share(0.1),
            short_words: Delimiters::Block.short_words(),
            scope: Scope::Collection,
            sample: None,
            memory: 64 << 20,
        }
    }
}

impl Table {
    /// Share of the pages in scope that a short chunk has to be on.
    pub const SHORT_SHARE: f64 = 0.5;

    /// How many pages of `of` a chunk has to be on.
    fn threshold(&self, words: u32, of: u32) -> u32 {
        let wanted = self.min_df.pages(of);
        if words < self.short_words { wanted.max(Threshold::Share(Self::SHORT_SHARE).pages(of)) } else { wanted }
    }

    /// Counts the chunks and keeps those that are template. All counts are saved as well, where somebody wants them.
    pub(super) fn learn(
        &self,
        pages: &Pages<'_>,
        means: Means<'_>,
        save: Option<&mut PackedWriter>,
    ) -> Result<TableModel, StripError> {
        let sample = self.sample.map(|sample| pages.only(draw(pages.numbers(), sample)));
        let pages = sample.as_ref().unwrap_or(pages);
        let counts = counts::count(self, pages, means)?;
        let (scopes, spilled) = (counts.scopes.clone(), counts.spilled);
        let mut saving = save.map(|packed| CountsWriter::new(packed, &scopes)).transpose()?;
        let mut templates = HashMap::new();
        let distinct = counts.for_each(|key, count| {
            self.note(&scopes, &mut templates, key, count);
            saving.as_mut().map_or(Ok(()), |saving| saving.add(key, count))
        })?;
        saving.map_or(Ok(()), CountsWriter::finish)?;
        let listed = list(self, pages, &templates)?;
        Ok(TableModel { table: self.clone(), pages_in_scope: scopes, listed, templates, distinct, spilled })
    }

    /// Keeps a chunk that is on enough pages to be template.
    fn note(&self, scopes: &Scopes, templates: &mut HashMap<Key, Count>, key: Key, count: Count) {
        let of = scopes.get(&key.scope).copied().unwrap_or_default();
        if count.pages > 1 && count.pages >= self.threshold(count.words, of) {
            templates.insert(key, count);
        }
    }
}

impl Threshold {
    /// A share never means fewer pages than this: two pages that say the same are no template yet.
    pub const FEWEST: u32 = 3;

    fn pages(self, of: u32) -> u32 {
        match self {
            Threshold::Pages(pages) => pages,
            Threshold::Share(share) => ((share * f64::from(of)).ceil() as u32).max(Self::FEWEST),
        }
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is no threshold: write a number of pages from 2, or a share such as 10%");
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim().parse().map_err(|_| bad())?;
            return if percent > 0.0 && percent <= 100.0 { Ok(Threshold::Share(percent / 100.0)) } else { Err(bad()) };
        }
        match text.parse() {
            Ok(pages @ 2..) => Ok(Threshold::Pages(pages)),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threshold::Pages(pages) => write!(f, "{pages}"),
            Threshold::Share(share) => write!(f, "{}%", share * 100.0),
        }
    }
}

/// Draws a sample: all pages where there are no more than that.
pub(super) fn draw(numbers: &[PageNo], sample: Sample) -> Vec<PageNo> {
    let mut drawn = numbers.to_vec();
    Rng::new(sample.seed).shuffle(&mut drawn);
    drawn.truncate(sample.pages);
    drawn.sort_unstable();
    drawn
}

/// What `table` has learned: the chunks that are template.
pub(super) struct TableModel {
    table: Table,
    pages_in_scope: Scopes,
    templates: HashMap<Key, Count>,
    listed: Vec<Template>,
    distinct: u64,
    spilled: u64,
}

impl Model for TableModel {
    fn mark(&self, _: PageNo, page: &Page) -> Result<Mask, StripError> {
        let scope = self.table.scope.of(&page.url);
        let mut mask = Mask::keep_all(page.piece_count());
        // A page of a scope the sample did not touch has nothing to be compared with.
        let Some(&of) = self.pages_in_scope.get(&scope) else { return Ok(mask) };
        for Chunk { pieces, hash, words } in chunks(page, self.table.delimiters) {
            if let Some(count) = self.templates.get(&Key { scope, chunk: hash }) {
                let reason = Reason::Chunk { pages: count.pages, of, threshold: self.table.threshold(words, of) };
                mask.drop(pieces, reason);
            }
        }
        Ok(mask)
    }

    fn templates(&self) -> &[Template] {
        &self.listed
    }

    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut findings = serde_json::Map::new();
        findings.insert("distinct_chunks".to_owned(), self.distinct.into());
        findings.insert("template_chunks".to_owned(), (self.templates.len() as u64).into());
        findings.insert("spilled_runs".to_owned(), self.spilled.into());
        findings
    }
}

/// The templates for people, on most pages first.
fn list(table: &Table, pages: &Pages<'_>, templates: &HashMap<Key, Count>) -> Result<Vec<Template>, StripError> {
    let mut by_example: Vec<(PageNo, Key, Count)> = templates
        .iter()
        .map(|(&key, &count)| (count.first, key, count))
        .filter(|(page, ..)| *page != NO_PAGE)
        .collect();
    by_example.sort_unstable_by_key(|&(page, key, _)| (page, key));
    let mut listed = Vec::with_capacity(by_example.len());
    for same_page in by_example.chunk_by(|a, b| a.0 == b.0) {
        let page = pages.spool().page(same_page[0].0)?;
        let found: HashMap<u64, Chunk> =
            chunks(&page, table.delimiters).into_iter().map(|chunk| (chunk.hash, chunk)).collect();
        for (_, key, count) in same_page {
            let Some(chunk) = found.get(&key.chunk) else { continue };
            let text = page.text_where(|piece| chunk.pieces.contains(&piece));
            let bytes_saved = text.len() as u64 * u64::from(count.times);
            listed.push(Template {
                text,
                pages: count.pages,
                times: count.times,
                bytes_saved,
                example: page.id.clone(),
                layout: None,
            });
        }
    }
    listed.sort_by(|a, b| {
        b.pages.cmp(&a.pages).then(b.bytes_saved.cmp(&a.bytes_saved)).then_with(|| a.text.cmp(&b.text))
    });
    Ok(listed)
}

#[cfg(test)]
mod tests;

//! Counts of chunks in a file, to be added to those of other pages.
//!
//! First the pages of each scope, then all chunks in the order of their keys, also those on one page: another shard may have
//! them too. A record holds so many of either, number after number and not chunk after chunk: counts are mostly
//! ones, and compress to nearly nothing when they stand together.

use std::collections::HashMap;

use super::counts::{Count, Key, Scopes, Sorted, add_scopes, count, merge as merge_sorted};
use super::{Pages, StripError, Table, TableModel, list};
use crate::strip::{Means, Model, table};
use unhusk_pages::spool::{Packed, PackedWriter, PageNo};

/// Scopes or chunks in a record.
const BLOCK: usize = 1 << 13;
/// What records hold.
const SCOPES: u8 = 0;
const CHUNKS: u8 = 1;

/// Counts on their way into a file.
pub(super) struct CountsWriter<'w> {
    packed: &'w mut PackedWriter,
    block: Vec<(Key, Count)>,
}

impl<'w> CountsWriter<'w> {
    pub(super) fn new(packed: &'w mut PackedWriter, scopes: &Scopes) -> Result<Self, StripError> {
        let scopes: Vec<(u64, u32)> = scopes.iter().map(|(&scope, &pages)| (scope, pages)).collect();
        for block in scopes.chunks(BLOCK) {
            let mut record = vec![SCOPES];
            put(&mut record, block, |(scope, _)| scope.to_le_bytes());
            put(&mut record, block, |(_, pages)| pages.to_le_bytes());
            packed.append(&record)?;
        }
        Ok(CountsWriter { packed, block: Vec::with_capacity(BLOCK) })
    }

    pub(super) fn add(&mut self, key: Key, count: Count) -> Result<(), StripError> {
        self.block.push((key, count));
        if self.block.len() == BLOCK { self.write() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), StripError> {
        if self.block.is_empty() { Ok(()) } else { self.write() }
    }

    fn write(&mut self) -> Result<(), StripError> {
        let mut record = vec![CHUNKS];
        put(&mut record, &self.block, |(key, _)| key.scope.to_le_bytes());
        put(&mut record, &self.block, |(key, _)| key.chunk.to_le_bytes());
        put(&mut record, &self.block, |(_, count)| count.pages.to_le_bytes());
        put(&mut record, &self.block, |(_, count)| count.times.to_le_bytes());
        put(&mut record, &self.block, |(_, count)| count.words.to_le_bytes());
        self.packed.append(&record)?;
        self.block.clear();
        Ok(())
    }
}

fn put<T, const N: usize>(record: &mut Vec<u8>, block: &[T], number: impl Fn(&T) -> [u8; N]) {
    record.extend(block.iter().flat_map(number));
}

/// A record's columns, taken off one by one.
struct Columns<'r> {
    bytes: &'r [u8],
    rows: usize,
}

impl<'r> Columns<'r> {
    fn of(bytes: &'r [u8], width: usize) -> Option<Self> {
        bytes.len().is_multiple_of(width).then_some(Columns { bytes, rows: bytes.len() / width })
    }

    fn next<const N: usize>(&mut self) -> &'r [[u8; N]] {
        let (column, rest) = self.bytes.split_at(self.rows * N);
        self.bytes = rest;
        column.as_chunks().0
    }
}

fn scopes_of(record: &[u8]) -> Option<Vec<(u64, u32)>> {
    let mut columns = Columns::of(record, 8 + 4)?;
    let (scopes, pages) = (columns.next(), columns.next());
    Some(
        scopes
            .iter()
            .zip(pages)
            .map(|(&scope, &pages)| (u64::from_le_bytes(scope), u32::from_le_bytes(pages)))
            .collect(),
    )
}

fn chunks_of(record: &[u8]) -> Option<Vec<(Key, Count)>> {
    let mut columns = Columns::of(record, 8 + 8 + 4 * 3)?;
    let (scopes, chunks) = (columns.next::<8>(), columns.next::<8>());
    let numbers = [columns.next::<4>(), columns.next::<4>(), columns.next::<4>()];
    let row = |at: usize| {
        let [pages, times, words] = numbers.map(|column| u32::from_le_bytes(column[at]));
        let key = Key { scope: u64::from_le_bytes(scopes[at]), chunk: u64::from_le_bytes(chunks[at]) };
        (key, Count { pages, times, words, first: NO_PAGE })
    };
    Some((0..scopes.len()).map(row).collect())
}

/// Saved counts do not know pages by their number.
pub(super) const NO_PAGE: PageNo = PageNo(u32::MAX);

/// The pages in each scope of a saved model.
fn scopes(packed: &Packed) -> Result<Scopes, StripError> {
    let mut scopes = Scopes::new();
    for record in packed.records() {
        let (place, record) = record?;
        match record.split_first() {
            Some((&SCOPES, rest)) => {
                let block = scopes_of(rest).ok_or_else(|| packed.damaged(place, "no record of counts"))?;
                add_scopes(&mut scopes, block);
            }
            _ => break,
        }
    }
    Ok(scopes)
}

/// The chunks of a saved model.
fn chunks(packed: &Packed) -> Sorted<'_> {
    let blocks = packed.records().filter_map(|record| match record {
        Ok((place, record)) => match record.split_first() {
            Some((&SCOPES, _)) => None,
            Some((&CHUNKS, rest)) => {
                Some(chunks_of(rest).ok_or_else(|| packed.damaged(place, "no record of counts").into()))
            }
            _ => Some(Err(packed.damaged(place, "a record of another kind").into())),
        },
        Err(error) => Some(Err(error.into())),
    });
    Box::new(blocks.flat_map(|block: Result<_, StripError>| match block {
        Ok(counts) => Box::new(counts.into_iter().map(Ok)) as Sorted<'_>,
        Err(error) => Box::new(std::iter::once(Err(error))),
    }))
}

/// Adds saved counts up into another file; how many scopes and chunks it has.
pub(crate) fn merge(models: &[&Packed], into: &mut PackedWriter) -> Result<(u64, u64), StripError> {
    let mut all = Scopes::new();
    for packed in models {
        add_scopes(&mut all, scopes(packed)?);
    }
    let mut writer = CountsWriter::new(into, &all)?;
    let entries =
        merge_sorted(models.iter().map(|packed| chunks(packed)).collect(), |key, count| writer.add(key, count))?;
    writer.finish()?;
    Ok((all.len() as u64, entries))
}

impl Table {
    /// Saves the counts of some pages; how many scopes and chunks there are.
    pub(crate) fn learn_counts(
        &self,
        pages: &Pages<'_>,
        means: Means<'_>,
        into: &mut PackedWriter,
    ) -> Result<(u64, u64), StripError> {
        let counts = count(self, pages, means)?;
        let scopes = counts.scopes.len() as u64;
        let mut writer = CountsWriter::new(into, &counts.scopes)?;
        let entries = counts.for_each(|key, count| writer.add(key, count))?;
        writer.finish()?;
        Ok((scopes, entries))
    }

    /// Learns from pages and saves the counts too; with the model, how many scopes and chunks there are.
    pub(crate) fn learn_saving(
        &self,
        pages: &Pages<'_>,
        means: Means<'_>,
        into: &mut PackedWriter,
    ) -> Result<(impl Model + use<>, u64, u64), StripError> {
        let model = self.learn(pages, means, Some(into))?;
        let (scopes, entries) = (model.pages_in_scope.len() as u64, model.distinct);
        Ok((model, scopes, entries))
    }

    /// Makes a model of saved counts. Templates are listed as far as they are on these pages.
    pub(crate) fn seal(
        &self,
        packed: &Packed,
        pages: Option<&Pages<'_>>,
        means: Means<'_>,
    ) -> Result<impl Model + use<>, StripError> {
        let scopes = scopes(packed)?;
        let (mut templates, mut distinct) = (HashMap::new(), 0);
        for entry in chunks(packed) {
            let (key, count) = entry?;
            distinct += 1;
            self.note(&scopes, &mut templates, key, count);
        }
        let listed = match pages {
            Some(pages) => {
                find_firsts(self, pages, means, &mut templates)?;
                list(self, pages, &templates)?
            }
            None => Vec::new(),
        };
        Ok(TableModel { table: self.clone(), pages_in_scope: scopes, templates, listed, distinct, spilled: 0 })
    }
}

/// Finds the first page that has each template.
fn find_firsts(
    table: &Table,
    pages: &Pages<'_>,
    means: Means<'_>,
    templates: &mut HashMap<Key, Count>,
) -> Result<(), StripError> {
    let wanted = &*templates;
    let found = pages.observe(means.threads, HashMap::new, |found: &mut HashMap<Key, PageNo>, number, page| {
        let scope = table.scope.of(&page.url);
        let keys = table::chunks(page, table.delimiters).into_iter().map(|chunk| Key { scope, chunk: chunk.hash });
        for key in keys.filter(|key| wanted.contains_key(key)) {
            let first = found.entry(key).or_insert(number);
            *first = number.min(*first);
        }
        Ok(())
    })?;
    for (key, number) in found.into_iter().flatten() {
        if let Some(count) = templates.get_mut(&key) {
            count.first = count.first.min(number);
        }
    }
    Ok(())
}

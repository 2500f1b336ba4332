//! What the pages in the spool were parsed from, in its order: a file beside it, because nothing asks for it before the pages are indexed.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::index::IndexError;
use unhusk_pages::read::{RawPage, Stamp};
use unhusk_pages::spool::{BlockWriter, Kind, Packed};

const KIND: Kind = Kind { magic: *b"unhuskPR", version: 1, name: "file of prints" };
/// Prints in a record: about as many as are asked for at once.
const BLOCK: usize = 64;

/// What tells whether a page has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Print {
    pub(super) hash: u128,
    pub(super) stamp: Option<Stamp>,
    pub(super) source_bytes: u64,
}

impl Print {
    pub(super) fn of(raw: &RawPage) -> Self {
        let mut hash = Xxh3::new();
        for part in [raw.url.as_bytes(), raw.content_type.as_deref().unwrap_or_default().as_bytes(), &raw.bytes] {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Print { hash: hash.digest128(), stamp: raw.stamp, source_bytes: raw.bytes.len() as u64 }
    }
}

/// Prints being written.
pub(super) struct PrintWriter {
    path: PathBuf,
    blocks: BlockWriter<Print>,
}

/// Prints of all pages in the spool, by number.
#[derive(Debug)]
pub(super) struct Prints {
    packed: Packed,
    /// Where each record lies.
    places: Vec<u64>,
}

impl PrintWriter {
    pub(super) fn create(path: &Path) -> Result<Self, IndexError> {
        Ok(PrintWriter { path: path.to_owned(), blocks: BlockWriter::create(path, KIND, BLOCK)? })
    }

    pub(super) fn add(&mut self, print: Print) -> Result<(), IndexError> {
        Ok(self.blocks.add(print)?)
    }

    pub(super) fn finish(self) -> Result<Prints, IndexError> {
        let places = self.blocks.finish(&())?;
        Ok(Prints { packed: Packed::open(&self.path, KIND)?, places })
    }
}

impl Prints {
    /// Those of some pages in a row, by their numbers.
    pub(super) fn of(&self, pages: Range<usize>) -> Result<Vec<Print>, IndexError> {
        let first = pages.start / BLOCK;
        let mut prints = Vec::with_capacity(pages.len() + BLOCK);
        for &place in &self.places[first..pages.end.div_ceil(BLOCK).max(first)] {
            prints.extend(self.packed.block::<Print>(place)?);
        }
        Ok(prints.drain(pages.start % BLOCK..).take(pages.len()).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prints_come_back_in_any_stretch(number in 0usize..1200, start in 0usize..1200, length in 0usize..700) {
            let dir = tempfile::tempdir().unwrap();
            let print = |n: usize| Print { hash: n as u128, stamp: None, source_bytes: 7 };
            let mut writer = PrintWriter::create(&dir.path().join("prints")).unwrap();
            (0..number).for_each(|n| writer.add(print(n)).unwrap());
            let prints = writer.finish().unwrap();
            let (start, end) = (start.min(number), (start + length).min(number));
            let expected: Vec<Print> = (start..end).map(print).collect();
            prop_assert_eq!(prints.of(start..end).unwrap(), expected);
        }
    }
}

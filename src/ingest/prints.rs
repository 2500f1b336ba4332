//! What the pages in the spool were parsed from, in its order: a file beside it, because nothing asks for it before the pages are indexed.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::index::IndexError;
use crate::read::{RawPage, Stamp};
use crate::spool::{self, Kind, Packed, PackedWriter};

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
    packed: PackedWriter,
    block: Vec<Print>,
    blocks: Vec<u64>,
}

/// Prints of all pages in the spool, by number.
#[derive(Debug)]
pub(super) struct Prints {
    packed: Packed,
    /// Where each record lies.
    blocks: Vec<u64>,
}

impl PrintWriter {
    pub(super) fn create(path: &Path) -> Result<Self, IndexError> {
        Ok(PrintWriter { packed: PackedWriter::create(path, KIND)?, block: Vec::new(), blocks: Vec::new() })
    }

    pub(super) fn add(&mut self, print: Print) -> Result<(), IndexError> {
        self.block.push(print);
        if self.block.len() == BLOCK { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), IndexError> {
        let block = spool::to_bytes(&self.block).map_err(|error| self.packed.failed(std::io::Error::other(error)))?;
        self.blocks.push(self.packed.append(&block)?);
        self.block.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Prints, IndexError> {
        if !self.block.is_empty() {
            self.write()?;
        }
        let path = self.packed.path().to_owned();
        self.packed.finish(&())?;
        Ok(Prints { packed: Packed::open(&path, KIND)?, blocks: self.blocks })
    }
}

impl Prints {
    /// Those of some pages in a row, by their numbers.
    pub(super) fn of(&self, pages: Range<usize>) -> Result<Vec<Print>, IndexError> {
        let first = pages.start / BLOCK;
        let mut prints = Vec::with_capacity(pages.len() + BLOCK);
        for &place in &self.blocks[first..pages.end.div_ceil(BLOCK).max(first)] {
            let block: Vec<Print> = spool::from_bytes(&self.packed.record(place)?.0)
                .map_err(|error| self.packed.damaged(place, error.to_string()))?;
            prints.extend(block);
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

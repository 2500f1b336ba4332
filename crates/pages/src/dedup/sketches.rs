//! What is remembered of pages to compare them, on disk.
//!
//! Sketches wait in a file for the end of the collection, and stay with an index that may be updated. Hashes do not shrink, so they are
//! not compressed: sixteen pages make a record, of each the number of its words, two hashes, and the hashes of its words.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::DedupError;
use crate::parse::Page;
use crate::parse::words::{Sequence, word_hashes};
use crate::spool::{Kind, Packed, PackedWriter};

const KIND: Kind = Kind { magic: *b"unhuskSK", version: 1, name: "file of sketches" };
/// Pages in a record: few, because one page is read with all of its record.
const BLOCK: usize = 16;
/// Slots for words seen lately.
const LATELY: usize = 1 << 12;

/// What is remembered of a page to compare it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// Hashes of its distinct words, sorted. Of 32 bits: should two words of a collection share one, pages still differ in others.
    pub(super) words: Vec<u32>,
    /// Hash of its words in order.
    pub(super) whole: u64,
    /// Hash of its title's words in order.
    pub(super) title: u64,
}

impl Sketch {
    /// Sketches a page whose words are not at hand.
    pub fn of(page: &Page) -> Self {
        let mut words = Vec::with_capacity(page.piece_count() * 4);
        for view in page.pieces() {
            word_hashes(view.text, |word| words.push(word));
        }
        Sketch::new(page, &words)
    }

    /// Sketches a page that has these words: their hashes, as [`crate::parse::Parsed::words`] has them.
    pub fn new(page: &Page, words: &[u64]) -> Self {
        let whole = page.pieces().map(|view| view.piece.words).fold(Sequence::default(), Sequence::then).hash;
        Sketch { words: distinct(words), whole, title: Sequence::of(&page.title).hash }
    }
}

/// The distinct words, sorted. Most words of a page come several times, so those seen lately are passed over before sorting.
fn distinct(words: &[u64]) -> Vec<u32> {
    let mut lately = [0_u32; LATELY];
    let mut distinct: Vec<u32> = Vec::with_capacity(words.len() / 2);
    for &word in words {
        let word = word as u32;
        let seen = &mut lately[word as usize % LATELY];
        if *seen != word {
            *seen = word;
            distinct.push(word);
        }
    }
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Sketches being written, in the collection's order.
pub(super) struct SketchWriter {
    packed: PackedWriter,
    block: Vec<u8>,
    pages: usize,
}

impl SketchWriter {
    pub(super) fn create(path: &Path) -> Result<Self, DedupError> {
        Ok(SketchWriter { packed: PackedWriter::create(path, KIND)?, block: Vec::new(), pages: 0 })
    }

    pub(super) fn add(&mut self, sketch: &Sketch) -> Result<(), DedupError> {
        self.block.extend_from_slice(&(sketch.words.len() as u32).to_le_bytes());
        self.block.extend_from_slice(&sketch.whole.to_le_bytes());
        self.block.extend_from_slice(&sketch.title.to_le_bytes());
        self.block.extend(sketch.words.iter().flat_map(|word| word.to_le_bytes()));
        self.pages += 1;
        if self.pages.is_multiple_of(BLOCK) { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), DedupError> {
        self.packed.append_raw(&self.block)?;
        self.block.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), DedupError> {
        if !self.block.is_empty() {
            self.write()?;
        }
        Ok(self.packed.finish(&())?)
    }
}

/// The sketches of a collection's pages, in its order.
#[derive(Debug)]
pub struct SketchFile {
    packed: Packed,
    /// Where each record lies.
    blocks: Vec<u64>,
}

impl SketchFile {
    /// Opens a file of sketches.
    pub fn open(path: &Path) -> Result<Self, DedupError> {
        let packed = Packed::open(path, KIND)?;
        let () = packed.head()?;
        let blocks = packed.raws().map(|record| Ok(record?.0)).collect::<Result<_, DedupError>>()?;
        Ok(SketchFile { packed, blocks })
    }

    /// The sketch of a page.
    pub fn get(&self, page: u32) -> Result<Sketch, DedupError> {
        let (block, within) = (page as usize / BLOCK, page as usize % BLOCK);
        let missing = || self.packed.damaged(0, format!("it has no sketch of page {page}"));
        let place = *self.blocks.get(block).ok_or_else(missing)?;
        let sketches = sketches(&self.packed, place, &self.packed.raw(place)?.0)?;
        Ok(sketches.into_iter().nth(within).ok_or_else(missing)?)
    }
}

/// Shows the sketches in the file at `path`, one after the other.
pub(super) fn for_each(path: &Path, mut each: impl FnMut(&Sketch)) -> Result<(), DedupError> {
    let packed = Packed::open(path, KIND)?;
    for record in packed.raws() {
        let (place, block) = record?;
        sketches(&packed, place, &block)?.iter().for_each(&mut each);
    }
    Ok(())
}

fn sketches(packed: &Packed, place: u64, mut block: &[u8]) -> Result<Vec<Sketch>, DedupError> {
    let mut sketches = Vec::with_capacity(BLOCK);
    while !block.is_empty() {
        sketches.push(take(&mut block).ok_or_else(|| packed.damaged(place, "no sketch"))?);
    }
    Ok(sketches)
}

/// Reads one sketch; none, and nothing more, where there is none.
fn take(bytes: &mut &[u8]) -> Option<Sketch> {
    let all = std::mem::take(bytes);
    let (count, rest) = all.split_first_chunk()?;
    let (whole, rest) = rest.split_first_chunk()?;
    let (title, rest) = rest.split_first_chunk()?;
    let (words, rest) = rest.split_at_checked(u32::from_le_bytes(*count) as usize * 4)?;
    *bytes = rest;
    let words = words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    Some(Sketch { words, whole: u64::from_le_bytes(*whole), title: u64::from_le_bytes(*title) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_distinct_and_sorted(words in prop::collection::vec(1_u64..3000, 0..400)) {
            let naive: std::collections::BTreeSet<u32> = words.iter().map(|word| *word as u32).collect();
            prop_assert_eq!(distinct(&words), naive.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn sketches_are_read_as_they_were_written(pages in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..9), 0..40)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("sketches");
            let sketch = |(number, words): (usize, &Vec<u32>)| Sketch { words: words.clone(), whole: number as u64, title: 7 };
            let sketches: Vec<Sketch> = pages.iter().enumerate().map(sketch).collect();
            let mut writer = SketchWriter::create(&path).unwrap();
            for sketch in &sketches {
                writer.add(sketch).unwrap();
            }
            writer.finish().unwrap();
            let file = SketchFile::open(&path).unwrap();
            let mut all = Vec::new();
            for_each(&path, |sketch| all.push(sketch.clone())).unwrap();
            prop_assert_eq!(&all, &sketches);
            for (number, sketch) in sketches.iter().enumerate() {
                prop_assert_eq!(&file.get(number as u32).unwrap(), sketch);
            }
            prop_assert!(file.get(pages.len() as u32).is_err());
        }
    }
}

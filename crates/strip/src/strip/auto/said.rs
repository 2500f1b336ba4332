//! The words of a page, by their hashes.

use super::outline::{Block, Outline, Text};
use unhusk_pages::hashed::HashedSet;
use unhusk_pages::parse::Page;
use unhusk_pages::parse::words::{word_hash, word_hashes, words};

/// The words of a page, and where those of each text end.
pub(super) struct Said {
    pub(super) words: Vec<u64>,
    ends: Vec<u32>,
}

impl Said {
    /// Words of a page that are looked at. Rarity is a mean, and needs no more.
    const MOST: usize = 20_000;

    /// The words of a page's texts.
    pub(super) fn of(page: &Page, texts: &[Text]) -> Self {
        let mut said = Said { words: Vec::new(), ends: Vec::with_capacity(texts.len()) };
        for text in texts {
            if said.words.len() < Self::MOST {
                let pieces = text.pieces.start as usize..text.pieces.end as usize;
                pieces.for_each(|piece| word_hashes(page.piece(piece).text, |word| said.words.push(word)));
            }
            said.ends.push(said.words.len() as u32);
        }
        said
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().copied()
    }

    pub(super) fn text(&self, number: usize) -> &[u64] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[number] as usize]
    }
}

/// Tells the units of a text of a page.
pub(super) fn units_of(page: &Page, text: &Text, mut each: impl FnMut(u64)) {
    for piece in text.pieces.clone() {
        units(page.piece(piece as usize).text, &mut each);
    }
}

/// The units of a page's title.
pub(super) fn title_units(page: &Page) -> HashedSet {
    let mut title = HashedSet::default();
    units(&page.title, |unit| {
        title.insert(unit);
    });
    title
}

/// Tells the units of a text: words that are not numbers, or characters where a script does not separate words.
fn units(text: &str, mut each: impl FnMut(u64)) {
    let unspaced = |c: char| c as u32 >= 0x2E80;
    for word in words(text).filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())) {
        // Most text is ASCII, and need not be looked at character by character.
        if word.is_ascii() {
            each(word_hash(word));
            continue;
        }
        for part in word.split_inclusive(unspaced) {
            let (spaced, unspaced) = part.split_at(part.find(unspaced).unwrap_or(part.len()));
            [spaced, unspaced].into_iter().filter(|unit| !unit.is_empty()).for_each(|unit| each(word_hash(unit)));
        }
    }
}

/// Of a block's words, the share that the title has too.
pub(super) fn title_overlap(page: &Page, outline: &Outline, block: &Block, title: &HashedSet) -> f32 {
    if block.words > 40 || title.is_empty() {
        return 0.0;
    }
    let mut said: Vec<u64> = Vec::with_capacity(block.words as usize);
    for text in &outline.texts[block.texts.clone()] {
        units_of(page, text, |unit| said.push(unit));
    }
    said.sort_unstable();
    said.dedup();
    let both = said.iter().filter(|unit| title.contains(unit)).count();
    if said.is_empty() { 0.0 } else { both as f32 / said.len() as f32 }
}

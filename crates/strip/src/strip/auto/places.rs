//! What a site's places are like: how much stands in them, how much of it is linked, how rare its words are.
//!
//! One page shows a box with ten words and a link. All pages together show that the box is on every page, that it always has ten words and a
//! link, and that its words are rare on the site, or are not.

use super::outline::{Block, Outline};
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::words::and_then;

/// What stands inside an element, all its blocks together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) blocks: f32,
    pub(super) words: f32,
    pub(super) linked: f32,
    pub(super) prose: f32,
    /// How rare the words are on the site, added up: a word that no other page has counts 1, one that all have 0.
    pub(super) rare: f32,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.blocks += other.blocks;
        self.words += other.words;
        self.linked += other.linked;
        self.prose += other.prose;
        self.rare += other.rare;
    }

    /// Of its words, the share that is linked.
    pub(super) fn link_share(&self) -> f32 {
        share(self.linked, self.words)
    }

    /// Of its words, the share that is prose.
    pub(super) fn prose_share(&self) -> f32 {
        share(self.prose, self.words)
    }

    /// How rare its words are on average.
    pub(super) fn rarity(&self) -> f32 {
        share(self.rare, self.words)
    }
}

/// A share of a whole; of nothing it is none.
pub(super) fn share(some: f32, of: f32) -> f32 {
    if of > 0.0 { some / of } else { 0.0 }
}

/// The sums inside each element of a page.
pub(super) fn sums(outline: &Outline, blocks: &[Block], rarity: impl Fn(&Block) -> f32) -> Vec<Sums> {
    let mut sums = vec![Sums::default(); outline.spots.len()];
    for block in blocks.iter().filter(|block| block.words > 0) {
        sums[block.element as usize].add(Sums {
            blocks: 1.0,
            words: block.words as f32,
            linked: block.linked as f32,
            prose: if block.is_prose() { block.own as f32 } else { 0.0 },
            rare: rarity(block),
        });
    }
    for spot in (1..outline.spots.len()).rev() {
        let inside = sums[spot];
        sums[outline.spots[spot].parent as usize].add(inside);
    }
    sums
}

/// What a place is like over the pages of a site.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Pages that have text there.
    pub(super) pages: f32,
    /// Elements there, on all pages.
    pub(super) elements: f32,
    /// Different texts among the blocks that stand right there.
    pub(super) distinct: f32,
    /// Blocks that stand right there.
    pub(super) blocks: f32,
    /// What is inside, all pages together.
    pub(super) inside: Sums,
}

/// The places of a site.
#[derive(Default)]
pub(super) struct Places {
    places: HashedMap<Place>,
    pages: f32,
}

impl Places {
    /// Counts a page.
    pub(super) fn add(&mut self, outline: &Outline, blocks: &[Block], sums: &[Sums], seen: &mut HashedSet) {
        self.pages += 1.0;
        let mut here = HashedSet::default();
        for (spot, inside) in outline.spots.iter().zip(sums).filter(|(_, inside)| inside.words > 0.0) {
            let place = self.places.entry(spot.place).or_default();
            place.pages += if here.insert(spot.place) { 1.0 } else { 0.0 };
            place.elements += 1.0;
            place.inside.add(*inside);
        }
        for block in blocks.iter().filter(|block| block.words > 0) {
            let at = outline.spots[block.element as usize].place;
            let text = outline.texts[block.texts.clone()].iter().fold(at, |hash, text| and_then(hash, text.hash));
            let place = self.places.entry(at).or_default();
            place.blocks += 1.0;
            place.distinct += if seen.insert(text) { 1.0 } else { 0.0 };
        }
    }

    /// What is known of a place.
    pub(super) fn get(&self, place: u64) -> Option<&Place> {
        self.places.get(&place)
    }

    /// Pages that were looked at.
    pub(super) fn pages(&self) -> f32 {
        self.pages
    }
}

/// How rare each word is on a site: from the number of pages that have it.
#[derive(Default)]
pub(super) struct Rarity {
    pages: HashedMap<u32>,
    of: u32,
}

impl Rarity {
    /// Counts a page.
    pub(super) fn add(&mut self, words: &[u64]) {
        self.of += 1;
        let mut words = words.to_vec();
        words.sort_unstable();
        words.dedup();
        for word in words {
            *self.pages.entry(word).or_default() += 1;
        }
    }

    /// Whether one page alone has a word.
    pub(super) fn is_on_one_page(&self, word: u64) -> bool {
        self.pages.get(&word) == Some(&1)
    }

    /// How rare a word is: 1 where one page has it, 0 where all have.
    pub(super) fn of(&self, word: u64) -> f32 {
        let pages = self.pages.get(&word).copied().unwrap_or(1) as f32;
        let all = self.of as f32;
        if self.of < 2 { 1.0 } else { (all / pages).ln() / all.ln() }
    }
}

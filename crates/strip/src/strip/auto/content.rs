//! Where a site's articles are.
//!
//! A site shows where its content lives: the place whose text is long, differs on every page and is there on almost all of
//! them. Nobody who looks at one page can know that. It holds only on sites whose pages are articles; where they are
//! records (products, players, jobs), much of what a page has for itself is short, and stands anywhere.

use super::listing::{listings, lists};
use super::outline::{Block, Outline};
use unhusk_pages::hashed::HashedMap;

/// How much more a place's purity counts than how much of the prose it holds: the β² of an F measure.
const PURITY: f64 = 0.25;
/// One long block does not outweigh many short ones: words beyond this do not count.
const LONGEST: u32 = 80;

/// Where the articles of a site are.
pub(super) struct Content {
    /// For each place, how well it holds the prose of the pages, all of it and nothing else: 0 to 1.
    values: HashedMap<f64>,
}

/// Words inside each element of a page.
pub(super) struct Weights {
    /// Words of prose.
    prose: Vec<u32>,
    /// All words that are not certain.
    all: Vec<u32>,
    /// Words of prose on the page.
    total: u32,
}

impl Weights {
    /// Adds up a page's blocks.
    pub(super) fn of(outline: &Outline, blocks: &[Block]) -> Self {
        let mut weights = Weights { prose: vec![0; outline.spots.len()], all: vec![0; outline.spots.len()], total: 0 };
        for block in blocks {
            weights.all[block.element as usize] += block.words;
            if block.is_prose() {
                weights.prose[block.element as usize] += block.own;
                weights.total += block.own;
            }
        }
        for spot in (1..outline.spots.len()).rev() {
            let parent = outline.spots[spot].parent as usize;
            weights.all[parent] += weights.all[spot];
            weights.prose[parent] += weights.prose[spot];
        }
        weights
    }

    /// How well an element holds the page's prose: an F measure of how much of it, and how little else.
    fn holds(&self, spot: usize) -> f64 {
        if self.prose[spot] == 0 {
            return 0.0;
        }
        let much = f64::from(self.prose[spot]) / f64::from(self.total);
        let pure = f64::from(self.prose[spot]) / f64::from(self.all[spot]);
        (1.0 + PURITY) * much * pure / (PURITY * pure + much)
    }
}

impl Content {
    /// Looks at the pages of a site; none where they are not articles.
    pub(super) fn learn<'a>(pages: impl Iterator<Item = (&'a Outline, &'a [Block])>) -> Option<Self> {
        let mut sums: HashedMap<(f64, u32)> = HashedMap::default();
        let mut with_prose = 0;
        for (outline, blocks) in pages {
            let weights = Weights::of(outline, blocks);
            if weights.total == 0 {
                continue;
            }
            with_prose += 1;
            // Of elements in the same place, the best stands for it.
            let mut best: HashedMap<f64> = HashedMap::default();
            for (number, spot) in outline.spots.iter().enumerate().filter(|(number, _)| weights.all[*number] > 0) {
                let holds = best.entry(spot.place).or_default();
                *holds = holds.max(weights.holds(number));
            }
            for (place, holds) in best {
                let sum = sums.entry(place).or_default();
                *sum = (sum.0 + holds, sum.1 + 1);
            }
        }
        if with_prose == 0 {
            return None;
        }
        let value = |(sum, pages): (f64, u32)| {
            let common = f64::from(pages) / f64::from(with_prose);
            (sum / f64::from(pages)) * common.sqrt()
        };
        Some(Content { values: sums.into_iter().map(|(place, sum)| (place, value(sum))).collect() })
    }

    /// The element of a page that is in the best place, of several the one with most prose; none where the site knows
    /// none of the page's places.
    pub(super) fn root(&self, outline: &Outline, weights: &Weights) -> Option<u32> {
        let inside = |spot: usize| if weights.total > 0 { weights.prose[spot] } else { weights.all[spot] };
        let known = |spot: usize| Some((*self.values.get(&outline.spots[spot].place)?, inside(spot)));
        let mut best: Option<(usize, (f64, u32))> = None;
        for spot in (0..outline.spots.len()).filter(|&spot| inside(spot) > 0) {
            let Some(found) = known(spot) else { continue };
            if best.is_none_or(|(_, best)| found.0 > best.0 || (found.0 == best.0 && found.1 > best.1)) {
                best = Some((spot, found));
            }
        }
        best.map(|(spot, _)| spot as u32)
    }
}

/// Of the words a page has for itself, the share that is prose; lists of other pages left out.
pub(super) fn prose_share(outline: &Outline, blocks: &[Block]) -> Option<f64> {
    let listed = listings(&lists(outline, blocks, super::LIST), blocks.len());
    let (mut prose, mut all) = (0, 0);
    for (block, _) in blocks.iter().zip(listed).filter(|(_, entries)| *entries == 0) {
        let words = block.own.min(LONGEST);
        all += words;
        prose += if block.is_prose() { words } else { 0 };
    }
    (all > 0).then(|| f64::from(prose) / f64::from(all))
}

//! Parts of a site that have a template of their own: an element that many pages have, word for word.
//!
//! A section's menu, its advertisements and its small print are on the pages of that section only, so their places hold now this text, now
//! that, and none is certain. But they are long, and the whole element comes back to the letter. A value ("Drama", "Public, 4-year") may come
//! back as well; it is short, or stands behind its label.

use super::certain::Certain;
use super::outline::Outline;
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::words::and_then;

/// Words an element has at least, certain ones and those behind a label aside.
const WORDS: u32 = 16;
/// Share of the pages that have it.
const SHARE: f64 = 0.05;
/// And how many pages in any case: a blog shows a post on several pages.
const FEWEST: u32 = 10;
/// A text that is longer than this is no value, whatever stands before it.
const LONGEST_VALUE: u32 = 10;

/// The elements that many pages have, by place and text, with the number of pages.
#[derive(Default)]
pub(super) struct Repeated {
    elements: HashedMap<u32>,
    of: u32,
}

impl Repeated {
    /// Looks at all pages of a site.
    pub(super) fn learn(outlines: &[&Outline], certain: &Certain) -> Self {
        let mut elements: HashedMap<u32> = HashedMap::default();
        let mut here = HashedSet::default();
        for outline in outlines {
            here.clear();
            let is_certain: Vec<bool> = outline.texts.iter().map(|text| certain.get(text).is_some()).collect();
            let long = Sequences::new(outline, &is_certain).long(outline);
            for (_, key) in long.into_iter().filter(|(_, key)| here.insert(*key)) {
                *elements.entry(key).or_default() += 1;
            }
        }
        let enough = FEWEST.max((SHARE * outlines.len() as f64) as u32);
        elements.retain(|_, pages| *pages >= enough);
        Repeated { elements, of: outlines.len() as u32 }
    }

    /// For each text of a page the number of pages that have the element around it; 0 where it is in none that many have.
    pub(super) fn of(&self, outline: &Outline, certain: &[bool]) -> Vec<u32> {
        let mut pages = vec![0; outline.texts.len()];
        if self.elements.is_empty() {
            return pages;
        }
        for (spot, key) in Sequences::new(outline, certain).long(outline) {
            let Some(&count) = self.elements.get(&key) else { continue };
            let inside = &outline.spots[spot].texts;
            pages[inside.start as usize..inside.end as usize].fill(count);
        }
        pages
    }

    /// Pages learned from.
    pub(super) fn pages(&self) -> u32 {
        self.of
    }
}

/// Hashes of all runs of a page's texts, each in two steps: polynomials of the texts before.
struct Sequences {
    before: Vec<(u64, u32)>,
    powers: Vec<u64>,
}

impl Sequences {
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

    fn new(outline: &Outline, certain: &[bool]) -> Self {
        let mut before = Vec::with_capacity(outline.texts.len() + 1);
        let mut powers = Vec::with_capacity(outline.texts.len() + 1);
        let (mut hash, mut words, mut power) = (0u64, 0, 1u64);
        let mut labelled = false;
        for (text, &certain) in outline.texts.iter().zip(certain) {
            before.push((hash, words));
            powers.push(power);
            hash = hash.wrapping_mul(Self::BASE).wrapping_add(text.hash);
            let is_value = labelled && text.words <= LONGEST_VALUE;
            words += if certain || is_value { 0 } else { text.words };
            labelled = text.colon || (certain && !outline.is_link(text));
            power = power.wrapping_mul(Self::BASE);
        }
        before.push((hash, words));
        powers.push(power);
        Sequences { before, powers }
    }

    /// The elements with enough words, each with its place and text as one number. Of elements with the same texts the outermost.
    fn long(&self, outline: &Outline) -> Vec<(usize, u64)> {
        let mut last = 0..0;
        let mut long = Vec::new();
        for (number, spot) in outline.spots.iter().enumerate() {
            let (start, end) = (spot.texts.start as usize, spot.texts.end as usize);
            if start == end || spot.texts == last {
                continue;
            }
            let ((from, words_before), (to, words)) = (self.before[start], self.before[end]);
            if words - words_before < WORDS {
                continue;
            }
            last = spot.texts.clone();
            let text = to.wrapping_sub(from.wrapping_mul(self.powers[end - start]));
            long.push((number, and_then(spot.place, text)));
        }
        long
    }
}

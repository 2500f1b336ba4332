//! How surely a place holds a text.
//!
//! A menu entry and a genre may be on equally many pages. But where the menu entry stands, it stands on every page that has the
//! place at all, while the genre's place says something else on the next page. So a text is *certain* in a place when it is
//! there on most of the pages that have the place, and when nothing else is ever found in its stead.

use super::outline::{Outline, Text};
use crate::strip::at_least;
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::words::and_then;

/// Of the pages that have a place, the share that must have the text, as sure as [`at_least`] is. Nine pages of nine are enough, and two
/// or three that say the same prove nothing.
const SHARE: f64 = 0.7;
/// Pages that must have a spot before it tells a value.
const FEWEST: usize = 3;
/// Share of the pages on which something else may be found behind the same label in the same place.
const INSTEAD: f64 = 0.01;
/// The same where no label tells that it is the same place: then chance brings other texts there.
const INSTEAD_UNLABELLED: f64 = 0.1;
/// And so many pages must have the spot, for the same reason.
const FEWEST_UNLABELLED: usize = 20;

/// The certain texts of a site.
#[derive(Default)]
pub(super) struct Certain {
    texts: HashedMap<Count>,
}

/// On how many pages a place holds a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Pages that have the text there.
    pub(super) pages: u32,
    /// Pages that have the place.
    pub(super) of: u32,
    /// How often the text is there, all pages together.
    pub(super) times: u32,
    /// The first of the outlines that has it.
    pub(super) first: u32,
}

/// A text in its place.
fn key(text: &Text) -> u64 {
    and_then(text.place, text.hash)
}

impl Certain {
    /// Looks at all pages of a site.
    pub(super) fn learn(outlines: &[&Outline]) -> Self {
        let mut texts = count(outlines);
        texts.retain(|_, count| at_least(count.pages, count.of) >= SHARE);
        for value in values(outlines, &texts) {
            texts.remove(&value);
        }
        Certain { texts }
    }

    /// What is known about a text, where it is certain.
    pub(super) fn get(&self, text: &Text) -> Option<Count> {
        self.texts.get(&key(text)).copied()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

/// On how many pages each place has text.
pub(super) fn pages_by_place(outlines: &[&Outline]) -> HashedMap<u32> {
    let mut places: HashedMap<u32> = HashedMap::default();
    let mut here = HashedSet::default();
    for outline in outlines {
        here.clear();
        for text in outline.texts.iter().filter(|text| here.insert(text.place)) {
            *places.entry(text.place).or_default() += 1;
        }
    }
    places
}

fn count(outlines: &[&Outline]) -> HashedMap<Count> {
    let places = pages_by_place(outlines);
    let mut texts: HashedMap<Count> = HashedMap::default();
    let mut here = HashedSet::default();
    for (number, outline) in outlines.iter().enumerate() {
        here.clear();
        for text in &outline.texts {
            let new = || Count { pages: 0, of: places[&text.place], times: 0, first: number as u32 };
            let count = texts.entry(key(text)).or_insert_with(new);
            count.times += 1;
            if here.insert(key(text)) {
                count.pages += 1;
            }
        }
    }
    texts
}

/// Texts that are values, though most pages have the same one ("confidential"): behind what precedes them, in the same place,
/// other pages have something that is not certain.
fn values(outlines: &[&Outline], certain: &HashedMap<Count>) -> Vec<u64> {
    // Most spots hold certain texts and nothing else, and need no closer look.
    let mut doubtful = HashedSet::default();
    for found in outlines.iter().flat_map(|outline| found(outline)).filter(|found| !certain.contains_key(&found.text)) {
        doubtful.insert(found.spot);
    }
    let mut all: Vec<Found> = Vec::new();
    let mut here: Vec<Found> = Vec::new();
    for outline in outlines {
        here.extend(found(outline).filter(|found| doubtful.contains(&found.spot)));
        here.sort_unstable();
        here.dedup();
        all.append(&mut here);
    }
    all.sort_unstable();
    let same_spot = |a: &Found, b: &Found| (a.labelled, a.spot) == (b.labelled, b.spot);
    all.chunk_by(same_spot).filter_map(|spot| value(spot, certain)).collect()
}

/// What a page has in its spots.
fn found(outline: &Outline) -> impl Iterator<Item = Found> {
    outline.texts.windows(2).flat_map(|pair| {
        let found = |labelled, before| Found { labelled, spot: and_then(before, pair[1].place), text: key(&pair[1]) };
        [found(true, pair[0].hash), found(false, pair[0].place)]
    })
}

/// A text that a page has in a spot: behind some text, its label perhaps, or behind anything in some place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    labelled: bool,
    spot: u64,
    text: u64,
}

/// The value among what is found in one spot, sorted; none where the spot holds template or nothing usual.
fn value(spot: &[Found], certain: &HashedMap<Count>) -> Option<u64> {
    let (mut usual, mut instead) = ((0, 0), 0);
    for same in spot.chunk_by(|a, b| a.text == b.text) {
        usual = usual.max((same.len(), same[0].text));
        instead += if certain.contains_key(&same[0].text) { 0 } else { same.len() };
    }
    let (pages, most) = usual;
    let count = certain.get(&most)?;
    let (allowed, fewest) = if spot[0].labelled { (INSTEAD, FEWEST) } else { (INSTEAD_UNLABELLED, FEWEST_UNLABELLED) };
    let is_usual = spot.len() >= fewest && 2 * pages >= spot.len() && 2 * pages >= count.pages as usize;
    (is_usual && instead > 0 && instead as f64 >= allowed * spot.len() as f64).then_some(most)
}

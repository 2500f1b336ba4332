//! Lists of what is on other pages: related articles, similar products, latest news.
//!
//! Their words change from page to page, so no count finds them. But they are made by a loop: neighbours in the same place, each headed
//! by a link, each short. What a page says about its own subject is not: there, a label stands before the link ("Director:").

use std::ops::Range;

use super::outline::{Block, Outline};

/// An entry is not a list entry if it has more own words than this: then it is an article with a linked heading.
const LONGEST: u32 = 80;
/// The link of an entry is one of its first blocks.
const HEAD: usize = 3;
/// A heading has at least so many words: "Drama" and "next" are no headings.
const HEADING_WORDS: u32 = 2;

/// A list of what is on other pages.
pub(super) struct List {
    /// The place of its entries.
    pub(super) place: u64,
    /// The blocks of each.
    pub(super) entries: Vec<Range<usize>>,
}

/// The lists of a page, of `fewest` entries at least.
pub(super) fn lists(outline: &Outline, blocks: &[Block], fewest: usize) -> Vec<List> {
    let mut lists = Vec::new();
    for spots in repeated(outline, blocks, fewest) {
        let entries: Vec<Range<usize>> =
            spots.iter().map(|&spot| block_range(outline, blocks, spot)).filter(|range| !range.is_empty()).collect();
        if entries.len() < fewest {
            continue;
        }
        let headed = entries.iter().filter(|range| is_headed(&blocks[(*range).clone()])).count();
        let short = entries.iter().all(|range| own_words(&blocks[range.clone()]) <= LONGEST);
        if 5 * headed >= 4 * entries.len() && short {
            lists.push(List { place: outline.spots[spots[0] as usize].place, entries });
        }
    }
    lists
}

/// For each block, how many entries the list has that it is in; 0 where it is in none.
pub(super) fn listings(lists: &[List], blocks: usize) -> Vec<u32> {
    let mut entries_around = vec![0; blocks];
    for list in lists {
        for range in &list.entries {
            entries_around[range.clone()].fill(list.entries.len() as u32);
        }
    }
    entries_around
}

/// Elements with text that are in the same place and have the same parent, `fewest` or more together; only where something
/// is left of the parent.
fn repeated(outline: &Outline, blocks: &[Block], fewest: usize) -> Vec<Vec<u32>> {
    let left = words_before(outline, blocks);
    let is_left = |texts: &Range<u32>| left[texts.start as usize] < left[texts.end as usize];
    let with_text = || outline.spots.iter().enumerate().skip(1).filter(|(_, spot)| !spot.texts.is_empty());
    // Most elements have few neighbours, and need not be sorted.
    let mut neighbours = vec![0_u32; outline.spots.len()];
    for (_, spot) in with_text() {
        neighbours[spot.parent as usize] += 1;
    }
    let mut spots: Vec<(u32, u64, u32)> = with_text()
        .filter(|(_, spot)| neighbours[spot.parent as usize] as usize >= fewest)
        .filter(|(_, spot)| is_left(&outline.spots[spot.parent as usize].texts))
        .map(|(number, spot)| (spot.parent, spot.place, number as u32))
        .collect();
    spots.sort_unstable();
    let alike = spots.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    alike.filter(|alike| alike.len() >= fewest).map(|alike| alike.iter().map(|spot| spot.2).collect()).collect()
}

/// For each text, and for the end, the words that are left in blocks that begin before it.
fn words_before(outline: &Outline, blocks: &[Block]) -> Vec<u32> {
    let mut before = Vec::with_capacity(outline.texts.len() + 1);
    let mut sum = 0;
    for block in blocks {
        before.push(sum);
        sum += block.words;
        before.resize(block.texts.end, sum);
    }
    before.resize(outline.texts.len() + 1, sum);
    before
}

/// The blocks that begin inside an element.
pub(super) fn block_range(outline: &Outline, blocks: &[Block], spot: u32) -> Range<usize> {
    let texts = &outline.spots[spot as usize].texts;
    let before = |text: u32| blocks.partition_point(|block| block.texts.start < text as usize);
    before(texts.start)..before(texts.end)
}

/// Whether an entry begins with a link that says something, and no label stands before it.
fn is_headed(entry: &[Block]) -> bool {
    let head = entry.iter().take(HEAD).take_while(|block| !block.label);
    head.into_iter().any(|block| block.linked >= HEADING_WORDS && 5 * block.linked >= 4 * block.words)
}

fn own_words(entry: &[Block]) -> u32 {
    entry.iter().map(|block| block.own).sum()
}

//! What is known about one site, and how a page of it is marked.

use std::ops::Range;

use super::certain::{Certain, Count};
use super::content::{Content, Weights};
use super::listing::{block_range, listings};
use super::names::Vocabulary;
use super::outline::{Block, Outline, Text, blocks};
use super::{ARTICLE_LIST, LIST, Signal, Signals};
use crate::hashed::{HashedMap, HashedSet};
use crate::parse::Page;
use crate::parse::words::words;
use crate::strip::{Mask, Reason};

/// A text that more than this share of the pages have is not a page's own.
const OWN: f64 = 0.05;
/// Own words from which a block between the headline and the article belongs to it.
const LEAD: u32 = 8;
/// A page that keeps fewer words than this was not an article, or was one of lists: then its links are its content.
const FEWEST_KEPT: u32 = 20;

/// What is known about one site.
pub(super) struct Site {
    vocabulary: Vocabulary,
    pub(super) certain: Certain,
    common: HashedSet,
    content: Option<Content>,
    signals: Signals,
}

impl Site {
    /// Learns from outlines of the site's pages, which were made with this vocabulary.
    pub(super) fn learn(vocabulary: Vocabulary, outlines: &[Outline], signals: Signals) -> Self {
        let certain = if signals.has(Signal::Certain) { Certain::learn(outlines) } else { Certain::default() };
        let common = common(outlines);
        let blocks: Vec<Vec<Block>> = outlines
            .iter()
            .map(|outline| blocks(outline, &certain.of(outline), |text| common.contains(&text.hash)))
            .collect();
        let content = signals.has(Signal::Content).then(|| Content::learn(outlines, &blocks)).flatten();
        Site { vocabulary, certain, common, content, signals }
    }

    /// Whether its pages are articles.
    pub(super) fn has_articles(&self) -> bool {
        self.content.is_some()
    }

    /// The outline of a page of this site.
    pub(super) fn outline(&self, page: &Page) -> Outline {
        Outline::of(page, &self.vocabulary)
    }

    /// Marks a page.
    pub(super) fn mark(&self, page: &Page) -> Mask {
        let outline = self.outline(page);
        let certain: Vec<Option<Count>> = outline.texts.iter().map(|text| self.certain.get(text)).collect();
        let is_certain: Vec<bool> = certain.iter().map(Option::is_some).collect();
        let blocks = blocks(&outline, &is_certain, |text| self.common.contains(&text.hash));
        let reasons = self.reasons(page, &outline, &blocks);
        let mut mask = Mask::keep_all(page.piece_count());
        for (block, reason) in blocks.iter().zip(reasons) {
            for (text, certain) in outline.texts[block.texts.clone()].iter().zip(&certain[block.texts.clone()]) {
                let certain = certain.map(|count| Reason::Certain { pages: count.pages, of: count.of });
                if let Some(reason) = certain.or(reason) {
                    mask.drop(text.pieces.start as usize..text.pieces.end as usize, reason);
                }
            }
        }
        mask
    }

    /// Why each block is dropped, certain texts aside.
    fn reasons(&self, page: &Page, outline: &Outline, blocks: &[Block]) -> Vec<Option<Reason>> {
        let none = vec![None; blocks.len()];
        let reasons = match &self.content {
            Some(content) => {
                let weights = Weights::of(outline, blocks);
                let Some(root) = content.root(outline, &weights) else { return none };
                self.of_article(page, outline, blocks, root)
            }
            None if self.signals.has(Signal::Listings) => listed(outline, blocks, LIST),
            None => return none,
        };
        let kept: u32 =
            blocks.iter().zip(&reasons).filter(|(_, reason)| reason.is_none()).map(|(block, _)| block.words).sum();
        if kept < FEWEST_KEPT { none } else { reasons }
    }

    /// On an article's page: what is not the article, and not its headline.
    fn of_article(&self, page: &Page, outline: &Outline, blocks: &[Block], root: u32) -> Vec<Option<Reason>> {
        let inside = block_range(outline, blocks, root);
        let headline = headline(page, outline, &blocks[..inside.start]);
        let mut reasons = if self.signals.has(Signal::Listings) {
            listed(outline, blocks, ARTICLE_LIST)
        } else {
            vec![None; blocks.len()]
        };
        for (number, (block, reason)) in blocks.iter().zip(&mut reasons).enumerate() {
            let is_lead = headline.is_some_and(|headline| (headline + 1..inside.start).contains(&number));
            if headline == Some(number) {
                *reason = None;
            } else if let Some(name) = self.furniture(outline, block, root) {
                *reason = Some(Reason::Furniture { name });
            } else if reason.is_none() {
                *reason = match () {
                    () if is_control(outline, block) => Some(Reason::Control),
                    () if inside.contains(&number) => block.is_linked().then_some(Reason::Links),
                    () if is_lead && block.own >= LEAD && !block.is_linked() => None,
                    () => Some(Reason::Outside),
                };
            }
        }
        reasons
    }

    fn furniture(&self, outline: &Outline, block: &Block, root: u32) -> Option<&'static str> {
        if self.signals.has(Signal::Names) { outline.furniture(block.element, root) } else { None }
    }
}

/// Texts that are on more than a few pages.
fn common(outlines: &[Outline]) -> HashedSet {
    let few = (OWN * outlines.len() as f64).max(1.0) as u32;
    let mut counts: HashedMap<u32> = HashedMap::default();
    let mut here = HashedSet::default();
    for outline in outlines {
        here.clear();
        for text in outline.texts.iter().filter(|text| here.insert(text.hash)) {
            *counts.entry(text.hash).or_default() += 1;
        }
    }
    counts.into_iter().filter(|&(_, pages)| pages > few).map(|(hash, _)| hash).collect()
}

/// Blocks in lists of what is on other pages.
fn listed(outline: &Outline, blocks: &[Block], fewest: usize) -> Vec<Option<Reason>> {
    let lists = listings(outline, blocks, fewest);
    lists.into_iter().map(|entries| (entries > 0).then_some(Reason::Listing { entries })).collect()
}

fn is_control(outline: &Outline, block: &Block) -> bool {
    outline.texts.get(block.texts.start).is_some_and(|text| outline.spots[text.element as usize].looks.control)
}

/// The last of these blocks that says what the page's title says.
fn headline(page: &Page, outline: &Outline, before: &[Block]) -> Option<usize> {
    let title: HashedSet = units(&page.title).collect();
    before.iter().rposition(|block| {
        let texts = &outline.texts[block.texts.clone()];
        let said: HashedSet = texts.iter().flat_map(|text| units_of(page, text)).collect();
        let both = said.intersection(&title).count();
        let tagged = texts.first().is_some_and(|text| is_heading(outline, text.element));
        both >= 2 && 10 * both >= 7 * said.len() && (tagged || 2 * both >= title.len()) && block.words > 0
    })
}

/// Whether an element is a heading or close inside one.
fn is_heading(outline: &Outline, mut element: u32) -> bool {
    const CLOSE: usize = 3;
    for _ in 0..CLOSE {
        let spot = &outline.spots[element as usize];
        if spot.looks.heading {
            return true;
        }
        element = spot.parent;
    }
    false
}

fn units_of<'p>(page: &'p Page, text: &Text) -> impl Iterator<Item = u64> + use<'p> {
    let pieces: Range<usize> = text.pieces.start as usize..text.pieces.end as usize;
    pieces.flat_map(move |piece| units(page.piece(piece).text))
}

/// Words, or characters where a script does not separate words.
fn units(text: &str) -> impl Iterator<Item = u64> {
    let unspaced = |c: char| c as u32 >= 0x2E80;
    words(text).flat_map(move |word| {
        word.split_inclusive(unspaced).flat_map(move |part| {
            let at = part.find(unspaced).unwrap_or(part.len());
            [&part[..at], &part[at..]].into_iter().filter(|unit| !unit.is_empty()).map(crate::parse::words::word_hash)
        })
    })
}

//! What is known about one site, and how a page of it is marked.

use std::ops::Range;

use super::certain::{Certain, Count};
use super::content::{Content, Weights};
use super::listing::{block_range, listings};
use super::names::{Furniture, Vocabulary};
use super::outline::{Block, Outline, Sight, Text, blocks};
use super::repeated::Repeated;
use super::ways::{Counters, Numbered, crumbs, leads_on};
use super::{ARTICLE_LIST, LIST, Signal, Signals};
use crate::strip::{Mask, Reason};
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::Page;
use unhusk_pages::parse::words::words;

/// A text that more than this share of the pages have is not a page's own.
const OWN: f64 = 0.05;
/// Own words from which a block between the headline and the article belongs to it.
const LEAD: u32 = 8;
/// A page that keeps fewer words than this is no article, or has nothing but lists: then its links are its content.
const FEWEST_KEPT: u32 = 20;

/// What is known about one site.
pub(super) struct Site {
    vocabulary: Vocabulary,
    pub(super) certain: Certain,
    repeated: Repeated,
    counters: Counters,
    common: HashedSet,
    content: Option<Content>,
    signals: Signals,
}

impl Site {
    /// Learns from outlines of the site's pages, which were made with this vocabulary, and from the lines with numbers on them.
    pub(super) fn learn(
        vocabulary: Vocabulary,
        outlines: &[Outline],
        numbered: &[Vec<Numbered>],
        signals: Signals,
    ) -> Self {
        let certain = if signals.has(Signal::Certain) { Certain::learn(outlines) } else { Certain::default() };
        let repeated =
            if signals.has(Signal::Repeated) { Repeated::learn(outlines, &certain) } else { Repeated::default() };
        let mut site = Site {
            vocabulary,
            certain,
            repeated,
            counters: if signals.has(Signal::Ways) { Counters::learn(outlines, numbered) } else { Counters::default() },
            common: common(outlines),
            content: None,
            signals,
        };
        if signals.has(Signal::Content) {
            let blocks: Vec<Vec<Block>> = outlines.iter().map(|outline| site.shared(outline).blocks).collect();
            site.content = Content::learn(outlines, &blocks);
        }
        site
    }

    /// Whether its pages are articles.
    pub(super) fn has_articles(&self) -> bool {
        self.content.is_some()
    }

    /// Marks a page.
    pub(super) fn mark(&self, page: &Page) -> Mask {
        let outline = Sight::of(page).outline(&self.vocabulary);
        let Shared { mut reasons, certain, blocks } = self.shared(&outline);
        for (block, reason) in blocks.iter().zip(self.reasons(page, &outline, &blocks)) {
            for text in &mut reasons[block.texts.clone()] {
                *text = text.or(reason);
            }
        }
        if self.signals.has(Signal::Ways) {
            drop_ways(page, &outline, &blocks, &certain, &mut reasons);
            self.counters.drop_last(page, &outline, &mut reasons);
        }
        mask(page, &outline, &reasons)
    }

    /// What pages share word for word, and the blocks that are left.
    fn shared(&self, outline: &Outline) -> Shared {
        let counts: Vec<Option<Count>> = outline.texts.iter().map(|text| self.certain.get(text)).collect();
        let certain: Vec<bool> = counts.iter().map(Option::is_some).collect();
        let repeated = self.repeated.of(outline, &certain);
        let reason = |(certain, &pages): (&Option<Count>, &u32)| {
            let certain = certain.map(|count| Reason::Certain { pages: count.pages, of: count.of });
            certain.or((pages > 0).then(|| Reason::Repeated { pages, of: self.repeated.pages() }))
        };
        let reasons: Vec<Option<Reason>> = counts.iter().zip(&repeated).map(reason).collect();
        let blocks = blocks(outline, &certain, &reasons, |text| self.common.contains(&text.hash));
        Shared { reasons, certain, blocks }
    }

    /// Why each block is dropped, certain texts aside.
    fn reasons(&self, page: &Page, outline: &Outline, blocks: &[Block]) -> Vec<Option<Reason>> {
        match &self.content {
            Some(content) => {
                let weights = Weights::of(outline, blocks);
                let Some(root) = content.root(outline, &weights) else { return vec![None; blocks.len()] };
                self.of_article(page, outline, blocks, root)
            }
            None => self.of_record(outline, blocks),
        }
    }

    /// On a page that is no article: lists of what is on other pages, unless they are all there is.
    fn of_record(&self, outline: &Outline, blocks: &[Block]) -> Vec<Option<Reason>> {
        if !self.signals.has(Signal::Listings) {
            return vec![None; blocks.len()];
        }
        let reasons = listed(outline, blocks, LIST);
        if kept(blocks, &reasons, |block| block.own) < FEWEST_KEPT { vec![None; blocks.len()] } else { reasons }
    }

    /// On an article's page: what is not the article, and not its headline.
    fn of_article(&self, page: &Page, outline: &Outline, blocks: &[Block], root: u32) -> Vec<Option<Reason>> {
        let inside = block_range(outline, blocks, root);
        let headline = headline(page, outline, &blocks[..inside.start]);
        let mut names = Furniture::of(page);
        let uses_names = self.signals.has(Signal::Names);
        let mut furniture = |block: &Block| names.around(block.element, root).filter(|_| uses_names);
        let mut reasons = if self.signals.has(Signal::Listings) {
            listed(outline, blocks, ARTICLE_LIST)
        } else {
            vec![None; blocks.len()]
        };
        for (number, (block, reason)) in blocks.iter().zip(&mut reasons).enumerate() {
            let is_lead = headline.is_some_and(|headline| (headline + 1..inside.start).contains(&number));
            if headline == Some(number) {
                *reason = None;
            } else if let Some(name) = furniture(block) {
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
        let article = kept(blocks, &reasons, |block| if block.own == 0 || block.is_prose() { block.words } else { 0 });
        if article < FEWEST_KEPT {
            let is_furniture = |reason: &Reason| matches!(reason, Reason::Furniture { .. });
            let record = self.of_record(outline, blocks);
            return reasons
                .into_iter()
                .zip(record)
                .map(|(reason, record)| reason.filter(is_furniture).or(record))
                .collect();
        }
        reasons
    }
}

/// What a page shares with others word for word.
struct Shared {
    /// For each text, why it is dropped.
    reasons: Vec<Option<Reason>>,
    /// For each text, whether its place holds it for certain.
    certain: Vec<bool>,
    blocks: Vec<Block>,
}

/// Drops the way to the page, which stands before its text, and links to the pages before and after.
fn drop_ways(page: &Page, outline: &Outline, blocks: &[Block], certain: &[bool], reasons: &mut [Option<Reason>]) {
    let title: HashedSet = units(&page.title).collect();
    let of_title = |text: &Text| {
        let said: HashedSet = units_of(page, text).collect();
        !said.is_empty() && 10 * said.intersection(&title).count() >= 7 * said.len()
    };
    let text = blocks.iter().position(Block::is_prose).unwrap_or(blocks.len());
    let steps = blocks[..text].iter().flat_map(|block| crumbs(page, outline, block, certain, of_title));
    let onward = blocks.iter().filter(|block| leads_on(page, outline, block)).flat_map(|block| block.texts.clone());
    for number in steps.chain(onward) {
        reasons[number].get_or_insert(Reason::Way);
    }
}

/// The mask of a page. Pieces without words go with the text before them in their block, or else with the one behind.
fn mask(page: &Page, outline: &Outline, reasons: &[Option<Reason>]) -> Mask {
    let mut mask = Mask::keep_all(page.piece_count());
    let mut from = 0;
    let mut before = None;
    for (text, reason) in outline.texts.iter().zip(reasons) {
        let between = from..text.pieces.start as usize;
        let before_it = if text.begins { before.and(*reason) } else { before };
        if let Some(reason) = before_it {
            mask.drop(between, reason);
        }
        from = text.pieces.end as usize;
        if let Some(reason) = *reason {
            mask.drop(text.pieces.start as usize..from, reason);
        }
        before = *reason;
    }
    if let Some(reason) = before {
        mask.drop(from..page.piece_count(), reason);
    }
    mask
}

/// What is kept of a page's blocks, by some measure.
fn kept(blocks: &[Block], reasons: &[Option<Reason>], measure: impl Fn(&Block) -> u32) -> u32 {
    blocks.iter().zip(reasons).filter(|(_, reason)| reason.is_none()).map(|(block, _)| measure(block)).sum()
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

/// The last of these blocks that says what the page's title says. A heading needs to say half of its words in the title's,
/// other blocks most of their words and half of the title's.
fn headline(page: &Page, outline: &Outline, before: &[Block]) -> Option<usize> {
    let title: HashedSet = units(&page.title).collect();
    before.iter().rposition(|block| {
        let texts = &outline.texts[block.texts.clone()];
        let said: HashedSet = texts.iter().flat_map(|text| units_of(page, text)).collect();
        let both = said.intersection(&title).count();
        let is_heading = texts.first().is_some_and(|text| is_heading(outline, text.element));
        let says_so = 10 * both >= 7 * said.len() && 2 * both >= title.len() && both >= 2;
        block.words > 0 && ((is_heading && both > 0 && 2 * both >= said.len()) || says_so)
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

/// Words that are not numbers, or characters where a script does not separate words.
fn units(text: &str) -> impl Iterator<Item = u64> {
    let unspaced = |c: char| c as u32 >= 0x2E80;
    words(text).filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).flat_map(move |word| {
        word.split_inclusive(unspaced).flat_map(move |part| {
            let at = part.find(unspaced).unwrap_or(part.len());
            [&part[..at], &part[at..]]
                .into_iter()
                .filter(|unit| !unit.is_empty())
                .map(unhusk_pages::parse::words::word_hash)
        })
    })
}

//! What is known about one site, and how a page of it is marked.

use std::ops::Range;

use super::certain::{Certain, Count};
use super::content::{Content, Weights, prose_share};
use super::features::{Features, Known, features};
use super::listing::{block_range, listings};
use super::names::{Furniture, Vocabulary};
use super::outline::{Block, Outline, Sight, Text, blocks};
use super::places::{Places, Rarity, sums};
use super::repeated::Repeated;
use super::ways::{Counters, Numbered, crumbs, leads_on};
use super::{ARTICLE_LIST, LIST, Signal, Signals};
use crate::hashed::{HashedMap, HashedSet};
use crate::parse::Page;
use crate::parse::words::{word_hashes, words};
use crate::strip::{Mask, Reason};

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
    places: Places,
    prose: f32,
    main_share: f32,
    signals: Signals,
}

/// The words of a page, and where those of each text end.
pub(super) struct Said {
    words: Vec<u64>,
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

    fn text(&self, number: usize) -> &[u64] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[number] as usize]
    }
}

/// A page to learn from.
pub(super) struct Studied {
    pub(super) outline: Outline,
    pub(super) numbered: Vec<Numbered>,
    pub(super) said: Said,
}

impl Site {
    /// Learns from pages of the site, whose outlines were made with this vocabulary.
    pub(super) fn learn(vocabulary: Vocabulary, studied: &[Studied], signals: Signals) -> Self {
        let outlines: Vec<&Outline> = studied.iter().map(|page| &page.outline).collect();
        let certain = if signals.has(Signal::Certain) { Certain::learn(&outlines) } else { Certain::default() };
        let repeated =
            if signals.has(Signal::Repeated) { Repeated::learn(&outlines, &certain) } else { Repeated::default() };
        let mut site = Site {
            vocabulary,
            certain,
            repeated,
            counters: if signals.has(Signal::Ways) { Counters::learn(studied) } else { Counters::default() },
            common: common(&outlines),
            content: None,
            places: Places::default(),
            prose: 0.0,
            main_share: 0.0,
            signals,
        };
        site.learn_places(studied);
        site
    }

    /// What the places are like, and which of them holds the content.
    fn learn_places(&mut self, studied: &[Studied]) {
        let mut rarity = Rarity::default();
        studied.iter().for_each(|page| rarity.add(&page.said.words));
        let shared: Vec<Shared> = studied.iter().map(|page| self.shared(&page.outline)).collect();
        let pages = || studied.iter().zip(&shared).map(|(page, shared)| (page, &shared.blocks, &shared.reasons));
        self.content = Content::learn(pages().map(|(page, blocks, _)| (&page.outline, &blocks[..])));
        let mut seen = HashedSet::default();
        let (mut prose, mut in_main) = (Vec::new(), Vec::new());
        for (page, blocks, reasons) in pages() {
            let rare = |block: &Block| -> f32 {
                let texts = block.texts.clone().filter(|&text| reasons[text].is_none());
                texts.flat_map(|text| page.said.text(text)).map(|&word| rarity.of(word)).sum()
            };
            let sums = sums(&page.outline, blocks, rare);
            self.places.add(&page.outline, blocks, &sums, &mut seen);
            prose.extend(prose_share(&page.outline, blocks).map(|share| share as f32));
            let weights = Weights::of(&page.outline, blocks);
            let main = self.content.as_ref().and_then(|content| content.root(&page.outline, &weights));
            if let (Some(main), Some(all)) = (main, sums.first().filter(|all| all.rare > 0.0)) {
                in_main.push(sums[main as usize].rare / all.rare);
            }
        }
        self.prose = median(prose);
        self.main_share = median(in_main);
    }

    fn known(&self) -> Known<'_> {
        Known { places: &self.places, content: self.content.as_ref(), prose: self.prose, main_share: self.main_share }
    }

    /// What the trees are fitted on: each block of a page that is not template, with its numbers and what became of it.
    pub(super) fn rows(&self, page: &Page, mut each: impl FnMut(Row<'_>)) {
        let outline = Sight::of(page).outline(&self.vocabulary);
        let Shared { reasons, blocks, .. } = self.shared(&outline);
        let sums = sums(&outline, &blocks, |_| 0.0);
        let title: HashedSet = units(&page.title).collect();
        let of_title = |block: &Block| title_overlap(page, &outline, block, &title);
        let (features, main) = features(page, &outline, &blocks, &sums, &self.known(), of_title);
        for (number, (block, features)) in blocks.iter().zip(&features).enumerate().filter(|(_, (block, _))| block.words > 0) {
            let texts = block.texts.clone().filter(|&text| reasons[text].is_none());
            let text: Vec<&str> = texts
                .map(|text| &outline.texts[text].pieces)
                .map(|pieces| page.text_of(pieces.start as usize..pieces.end as usize))
                .collect();
            let path: Vec<String> = page.ancestors(block.element).map(|element| {
                let sign = page.sign(element);
                format!("{}#{}.{}", sign.tag, sign.id, sign.class.replace(' ', "."))
            }).collect();
            each(Row { block: number, features, text: &text.join(" "), path: &path.join(" "), words: block.words, main: main.is_some() });
        }
    }

    /// Whether its pages are articles.
    pub(super) fn has_articles(&self) -> bool {
        self.content.is_some() && self.prose >= 0.85
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
        let mut reasons: Vec<Option<Reason>> = counts.iter().zip(&repeated).map(reason).collect();
        keep_lines_whole(outline, &mut reasons);
        let blocks = blocks(outline, &certain, &reasons, |text| self.common.contains(&text.hash));
        Shared { reasons, certain, blocks }
    }

    /// Why each block is dropped, certain texts aside.
    fn reasons(&self, page: &Page, outline: &Outline, blocks: &[Block]) -> Vec<Option<Reason>> {
        match self.content.as_ref().filter(|_| self.has_articles() && self.signals.has(Signal::Content)) {
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

/// The texts of one line go together, by the majority of their words: no word falls out of a sentence, and a label stays with its value.
fn keep_lines_whole(outline: &Outline, reasons: &mut [Option<Reason>]) {
    let mut start = 0;
    for line in outline.texts.chunk_by(|_, next| !next.begins) {
        let reasons = &mut reasons[start..start + line.len()];
        start += line.len();
        let words = |shared: bool| {
            let texts = line.iter().zip(reasons.iter()).filter(|(_, reason)| reason.is_some() == shared);
            texts.map(|(text, _)| text.words).sum::<u32>()
        };
        if words(false) >= words(true) {
            reasons.fill(None);
        }
    }
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
            take_out(&mut mask, between, reason);
        }
        from = text.pieces.end as usize;
        if let Some(reason) = *reason {
            take_out(&mut mask, text.pieces.start as usize..from, reason);
        }
        before = *reason;
    }
    if let Some(reason) = before {
        take_out(&mut mask, from..page.piece_count(), reason);
    }
    mask
}

/// Template is what is shared for certain; everything else is the page's own.
fn take_out(mask: &mut Mask, pieces: Range<usize>, reason: Reason) {
    match reason {
        Reason::Certain { .. } | Reason::Repeated { .. } => mask.drop(pieces, reason),
        _ => mask.set_aside(pieces, reason),
    }
}

/// What is kept of a page's blocks, by some measure.
fn kept(blocks: &[Block], reasons: &[Option<Reason>], measure: impl Fn(&Block) -> u32) -> u32 {
    blocks.iter().zip(reasons).filter(|(_, reason)| reason.is_none()).map(|(block, _)| measure(block)).sum()
}

/// Texts that are on more than a few pages.
fn common(outlines: &[&Outline]) -> HashedSet {
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

pub(super) fn is_control(outline: &Outline, block: &Block) -> bool {
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
pub(super) fn is_heading(outline: &Outline, mut element: u32) -> bool {
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
            [&part[..at], &part[at..]].into_iter().filter(|unit| !unit.is_empty()).map(crate::parse::words::word_hash)
        })
    })
}

/// A block of a page, for fitting.
pub(super) struct Row<'a> {
    pub(super) block: usize,
    pub(super) features: &'a Features,
    pub(super) text: &'a str,
    pub(super) path: &'a str,
    pub(super) words: u32,
    pub(super) main: bool,
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Of a block's words, the share that the title has too.
fn title_overlap(page: &Page, outline: &Outline, block: &Block, title: &HashedSet) -> f32 {
    if block.words > 40 {
        return 0.0;
    }
    let said: HashedSet = outline.texts[block.texts.clone()].iter().flat_map(|text| units_of(page, text)).collect();
    if said.is_empty() { 0.0 } else { said.intersection(title).count() as f32 / said.len() as f32 }
}

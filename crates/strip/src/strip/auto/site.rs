//! What is known about one site, and how a page of it is marked.

use std::ops::Range;
use std::sync::Arc;

use super::certain::{Certain, Count};
use super::content::{Content, Weights, prose_share};
use super::features::{Features, Known, LABELLED, features, labelled};
use super::layouts::Layouts;
use super::listing::{List, listings, lists};
use super::names::{Furniture, Vocabulary};
use super::outline::{Block, Outline, Sight, Text, blocks};
use super::places::{Places, Rarity, Sums, sums};
use super::repeated::Repeated;
use super::said::{Said, title_overlap, title_units, units_of};
use super::trees::BLOCKS;
use super::ways::{Counters, Numbered, crumbs, leads_on};
use super::{LIST, Signal, Signals};
use crate::strip::{Mask, Reason};
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::Page;

/// A text that more than this share of the pages have is not a page's own.
const OWN: f64 = 0.05;
/// A page that keeps fewer words than this has nothing but lists: then its links are its content.
const FEWEST_KEPT: u32 = 20;

/// Pages that a layout must have to be learned by itself. Smaller ones are taken for what the whole site is.
const LARGE: usize = 20;

/// How much a site's pages are articles is the share of prose in what they have for themselves, less this for each value behind a label.
const VALUE: f32 = 0.01;
/// More values than this do not count.
const MOST_VALUES: f32 = 10.0;
/// Words of a value.
const VALUE_WORDS: u32 = 6;
/// A site below the first is one of records, above the second one of articles.
const ARTICLE: (f32, f32) = (0.78, 0.85);

/// What is known about one site.
pub(super) struct Site {
    vocabulary: Vocabulary,
    pub(super) certain: Certain,
    repeated: Repeated,
    counters: Counters,
    common: HashedSet,
    places: Places,
    /// Places of lists whose entries are not told on the pages they lead to.
    own_lists: HashedSet,
    layouts: Layouts,
    /// The whole site, and behind it each layout.
    kinds: Vec<Kind>,
}

/// What the pages of a site, or of a layout, are like.
#[derive(Clone)]
struct Kind {
    content: Option<Arc<Content>>,
    /// How much they are articles.
    article: f32,
    /// Of what only a page says, the share that is in the main container, on the median page.
    main_share: f32,
    signals: Signals,
}

/// A page to learn from.
pub(super) struct Studied {
    pub(super) outline: Outline,
    pub(super) numbered: Vec<Numbered>,
    pub(super) said: Said,
}

impl Site {
    /// Learns from pages of the site, whose outlines were made with this vocabulary; how rare its words are, too.
    pub(super) fn learn(vocabulary: Vocabulary, studied: &[Studied], signals: Signals) -> (Self, Rarity) {
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
            places: Places::default(),
            own_lists: HashedSet::default(),
            layouts: Layouts::default(),
            kinds: vec![Kind { content: None, article: 0.0, main_share: 0.0, signals }],
        };
        let rarity = site.learn_kinds(studied, signals);
        (site, rarity)
    }

    /// What the places are like, and the pages of each layout.
    fn learn_kinds(&mut self, studied: &[Studied], signals: Signals) -> Rarity {
        let mut rarity = Rarity::default();
        studied.iter().for_each(|page| rarity.add(&page.said.words));
        let mut seen = HashedSet::default();
        let mut marked = Vec::with_capacity(studied.len());
        for page in studied {
            let Shared { reasons, blocks, .. } = self.shared(&page.outline, signals);
            let rare = |block: &Block| -> f32 {
                let texts = block.texts.clone().filter(|&text| reasons[text].is_none());
                texts.flat_map(|text| page.said.text(text)).map(|&word| rarity.of(word)).sum()
            };
            let sums = sums(&page.outline, &blocks, rare);
            self.places.add(&page.outline, &blocks, &sums, &mut seen);
            marked.push(Marked { outline: &page.outline, blocks, sums });
        }
        let outlines: Vec<&Outline> = studied.iter().map(|page| &page.outline).collect();
        let (layouts, pages) = Layouts::find(&outlines);
        self.layouts = layouts;
        self.kinds = vec![self.kind(&marked.iter().collect::<Vec<_>>(), signals)];
        for pages in pages {
            let kind = match pages.len() {
                LARGE.. => self.kind(&pages.iter().map(|&page| &marked[page]).collect::<Vec<_>>(), signals),
                _ => self.kinds[0].clone(),
            };
            self.kinds.push(kind);
        }
        rarity
    }

    /// What some pages are like.
    fn kind(&self, pages: &[&Marked<'_>], signals: Signals) -> Kind {
        let content = Content::learn(pages.iter().map(|page| (page.outline, &page.blocks[..])));
        let (mut prose, mut in_main, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for Marked { outline, blocks, sums } in pages {
            prose.extend(prose_share(outline, blocks).map(|share| share as f32));
            let main = content.as_ref().and_then(|content| content.root(outline, &Weights::of(outline, blocks)));
            if let (Some(main), Some(all)) = (main, sums.first().filter(|all| all.rare > 0.0)) {
                in_main.push(sums[main as usize].rare / all.rare);
            }
            values.push(self.values(outline, blocks) as f32);
        }
        Kind {
            content: content.map(Arc::new),
            article: median(prose) - VALUE * median(values).min(MOST_VALUES),
            main_share: median(in_main),
            signals,
        }
    }

    /// What pages like this one are like.
    fn kind_of(&self, outline: &Outline) -> &Kind {
        &self.kinds[self.kind_number(outline)]
    }

    /// The number of a page's layout; 0 where it has none, and goes by the whole site.
    pub(super) fn kind_number(&self, outline: &Outline) -> usize {
        self.layouts.of(outline).map_or(0, |layout| layout + 1)
    }

    /// The signals that are used, for the whole site and for each layout.
    pub(super) fn signals(&self) -> impl Iterator<Item = Signals> + '_ {
        self.kinds.iter().map(|kind| kind.signals)
    }

    /// Does not use a signal any more for the pages of a layout.
    pub(super) fn back_off(&mut self, kind: usize, signal: Signal) {
        self.kinds[kind].signals.0[signal as usize] = false;
    }

    /// How many values behind labels a page has, in places that most pages have.
    fn values(&self, outline: &Outline, blocks: &[Block]) -> usize {
        let is_usual = |block: &Block| {
            let place = self.places.get(outline.spots[block.element as usize].place);
            place.is_some_and(|place| 2.0 * place.pages >= self.places.pages())
        };
        let labelled = blocks.iter().zip(labelled(outline, blocks)).filter(|(_, sure)| *sure >= LABELLED);
        labelled.filter(|(block, _)| block.words <= VALUE_WORDS && is_usual(block)).count()
    }

    fn known<'s>(&'s self, kind: &'s Kind) -> Known<'s> {
        Known {
            places: &self.places,
            content: kind.content.as_deref(),
            article: kind.article,
            main_share: kind.main_share,
        }
    }

    /// What the trees are fitted on: each block of a page that is not template, with its numbers and what became of it.
    pub(super) fn rows(&self, page: &Page, mut each: impl FnMut(Row<'_>)) {
        let outline = Sight::of(page).outline(&self.vocabulary);
        let kind = self.kind_of(&outline);
        let Shared { reasons, blocks, .. } = self.shared(&outline, kind.signals);
        let sums = sums(&outline, &blocks, |_| 0.0);
        let title = title_units(page);
        let of_title = |block: &Block| title_overlap(page, &outline, block, &title);
        let lists = listings(&lists(&outline, &blocks, LIST), blocks.len());
        let (features, main) = features(page, &outline, &blocks, &sums, &lists, &self.known(kind), of_title);
        for (number, (block, features)) in
            blocks.iter().zip(&features).enumerate().filter(|(_, (block, _))| block.words > 0)
        {
            let texts = block.texts.clone().filter(|&text| reasons[text].is_none());
            let text: Vec<&str> = texts
                .map(|text| &outline.texts[text].pieces)
                .map(|pieces| page.text_of(pieces.start as usize..pieces.end as usize))
                .collect();
            let path: Vec<String> = page
                .ancestors(block.element)
                .map(|element| {
                    let sign = page.sign(element);
                    format!("{}#{}.{}", sign.tag, sign.id, sign.class.replace(' ', "."))
                })
                .collect();
            each(Row {
                block: number,
                features,
                text: &text.join(" "),
                path: &path.join(" "),
                words: block.words,
                main: main.is_some(),
            });
        }
    }

    /// Whether its pages are articles.
    pub(super) fn has_articles(&self) -> bool {
        self.kinds[0].content.is_some() && self.kinds[0].article >= ARTICLE.1
    }

    /// Marks a page.
    pub(super) fn mark(&self, page: &Page) -> Mask {
        let outline = Sight::of(page).outline(&self.vocabulary);
        mask(page, &outline, &self.reasons(page, &outline))
    }

    /// For each text of a page, why it leaves the content.
    pub(super) fn reasons(&self, page: &Page, outline: &Outline) -> Vec<Option<Reason>> {
        let kind = self.kind_of(outline);
        let Shared { mut reasons, certain, blocks } = self.shared(outline, kind.signals);
        if kind.signals.has(Signal::Blocks) {
            for (block, reason) in blocks.iter().zip(self.beside(page, outline, &blocks, kind)) {
                for text in &mut reasons[block.texts.clone()] {
                    *text = text.or(reason);
                }
            }
        }
        if kind.signals.has(Signal::Ways) {
            drop_ways(page, outline, &blocks, &certain, &mut reasons);
            self.counters.drop_last(page, outline, &mut reasons);
        }
        reasons
    }

    /// What pages share word for word, and the blocks that are left.
    fn shared(&self, outline: &Outline, signals: Signals) -> Shared {
        let known = |text| self.certain.get(text).filter(|_| signals.has(Signal::Certain));
        let counts: Vec<Option<Count>> = outline.texts.iter().map(known).collect();
        let certain: Vec<bool> = counts.iter().map(Option::is_some).collect();
        let repeated = match signals.has(Signal::Repeated) {
            true => self.repeated.of(outline, &certain),
            false => vec![0; outline.texts.len()],
        };
        let reason = |(certain, &pages): (&Option<Count>, &u32)| {
            let certain = certain.map(|count| Reason::Certain { pages: count.pages, of: count.of });
            certain.or((pages > 0).then(|| Reason::Repeated { pages, of: self.repeated.pages() }))
        };
        let mut reasons: Vec<Option<Reason>> = counts.iter().zip(&repeated).map(reason).collect();
        keep_lines_whole(outline, &mut reasons);
        let blocks = blocks(outline, &certain, &reasons, |text| self.common.contains(&text.hash));
        Shared { reasons, certain, blocks }
    }

    /// For each block, whether it is in a list whose entries say what the pages that they lead to do not.
    fn own_lists(&self, lists: &[List], blocks: usize) -> Vec<bool> {
        let mut own = vec![false; blocks];
        for list in lists.iter().filter(|list| self.own_lists.contains(&list.place)) {
            list.entries.iter().for_each(|entry| own[entry.clone()].fill(true));
        }
        own
    }

    /// Notes places whose lists are the pages' own.
    pub(super) fn keep_lists(&mut self, places: HashedSet) {
        self.own_lists = places;
    }

    /// The lists of a page, and its blocks.
    pub(super) fn lists(&self, outline: &Outline) -> (Vec<List>, Vec<Block>) {
        let Shared { blocks, .. } = self.shared(outline, self.kind_of(outline).signals);
        (lists(outline, &blocks, LIST), blocks)
    }

    /// Which blocks stand beside the content, and what tells so. Where hardly anything would be left, they are the content.
    fn beside(&self, page: &Page, outline: &Outline, blocks: &[Block], kind: &Kind) -> Vec<Option<Reason>> {
        let sums = sums(outline, blocks, |_| 0.0);
        let title = title_units(page);
        let of_title = |block: &Block| title_overlap(page, outline, block, &title);
        let found = lists(outline, blocks, LIST);
        let lists = listings(&found, blocks.len());
        let is_own = self.own_lists(&found, blocks.len());
        let (features, main) = features(page, outline, blocks, &sums, &lists, &self.known(kind), of_title);
        let bound = kind.bound();
        let mut names = Furniture::of(page);
        let is_beside = |block: &Block, features| {
            is_written_in(outline, block) || (!is_value(outline, block) && BLOCKS.is_below(features, bound))
        };
        let reasons: Vec<Option<Reason>> = blocks
            .iter()
            .zip(&features)
            .zip(lists.into_iter().zip(is_own))
            .map(|((block, features), (entries, is_own))| {
                if block.words == 0 || is_own || !is_beside(block, features) {
                    return None;
                }
                Some(match names.around(block.element, main.unwrap_or(0)) {
                    _ if is_control(outline, block) => Reason::Control,
                    Some(name) => Reason::Furniture { name },
                    None if entries > 0 => Reason::Listing { entries },
                    None if block.is_linked() => Reason::Links,
                    None => Reason::Outside,
                })
            })
            .collect();
        let left = kept(blocks, &reasons, |block| block.words);
        if left < FEWEST_KEPT { vec![None; blocks.len()] } else { reasons }
    }
}

impl Kind {
    /// How surely a block must be content to stay. On sites whose pages are prose, more is asked than on sites of records, where what is short
    /// and stands anywhere may be a value.
    fn bound(&self) -> f32 {
        const BOUND: (f32, f32) = (0.2, 0.5);
        let along = ((self.article - ARTICLE.0) / (ARTICLE.1 - ARTICLE.0)).clamp(0.0, 1.0);
        BOUND.0 + along * (BOUND.1 - BOUND.0)
    }
}

/// A page to learn from, with what is left of it.
struct Marked<'p> {
    outline: &'p Outline,
    blocks: Vec<Block>,
    sums: Vec<Sums>,
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
    let title = title_units(page);
    let of_title = |text: &Text| {
        let mut said = HashedSet::default();
        units_of(page, text, |unit| {
            said.insert(unit);
        });
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

pub(super) fn is_control(outline: &Outline, block: &Block) -> bool {
    outline.texts.get(block.texts.start).is_some_and(|text| outline.spots[text.element as usize].looks.control)
}

/// Whether a block is a value: short, and behind a colon, in its own line or in the one before. It is content wherever it stands.
fn is_value(outline: &Outline, block: &Block) -> bool {
    let before = block.texts.start.checked_sub(1).map(|before| &outline.texts[before]);
    let inside = &outline.texts[block.texts.clone()];
    let label = before.into_iter().chain(inside.iter().take(inside.len().saturating_sub(1)));
    block.words <= VALUE_WORDS && label.into_iter().any(|text| text.colon && text.words <= VALUE_WORDS)
}

/// Whether a block is in a field to write in: no page says it to its readers.
fn is_written_in(outline: &Outline, block: &Block) -> bool {
    outline.texts.get(block.texts.start).is_some_and(|text| outline.spots[text.element as usize].looks.writing)
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

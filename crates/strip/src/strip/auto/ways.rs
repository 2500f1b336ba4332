//! The way to a page and the way on from it: crumbs, the pages before and after, and what a page says about itself as a file.
//!
//! All of these change from page to page while their role does not, so no count of texts finds them.

use super::certain::pages_by_place;
use super::outline::{Block, Outline, Text};
use super::site::Studied;
use crate::strip::Reason;
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::Page;
use unhusk_pages::parse::words::{Sequence, and_then, word_hash, words};

/// A step of the way has at most so many words.
const STEP_WORDS: u32 = 6;
/// Words that change neither with the date nor with a count, which make a line about the page.
const FIXED_WORDS: u32 = 3;
/// Of the pages that have a place, the share on which it must hold such a line; and how many pages at least.
const SHARE: f64 = 0.7;
const FEWEST: u32 = 3;

/// Words before a link to the page before or after.
const ONWARD: &[&str] = &[
    "next",
    "newer",
    "older",
    "prev",
    "previous",
    "nächste",
    "nächster",
    "vorige",
    "voriger",
    "weiter",
    "zurück",
    "précédent",
    "précédente",
    "suivant",
    "suivante",
    "anterior",
    "siguiente",
    "próximo",
    "precedente",
    "successivo",
    "poprzedni",
    "następny",
    "предыдущая",
    "следующая",
];

/// What a site says about its pages as files: "Last updated … This page has been viewed … times."
#[derive(Default)]
pub(super) struct Counters {
    shapes: HashedSet,
}

impl Counters {
    /// Looks at all pages of a site, and at the lines with numbers on each.
    pub(super) fn learn(studied: &[Studied]) -> Self {
        let outlines: Vec<&Outline> = studied.iter().map(|page| &page.outline).collect();
        let places = pages_by_place(&outlines);
        let mut shapes: HashedMap<(u32, u32)> = HashedMap::default();
        let mut here = HashedSet::default();
        for page in studied {
            here.clear();
            for line in &page.numbered {
                let place = page.outline.texts[line.text as usize].place;
                let shape = and_then(place, line.shape);
                if here.insert(shape) {
                    shapes.entry(shape).or_insert((0, places[&place])).0 += 1;
                }
            }
        }
        let is_sure = |(pages, of): (u32, u32)| pages >= FEWEST && f64::from(pages) >= SHARE * f64::from(of);
        Counters { shapes: shapes.into_iter().filter(|(_, counts)| is_sure(*counts)).map(|(shape, _)| shape).collect() }
    }

    /// Drops such lines at the end of a page, behind all that is kept. Further up they may be values ("22 mpg city, 30 mpg highway").
    pub(super) fn drop_last(&self, page: &Page, outline: &Outline, reasons: &mut [Option<Reason>]) {
        let is_counter =
            |text: &Text| shape(page, text).is_some_and(|shape| self.shapes.contains(&and_then(text.place, shape)));
        for (text, reason) in outline.texts.iter().zip(reasons).rev().filter(|(_, reason)| reason.is_none()) {
            if !is_counter(text) {
                return;
            }
            *reason = Some(Reason::Counter);
        }
    }
}

/// A line with numbers in it.
pub(super) struct Numbered {
    /// Which of the page's texts it is.
    text: u32,
    /// What it is without its numbers.
    shape: u64,
}

/// The lines with numbers among a page's texts.
pub(super) fn numbered(page: &Page, texts: &[Text]) -> Vec<Numbered> {
    let line = |(text, number): (&Text, u32)| Some(Numbered { text: number, shape: shape(page, text)? });
    texts.iter().zip(0..).filter_map(line).collect()
}

/// A hash of a text's words that are not beside a number, where it has numbers and enough other words. Of "viewed 4711 times on 12
/// March 2003" only "on" is left, whatever the date is and however it is written.
fn shape(page: &Page, text: &Text) -> Option<u64> {
    // All of it is looked at, which is faster than stopping at the first digit: it is done with vectors.
    let said = page.text_of(text.pieces.start as usize..text.pieces.end as usize);
    if !said.bytes().fold(false, |found, byte| found | byte.is_ascii_digit()) {
        return None;
    }
    let mut fixed = Sequence::default();
    // A word that has no number before it, and waits for the word behind it.
    let mut waiting: Option<&str> = None;
    let mut after_number = false;
    for word in text.said(page) {
        let is_number = has_digit(word);
        if let Some(before) = waiting.take().filter(|_| !is_number) {
            fixed.push(word_hash(before));
        }
        waiting = (!is_number && !after_number).then_some(word);
        after_number = is_number;
    }
    if let Some(last) = waiting {
        fixed.push(word_hash(last));
    }
    (fixed.words >= FIXED_WORDS).then_some(fixed.hash)
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The way to a page: its steps are links that lead up its own address. The step before the page itself stays, unless it is a
/// number: it may be the only text that says what the page is about. `of_title` tells whether a text says what the title says.
pub(super) fn crumbs(
    page: &Page,
    outline: &Outline,
    block: &Block,
    certain: &[bool],
    of_title: impl Fn(&Text) -> bool,
) -> Vec<usize> {
    let text = |at: usize| &outline.texts[at];
    let is_link = |at: usize| outline.is_link(text(at));
    let starts = block.texts.clone().take(2).any(|at| certain[at] && is_link(at));
    let mut steps: Vec<usize> = block.texts.clone().filter(|&at| !certain[at]).collect();
    let here = steps.pop_if(|at| !is_link(*at));
    let is_step = |&at: &usize| is_link(at) && text(at).words <= STEP_WORDS && leads_up(page, text(at).element);
    if !starts || steps.is_empty() || !steps.iter().all(is_step) {
        return Vec::new();
    }
    steps.pop_if(|at| !text(*at).said(page).all(has_digit));
    steps.extend(block.texts.clone().filter(|&at| certain[at]));
    steps.extend(here.filter(|&at| of_title(text(at))));
    steps
}

/// Whether the link around an element leads to a folder that the page is in.
fn leads_up(page: &Page, element: u32) -> bool {
    let mut around = page.ancestors(element);
    let href = around.find_map(|element| {
        let at = page.links.binary_search_by_key(&element, |link| link.element).ok()?;
        Some(page.href(&page.links[at]))
    });
    let here = folders(path_of(&page.url));
    href.and_then(|href| target(&here, href)).is_some_and(|there| here.starts_with(&there))
}

/// The path in a URL.
fn path_of(url: &str) -> &str {
    let behind_scheme = url.find("://").map_or(url, |at| &url[at + 3..]);
    let path =
        if behind_scheme.len() == url.len() { url } else { &behind_scheme[behind_scheme.find('/').unwrap_or(0)..] };
    path.split(['?', '#']).next().unwrap_or_default()
}

/// The folders of a path, without the name behind the last stroke.
fn folders(path: &str) -> Vec<&str> {
    let folder = &path[..path.rfind('/').unwrap_or(0)];
    folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}

/// The folder that a link leads to from a page in the folder `here`; none where it leads to a page of some other name than an index.
fn target<'a>(here: &[&'a str], href: &'a str) -> Option<Vec<&'a str>> {
    let path = path_of(href);
    let name = &path[path.rfind('/').map_or(0, |at| at + 1)..];
    if !(name.is_empty() || name.starts_with("index.") || name.starts_with("default.")) {
        return None;
    }
    let from_root = path.starts_with('/');
    let mut there = if from_root { Vec::new() } else { here.to_vec() };
    for part in folders(path) {
        if part == ".." {
            there.pop();
        } else {
            there.push(part);
        }
    }
    Some(there)
}

/// Whether a block is a link to the page before or after, with a word before it that says so.
pub(super) fn leads_on(page: &Page, outline: &Outline, block: &Block) -> bool {
    let texts = &outline.texts[block.texts.clone()];
    let Some((label, links)) = texts.split_first() else { return false };
    if label.words > 2 || links.is_empty() || !links.iter().all(|text| outline.is_link(text)) {
        return false;
    }
    let said = page.piece(label.pieces.start as usize).text.to_lowercase();
    words(&said).next().is_some_and(|word| ONWARD.contains(&word))
}

//! Whether the entries of a list are told on the pages they lead to.
//!
//! A teaser says what another page says: the words around its link are found there. A list of definitions or of variants has links too, but
//! what it says is said nowhere else, and is the page's own.

use std::collections::HashMap;

use super::places::Rarity;
use super::site::{Site, Studied};
use unhusk_pages::hashed::{HashedMap, HashedSet};
use unhusk_pages::parse::{Page, address};

/// Entries that must have been looked up before a place is judged.
const FEWEST: u32 = 5;
/// Of an entry's words, weighed by how rare they are, the share that the other page has at least, on average.
const TOLD: f32 = 0.5;

/// What was found out about lists.
#[derive(Default)]
pub(super) struct Told {
    /// The pages that were learned from, by their addresses.
    pages: HashMap<String, usize>,
    /// The words of those that were looked up.
    words: HashMap<usize, HashedSet>,
    /// By the place of a list's entries: how many were looked up, and the sum of the shares that are told.
    places: HashedMap<(u32, f32)>,
}

impl Told {
    /// A page that may be looked up.
    pub(super) fn know(&mut self, url: &str, number: usize) {
        self.pages.extend(address(url, "").map(|address| (address, number)));
    }

    /// Looks up the entries of a page's lists.
    pub(super) fn look_up(&mut self, site: &Site, page: &Page, here: usize, studied: &[Studied], rarity: &Rarity) {
        let Studied { outline, said, .. } = &studied[here];
        let (lists, blocks) = site.lists(outline);
        for list in lists {
            for entry in list.entries {
                let texts = blocks[entry.start].texts.start..blocks[entry.end - 1].texts.end;
                let link = texts.clone().find(|&text| outline.is_link(&outline.texts[text]));
                let there = link.and_then(|text| self.target(page, outline.texts[text].element));
                let Some(there) = there.filter(|&there| there != here) else { continue };
                let words = self.words.entry(there).or_insert_with(|| studied[there].said.all().collect());
                let (mut all, mut told) = (0.0, 0.0);
                for &word in texts.flat_map(|text| said.text(text)) {
                    let rare = rarity.of(word);
                    all += rare;
                    told += if words.contains(&word) { rare } else { 0.0 };
                }
                if all > 0.0 {
                    let seen = self.places.entry(list.place).or_default();
                    *seen = (seen.0 + 1, seen.1 + told / all);
                }
            }
        }
    }

    /// The page that the link around an element leads to.
    fn target(&self, page: &Page, element: u32) -> Option<usize> {
        let link = page.ancestors(element).find_map(|element| {
            let at = page.links.binary_search_by_key(&element, |link| link.element).ok()?;
            Some(&page.links[at])
        })?;
        self.pages.get(&address(&page.url, page.href(link))?).copied()
    }

    /// Places of lists that are the pages' own.
    pub(super) fn own(&self) -> HashedSet {
        let judged = self.places.iter().filter(|(_, (entries, _))| *entries >= FEWEST);
        judged.filter(|(_, (entries, told))| *told < TOLD * *entries as f32).map(|(place, _)| *place).collect()
    }
}

//! Marking pages while a crawl is running: one pass, one remembered page a directory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use xxhash_rust::xxh3::xxh3_128;

use super::units::Tokens;
use super::{Group, Slices, Unit, UnitRule};
use crate::strip::Mask;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Compares each page with the one before it in its directory, and remembers nothing else.
///
/// The same pages in the same order get the same marks from an index built with `--peer previous`, except that an index
/// leaves duplicates out before it looks for peers.
#[derive(Debug, Default)]
pub struct Crawl {
    unit: UnitRule,
    group: Group,
    last: HashMap<u128, Remembered>,
    seen: u32,
}

/// A page as the next one will be compared with it.
#[derive(Debug)]
struct Remembered {
    number: PageNo,
    lines: Vec<u64>,
    /// Empty where tokens are never compared.
    tokens: Vec<u64>,
}

impl Crawl {
    /// A crawl that has seen nothing yet.
    pub fn new(unit: UnitRule, group: Group) -> Self {
        Crawl { unit, group, ..Crawl::default() }
    }

    /// Marks the next page. Pages are numbered as they come, from 0.
    pub fn next(&mut self, page: &Page) -> Mask {
        let number = PageNo(self.seen);
        self.seen += 1;
        let tokens = if self.unit == UnitRule::Line { Vec::new() } else { Tokens::of(page).tokens };
        let own = Remembered { number, lines: page.lines.clone(), tokens };
        match self.last.entry(xxh3_128(self.group.split(&page.url).0.as_bytes())) {
            Entry::Vacant(entry) => {
                entry.insert(own);
                Mask::keep_all(page.piece_count())
            }
            Entry::Occupied(mut entry) => {
                let peer = entry.insert(own);
                let slices = match self.unit.unit(page) {
                    Unit::Line => Slices::of_lines(page, &peer.lines),
                    Unit::Token => Slices::of_tokens(page, &peer.tokens),
                };
                slices.mask(peer.number)
            }
        }
    }
}

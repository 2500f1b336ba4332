//! One more look at the pages that were read: their names, and a hash of them all.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use super::CompareError;
use unhusk_pages::spool::{PageNo, Spool};

/// Pages that are mapped at a time.
const STRETCH: u32 = 256;

/// What the pages of a collection are.
pub(super) struct Survey {
    /// Each page's number by its id, duplicates too.
    pub(super) places: HashMap<String, PageNo>,
    /// A hash of all ids and source lines.
    pub(super) hash: String,
}

pub(super) fn survey(spool: &Spool) -> Result<Survey, CompareError> {
    let mut places = HashMap::with_capacity(spool.len());
    let mut hash = Xxh3::new();
    let pages = spool.len() as u32;
    for from in (0..pages).step_by(STRETCH as usize) {
        let to = (from + STRETCH).min(pages);
        let window = spool.window(PageNo(from), PageNo(to))?;
        for number in (from..to).map(PageNo) {
            let page = window.page(number)?;
            // Lengths keep neighbours apart.
            hash.update(&(page.id.len() as u64).to_le_bytes());
            hash.update(page.id.as_bytes());
            hash.update(&(page.lines.len() as u64).to_le_bytes());
            for line in &page.lines {
                hash.update(&line.to_le_bytes());
            }
            places.insert(page.id, number);
        }
    }
    Ok(Survey { places, hash: format!("{:032x}", hash.digest128()) })
}

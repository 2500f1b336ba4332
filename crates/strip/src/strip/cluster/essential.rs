//! Essential paths: those of a page that enough other pages have.

use std::collections::BTreeMap;

use super::cost::Tally;
use super::paths;
use crate::strip::{Pages, StripError};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::spool::PageNo;

/// A path of the pages that were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Its number.
    pub(super) number: u32,
    /// Pages that have it.
    pub(super) support: u32,
}

/// Pages as sorted lists of their essential paths, which are numbers.
#[derive(Debug, Default)]
pub struct Essentials {
    /// The pages.
    pub(super) numbers: Vec<PageNo>,
    /// The essential paths of each.
    pub(super) pages: Vec<Vec<u32>>,
    /// The hash of each path, by its number: smaller numbers have smaller hashes.
    pub(super) hashes: Vec<u64>,
    /// All paths by their hash.
    pub(super) known: HashedMap<Known>,
}

impl Essentials {
    /// Reads pages. Which thread reads which page makes no difference.
    pub fn read(pages: &Pages<'_>, threads: usize) -> Result<Self, StripError> {
        let observe = |list: &mut Vec<(PageNo, Vec<u64>)>, number, page: &_| {
            list.push((number, paths::distinct(page)));
            Ok(())
        };
        let mut read: Vec<_> = pages.observe(threads, Vec::new, observe)?.into_iter().flatten().collect();
        read.sort_unstable_by_key(|(number, _)| *number);
        let (numbers, lists) = read.into_iter().unzip();
        Ok(Essentials::new(numbers, lists))
    }

    /// Takes pages whose distinct paths are known, in the order of their hashes.
    pub(super) fn new(numbers: Vec<PageNo>, lists: Vec<Vec<u64>>) -> Self {
        let mut known: HashedMap<Known> = HashedMap::default();
        for &path in lists.iter().flatten() {
            known.entry(path).or_insert(Known { number: 0, support: 0 }).support += 1;
        }
        let mut hashes: Vec<u64> = known.keys().copied().collect();
        hashes.sort_unstable();
        for (number, hash) in hashes.iter().enumerate() {
            if let Some(path) = known.get_mut(hash) {
                path.number = number as u32;
            }
        }
        let mut essentials = Essentials { numbers, pages: Vec::with_capacity(lists.len()), hashes, known };
        for list in lists {
            let page: Vec<Known> = list.iter().map(|path| essentials.known[path]).collect();
            let threshold = threshold(page.iter().map(|path| path.support));
            let essential = page.iter().filter(|path| path.support >= threshold);
            essentials.pages.push(essential.map(|path| path.number).collect());
        }
        essentials
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The clusters of a clustering, in which `of` names each page's cluster: what their pages have.
    pub fn tallies(&self, of: &[u32]) -> Vec<Tally> {
        self.members(of).into_iter().map(|(_, tally)| tally).collect()
    }

    /// The same with the members of each.
    pub(super) fn members(&self, of: &[u32]) -> Vec<(Vec<usize>, Tally)> {
        let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (page, &cluster) in of.iter().enumerate() {
            members.entry(cluster).or_default().push(page);
        }
        let tally = |members: Vec<usize>| {
            let tally = Tally::of_pages(members.iter().map(|&page| self.pages[page].as_slice()));
            (members, tally)
        };
        members.into_values().map(tally).collect()
    }

    /// How many distinct paths the pages have, essential or not.
    pub fn paths(&self) -> usize {
        self.hashes.len()
    }
}

/// The support that most of a page's paths have; the smallest of those where there are several.
pub(super) fn threshold(supports: impl Iterator<Item = u32>) -> u32 {
    let mut supports: Vec<u32> = supports.collect();
    supports.sort_unstable();
    let mut mode = (0, 0);
    for same in supports.chunk_by(|a, b| a == b) {
        if same.len() > mode.1 {
            mode = (same[0], same.len());
        }
    }
    mode.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_mode_and_the_smallest_where_there_are_several() {
        assert_eq!(threshold([4, 4, 3, 3, 1].into_iter()), 3);
        assert_eq!(threshold([4, 4, 3].into_iter()), 4);
        assert_eq!(threshold([1, 7, 7, 1, 7].into_iter()), 7);
        assert_eq!(threshold(std::iter::empty()), 0);
    }
}

//! The longest common subsequence of a page and its peer, as marks on the page.
//!
//! This is the heart of the sandwich method (Rowlands, Thomas and Wan, "Web Indexing on a Diet", ADCS 2009): the lines
//! a page shares with its peer, in order, are template. The result is a true LCS, not what a diff heuristic finds in
//! passing.
//!
//! # How
//!
//! 1. The common prefix and suffix are trimmed. *Exact:* let both sequences start with x. In an LCS at least one of the
//!    two is matched, or the pair (x, x) could be put in front of it. If they are not matched to each other, only one
//!    of them is matched (two such matches would cross); matching it to the other leading x instead keeps order and
//!    length. So some LCS starts with (x, x), and its rest is an LCS of the rests. The same holds from the end.
//! 2. Units that occur on one side only are discarded. *Exact:* a common subsequence cannot hold them, so both
//!    problems have the same common subsequences. Then the ends are trimmed once more.
//! 3. In large problems a quick common subsequence comes first (as under "the bound", with a small budget). If its
//!    length is k, then no match (i, j) of an LCS of n and m units has j − i > m − k or i − j > n − k: before it lie at
//!    most min(i, j) matches, after it at most min(n − 1 − i, m − 1 − j), and with itself they must be k or more.
//!    Matches outside this band are left out; no LCS is lost.
//! 4. What is left goes through a bit-parallel dynamic program (`matrix`).
//!
//! # Which one
//!
//! Where several LCSs exist, the choice is fixed: the common prefix and suffix always belong to it; between them, read
//! from the end, each match takes the earliest unit of the peer, and for it the earliest unit of the page, that still
//! leads to the full length.
//!
//! # The bound
//!
//! [`Budget`] counts words touched, never time, so the same input gives the same answer on every machine. Where it does
//! not suffice, the answer is still a common subsequence: prefix, suffix, the longest chain of units that occur once on
//! either side (patience anchors), and, between two anchors, the exact answer where the rest of the budget allows it;
//! and [`Common::exact`] is false.

use super::matrix::Matrix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

/// From this many cells of the full matrix on, a quick first answer pays for itself.
const LARGE: usize = 1 << 24;

/// How much may be spent on one pair of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Words of 64 bits the forward pass may touch, two to five nanoseconds each. All passes together
    /// stay below five times this figure.
    pub steps: u64,
    /// Bytes that checkpoints and the log may take.
    pub memory: usize,
}

impl Default for Budget {
    /// 2²⁶ steps and 64 MiB: enough for any two sequences of 65,000 units, however they repeat.
    fn default() -> Self {
        Self { steps: 1 << 26, memory: 64 << 20 }
    }
}

/// What is compared: a small value that stands for a line or a word, such as its hash.
pub trait Unit: Copy + Eq + Hash {}

impl<U: Copy + Eq + Hash> Unit for U {}

/// What a page has in common with its peer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Common {
    /// For each unit of the page, whether it is in the common subsequence.
    pub marks: Vec<bool>,
    /// The number of marks that are set.
    pub len: usize,
    /// Whether this is known to be a longest common subsequence; false when the budget did not suffice.
    pub exact: bool,
}

/// Marks the units of `page` that are in one longest common subsequence of `page` and `peer`.
///
/// ```
/// use unhusk_strip::strip::sandwich::lcs::{Budget, lcs_marks};
///
/// let common = lcs_marks(&[1, 2, 3, 9], &[1, 7, 3, 8, 9], &Budget::default());
/// assert_eq!(common.marks, [true, false, true, true]);
/// assert!(common.exact);
/// ```
pub fn lcs_marks<U: Unit>(page: &[U], peer: &[U], budget: &Budget) -> Common {
    let mut marks = vec![false; page.len()];
    let known = if page.len().saturating_mul(peer.len()) < LARGE {
        0
    } else {
        let quick = Budget { steps: budget.steps.min(16 * (page.len() + peer.len()) as u64), ..*budget };
        mark_between_anchors(page, peer, &quick, &mut marks);
        count(&marks)
    };
    marks.fill(false);
    let exact = mark_longest(page, peer, known, budget.memory, &mut budget.steps.clone(), &mut marks);
    if !exact {
        mark_between_anchors(page, peer, budget, &mut marks);
    }
    Common { len: count(&marks), marks, exact }
}

fn count(marks: &[bool]) -> usize {
    marks.iter().filter(|&&marked| marked).count()
}

/// Marks an LCS, which is known to have at least `known` units, and returns true; or marks prefix and suffix alone
/// and returns false, when the budget does not suffice.
fn mark_longest<U: Unit>(
    page: &[U],
    peer: &[U],
    known: usize,
    memory: usize,
    steps: &mut u64,
    marks: &mut [bool],
) -> bool {
    let (rows, columns) = trim(page, peer);
    marks[..rows.start].fill(true);
    marks[rows.end..].fill(true);
    let shared = Shared::new(&page[rows.clone()], &peer[columns]);
    let (inner, inner_columns) = trim(&shared.page, &shared.peer);
    let trimmed = page.len() - rows.len() + shared.page.len() - inner.len();
    let known = known.saturating_sub(trimmed);
    let matrix = Matrix::new(&shared.page[inner.clone()], &shared.peer[inner_columns], shared.distinct, known);
    let mut mark = |row: usize| marks[rows.start + shared.places[row] as usize] = true;
    (0..inner.start).chain(inner.end..shared.page.len()).for_each(&mut mark);
    let Some(matched) = matrix.matched_rows(memory, steps) else {
        return false;
    };
    matched.into_iter().for_each(|row| mark(inner.start + row));
    true
}

/// The ranges that remain when the common prefix and suffix are cut off.
fn trim<U: Eq>(a: &[U], b: &[U]) -> (Range<usize>, Range<usize>) {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[prefix..], &b[prefix..]);
    let suffix = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(x, y)| x == y).count();
    (prefix..a.len() - suffix, prefix..b.len() - suffix)
}

/// The units both sides have, renumbered from 0.
struct Shared {
    page: Vec<u32>,
    peer: Vec<u32>,
    /// For each unit of `page`, where it stood before the others were discarded.
    places: Vec<u32>,
    distinct: usize,
}

impl Shared {
    fn new<U: Unit>(page: &[U], peer: &[U]) -> Self {
        const PEER_ONLY: u32 = u32::MAX;
        let mut numbers = UnitMap::with_capacity_and_hasher(peer.len(), Default::default());
        numbers.extend(peer.iter().map(|&unit| (unit, PEER_ONLY)));
        let mut shared = Self { page: Vec::new(), peer: Vec::new(), places: Vec::new(), distinct: 0 };
        for (place, unit) in (0..).zip(page) {
            let Some(number) = numbers.get_mut(unit) else {
                continue;
            };
            if *number == PEER_ONLY {
                *number = shared.distinct as u32;
                shared.distinct += 1;
            }
            shared.page.push(*number);
            shared.places.push(place);
        }
        shared.peer = peer.iter().map(|unit| numbers[unit]).filter(|&number| number != PEER_ONLY).collect();
        shared
    }
}

type UnitMap<U, T> = HashMap<U, T, BuildHasherDefault<UnitHasher>>;

/// Units that are numbers or hashes need no strong hash, only a fast one.
#[derive(Default)]
struct UnitHasher(u64);

impl Hasher for UnitHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, unit: u32) {
        self.write_u64(u64::from(unit));
    }

    fn write_u64(&mut self, unit: u64) {
        let mixed = (self.0 ^ unit).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// The answer when the budget does not suffice: anchors, and between them the exact answer while a second budget lasts.
fn mark_between_anchors<U: Unit>(page: &[U], peer: &[U], budget: &Budget, marks: &mut [bool]) {
    let (rows, columns) = trim(page, peer);
    marks[..rows.start].fill(true);
    marks[rows.end..].fill(true);
    let (page, peer, marks) = (&page[rows.clone()], &peer[columns], &mut marks[rows]);
    marks.fill(false);
    let anchors = anchors(page, peer);
    // Without an anchor the only gap is the problem that was just given up.
    let mut steps = if anchors.is_empty() { 0 } else { budget.steps };
    let (mut row, mut column) = (0, 0);
    for (anchor_row, anchor_column) in anchors.into_iter().chain([(page.len(), peer.len())]) {
        let gap = row..anchor_row;
        mark_longest(&page[gap.clone()], &peer[column..anchor_column], 0, budget.memory, &mut steps, &mut marks[gap]);
        if let Some(mark) = marks.get_mut(anchor_row) {
            *mark = true;
        }
        (row, column) = (anchor_row + 1, anchor_column + 1);
    }
}

/// The longest chain of units that occur once in the page and once in the peer, in order on both sides.
fn anchors<U: Unit>(page: &[U], peer: &[U]) -> Vec<(usize, usize)> {
    #[derive(Default)]
    struct Seen {
        in_page: u32,
        in_peer: u32,
        column: usize,
    }
    let mut units: UnitMap<U, Seen> = UnitMap::default();
    for &unit in page {
        units.entry(unit).or_default().in_page += 1;
    }
    for (column, unit) in peer.iter().enumerate() {
        if let Some(seen) = units.get_mut(unit) {
            seen.in_peer += 1;
            seen.column = column;
        }
    }
    let pairs = page.iter().enumerate().filter_map(|(row, unit)| {
        let seen = &units[unit];
        (seen.in_page == 1 && seen.in_peer == 1).then_some((row, seen.column))
    });
    longest_increasing(pairs.collect())
}

/// The longest subsequence whose second members increase, by patience sorting.
fn longest_increasing(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, &(_, column)) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < column);
        before.push(pile.checked_sub(1).map(|left| piles[left]));
        if pile == piles.len() {
            piles.push(index);
        } else {
            piles[pile] = index;
        }
    }
    let mut chain: Vec<_> =
        std::iter::successors(piles.last().copied(), |&index| before[index]).map(|index| pairs[index]).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

//! The search for the closest name: candidates by length, filters that rule most of them out, distances for the rest.

use super::closest::{Closest, Names};
use super::distance::{LANES, Pattern};
use std::ops::Range;

/// How often each character occurs, in bins. An edit takes at most one character away, so a name with k characters that
/// the other lacks is k edits away or more. Bins that characters share, and counts that stop at 255, make the figure
/// smaller, never larger.
type Bag = [u8; 32];

/// How often each pair of neighbouring characters occurs, in bins. An edit takes at most two pairs away.
type PairBag = [u8; 128];

fn bag(chars: &[u32]) -> Bag {
    let mut bag = [0u8; 32];
    for &c in chars {
        let bin = &mut bag[c as usize % 32];
        *bin = bin.saturating_add(1);
    }
    bag
}

fn pair_bag(chars: &[u32]) -> PairBag {
    let mut bag = [0u8; 128];
    for pair in chars.windows(2) {
        let bin = &mut bag[(pair[0].wrapping_mul(37).wrapping_add(pair[1].wrapping_mul(11)) % 128) as usize];
        *bin = bin.saturating_add(1);
    }
    bag
}

/// What `a` has and `b` lacks.
#[inline(always)]
fn surplus<const N: usize>(a: &[u8; N], b: &[u8; N]) -> u32 {
    a.iter().zip(b).map(|(x, y)| u32::from(x.saturating_sub(*y))).sum()
}

/// Names by length, with what rules most of them out.
pub(super) struct LengthIndex {
    order: Vec<u32>,
    bags: Vec<Bag>,
    pair_bags: Vec<PairBag>,
    /// For each length, its names in `order`.
    ranges: Vec<Range<usize>>,
}

impl LengthIndex {
    pub(super) fn new(names: &Names) -> Self {
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        let length = |name: u32| names.get(name as usize).len();
        order.sort_by_key(|&name| length(name));
        let mut ranges = Vec::new();
        for group in order.chunk_by(|&a, &b| length(a) == length(b)) {
            let start = ranges.last().map_or(0, |range: &Range<usize>| range.end);
            ranges.resize(length(group[0]), start..start);
            ranges.push(start..start + group.len());
        }
        let chars = || order.iter().map(|&name| names.get(name as usize));
        Self { bags: chars().map(bag).collect(), pair_bags: chars().map(pair_bag).collect(), order, ranges }
    }

    /// Finds the name closest to `name`, nearest lengths first, with `steps` to spend.
    pub(super) fn search(&self, names: &Names, name: usize, pattern: &mut Pattern, mut steps: u64, best: &mut Closest) {
        let length = names.get(name).len();
        let (own, own_pairs) = (bag(names.get(name)), pair_bag(names.get(name)));
        let mut batch = Batch::default();
        for (apart, other_length) in (0..self.ranges.len()).flat_map(|apart| both_sides(length, apart)) {
            if apart > best.distance as usize {
                break;
            }
            for at in self.ranges.get(other_length).cloned().unwrap_or_default() {
                let other = self.order[at] as usize;
                let bound = best.bound(other);
                // Of two names the longer one has the larger surplus.
                let bag = &self.bags[at];
                let lacking = if other_length <= length { surplus(&own, bag) } else { surplus(bag, &own) };
                let possible = lacking <= bound
                    && (length <= 2 * bound as usize || surplus(&own_pairs, &self.pair_bags[at]) <= 2 * bound)
                    && other != name;
                let cost = if possible { 4 + other_length * pattern.blocks() } else { 4 };
                let Some(rest) = steps.checked_sub(cost as u64) else {
                    return batch.compare(names, pattern, best);
                };
                steps = rest;
                if possible && batch.push(other) {
                    batch.compare(names, pattern, best);
                }
            }
            batch.compare(names, pattern, best);
        }
        best.exact = true;
    }
}

/// Candidates of one length, compared side by side.
#[derive(Default)]
struct Batch {
    candidates: [usize; LANES],
    len: usize,
}

impl Batch {
    /// Adds a candidate and tells whether the batch is full.
    fn push(&mut self, candidate: usize) -> bool {
        self.candidates[self.len] = candidate;
        self.len += 1;
        self.len == LANES
    }

    /// Compares what has been gathered and starts afresh. Free lanes repeat the first candidate.
    fn compare(&mut self, names: &Names, pattern: &mut Pattern, best: &mut Closest) {
        if self.len == 0 {
            return;
        }
        let first = self.candidates[0];
        self.candidates[self.len..].fill(first);
        self.len = 0;
        let distances = pattern.distances(&self.candidates.map(|name| names.get(name)), best.distance);
        for (&candidate, distance) in self.candidates.iter().zip(distances) {
            best.improve(candidate, distance);
        }
    }
}

/// The lengths that are `apart` from `length`.
fn both_sides(length: usize, apart: usize) -> impl Iterator<Item = (usize, usize)> {
    let shorter = length.checked_sub(apart);
    let longer = (apart > 0).then_some(length + apart);
    [shorter, longer].into_iter().flatten().map(move |other| (apart, other))
}

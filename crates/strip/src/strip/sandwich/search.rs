//! The search for the closest name: every pair once, sixteen at a time, past two filters that rule most of them out.

use super::band::{Band, FOLDED, LANES};
use super::closest::{Best, Names, on_threads};
use super::distance::Pattern;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Occurrences of one character in one name that are counted.
const COUNTED: usize = 8;

/// Names of one length, side by side.
struct Block {
    members: Range<usize>,
    length: usize,
    /// Whether the closest of some of them is still to be found.
    open: bool,
}

/// All names by length, those first whose closest is still to be found.
pub(super) struct Search<'n> {
    names: &'n Names,
    order: Vec<u32>,
    blocks: Vec<Block>,
    best: &'n [Best],
    settled: u32,
}

impl<'n> Search<'n> {
    pub(super) fn new(names: &'n Names, best: &'n [Best], settled: u32) -> Self {
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        let class = |name: u32| {
            let distance = best[name as usize].distance();
            (names.get(name as usize).len(), distance <= settled, distance)
        };
        order.sort_by_key(|&name| class(name));
        let mut blocks = Vec::new();
        for same in order.chunk_by(|&a, &b| class(a).0 == class(b).0) {
            for members in same.chunks(LANES) {
                let start = blocks.last().map_or(0, |block: &Block| block.members.end);
                let (length, settled, _) = class(members[0]);
                blocks.push(Block { members: start..start + members.len(), length, open: !settled });
            }
        }
        Self { names, order, blocks, best, settled }
    }

    /// Compares each block with those behind it, as many as `steps` allow: the same ones whatever the threads do. Tells
    /// for each name whether that was enough.
    pub(super) fn run(self, steps: u64, threads: usize) -> Vec<bool> {
        let cost = |block: &Block| (LANES * block.length * (1 + block.length / 64) + 1) as u64;
        let window = (steps / self.blocks.iter().map(cost).sum::<u64>()) as usize;
        let next = AtomicUsize::new(0);
        on_threads(threads, || {
            let mut probe = Probe::new(&self);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(block) = self.blocks.get(number) else { return };
                probe.set(block);
                let last = number.saturating_add(window).min(self.blocks.len() - 1);
                for other in &self.blocks[number..=last] {
                    if block.open || other.open {
                        probe.compare(block, other);
                    }
                }
            }
        });
        self.exact(window)
    }

    /// Names outside the window are too far if their lengths alone tell.
    fn exact(&self, window: usize) -> Vec<bool> {
        let mut exact = vec![false; self.names.len()];
        for (number, block) in self.blocks.iter().enumerate() {
            let before = number.checked_sub(window + 1).map(|number| &self.blocks[number]);
            let behind = self.blocks.get(number.saturating_add(window + 1));
            for &name in &self.order[block.members.clone()] {
                let distance = self.best[name as usize].distance();
                let too_far = |other: &Block| other.length.abs_diff(block.length) > distance as usize;
                exact[name as usize] =
                    distance <= self.settled || before.is_none_or(too_far) && behind.is_none_or(too_far);
            }
        }
        exact
    }

    /// The largest distance that matters for a name.
    fn bound(&self, name: u32) -> u32 {
        let distance = self.best[name as usize].distance();
        if distance <= self.settled { 0 } else { distance }
    }
}

/// A block that texts are compared with.
struct Probe<'s> {
    search: &'s Search<'s>,
    band: Band<'s>,
    pattern: Pattern,
    /// For each character and number n, the names that have it no more than n times.
    lacks: Vec<[u8; LANES]>,
    /// Texts that were counted, and how many of them that ruled out.
    counted: u32,
    ruled_out: u32,
    bounds: [u32; LANES],
}

/// Texts whose characters are counted for each block, whatever it brings.
const TRIAL: u32 = 64;

impl<'s> Probe<'s> {
    fn new(search: &'s Search<'s>) -> Self {
        let alphabet = search.names.folded_alphabet();
        Self {
            search,
            band: Band::new(alphabet),
            pattern: Pattern::new(search.names.alphabet()),
            lacks: vec![[0; LANES]; FOLDED * COUNTED + 1],
            counted: 0,
            ruled_out: 0,
            bounds: [0; LANES],
        }
    }

    fn set(&mut self, block: &Block) {
        let names = self.search.names;
        let members = &self.search.order[block.members.clone()];
        let name = |lane: usize| names.folded(members[lane.min(members.len() - 1)] as usize);
        self.band.set(std::array::from_fn(name));
        (self.counted, self.ruled_out) = (0, 0);
        self.lacks[..FOLDED * COUNTED].fill([1; LANES]);
        for lane in 0..LANES {
            let mut counts = [0; FOLDED];
            for &c in name(lane) {
                let count = &mut counts[usize::from(c)];
                if *count < COUNTED {
                    self.lacks[usize::from(c) * COUNTED + *count][lane] = 0;
                    *count += 1;
                }
            }
        }
    }

    fn compare(&mut self, block: &Block, other: &Block) {
        let members = &self.search.order[block.members.clone()];
        for (bound, &name) in self.bounds.iter_mut().zip(members) {
            *bound = self.search.bound(name);
        }
        let farthest = self.bounds.iter().copied().max().unwrap_or(0);
        let longer = other.length - block.length;
        for at in other.members.clone() {
            let text = self.search.order[at];
            let bound = self.search.bound(text);
            if longer <= farthest.max(bound) as usize {
                self.compare_text(members, at.saturating_sub(block.members.start).min(members.len()), text, bound);
            }
        }
    }

    /// The largest distance that matters for one of the first few names and a text; `None` where the characters that a
    /// name lacks are more. Counting them rests where it rules next to nothing out, as with names of random letters.
    fn widest(&mut self, few: usize, text: u32, bound: u32) -> Option<u32> {
        let bounds = self.bounds[..few].iter().map(|&own| own.max(bound));
        if self.counted >= TRIAL && self.ruled_out < self.counted / 8 {
            return bounds.max();
        }
        let mut lacking = [0u8; LANES];
        for &code in self.search.names.counted(text as usize) {
            let lacks = &self.lacks[usize::from(code)];
            for lane in 0..LANES {
                lacking[lane] = lacking[lane].saturating_add(lacks[lane]);
            }
        }
        let widest =
            bounds.zip(lacking).filter(|&(bound, lacking)| u32::from(lacking) <= bound).map(|(bound, _)| bound).max();
        self.counted += 1;
        self.ruled_out += u32::from(widest.is_none());
        widest
    }

    /// Compares the first few names of the block with a text.
    fn compare_text(&mut self, members: &[u32], few: usize, text: u32, bound: u32) {
        let names = self.search.names;
        let Some(widest) = self.widest(few, text, bound) else { return };
        let least = self.band.at_least(names.folded(text as usize), widest);
        let mut ready = false;
        for (&name, least) in members[..few].iter().zip(least) {
            let (own, others) = (&self.search.best[name as usize], &self.search.best[text as usize]);
            if !own.would_improve(text, least) && !others.would_improve(name, least) {
                continue;
            }
            if !std::mem::replace(&mut ready, true) {
                self.pattern.set(names.get(text as usize));
            }
            if let Some(distance) = self.pattern.distance(names.get(name as usize), widest) {
                own.improve(text, distance);
                others.improve(name, distance);
            }
        }
    }
}

/// For each name its characters, and for each of them how many like it came before: `character * COUNTED + number`. What
/// is not counted has a code of its own.
pub(super) fn count(starts: &[usize], folded: &[u8]) -> Vec<u16> {
    let mut codes = Vec::with_capacity(folded.len());
    for name in starts.windows(2) {
        let mut counts = [0; FOLDED];
        for &c in &folded[name[0]..name[1]] {
            let count = &mut counts[usize::from(c)];
            codes.push(if *count < COUNTED { usize::from(c) * COUNTED + *count } else { FOLDED * COUNTED } as u16);
            *count += 1;
        }
    }
    codes
}

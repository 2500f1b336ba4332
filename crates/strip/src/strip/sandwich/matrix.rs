//! The dynamic program of the longest common subsequence, 64 cells at a time (Crochemore et al. 2001, Hyyrö 2004).
//!
//! One bit for each unit of the peer, zero where the length grows; for each unit of the page `V' = (V + (V & M)) | (V &
//! !M)` with M the positions of that unit in the peer. A word without a match and without a carry does not change, so
//! only words that hold a match, or that a carry runs through, are touched: most lines are rare, and a row costs a few
//! words, not all.
//!
//! Changed words are logged; walking the log back from the last row gives the matched rows. When the log grows past a
//! limit, the row is kept as a checkpoint, the log starts afresh, and the way back recomputes one stretch at a time.
//! That is at most twice the work, with memory of about √rows rows, and no recursion.

/// The bit-parallel recurrence: a row for each unit of the page, a bit for each unit of the peer.
pub(super) struct Matrix<'a> {
    rows: &'a [u32],
    words: usize,
    /// How far left and right of the diagonal a match of an LCS can lie.
    left: usize,
    right: usize,
    /// The match masks of unit `u` are `masks[starts[u]..starts[u + 1]]`: word and bits, words ascending.
    starts: Vec<u32>,
    masks: Vec<(u32, u64)>,
}

/// The changes of some rows, so that they can be undone.
#[derive(Default)]
struct Log {
    /// Word and its former value.
    changes: Vec<(u32, u64)>,
    /// For each row, where its changes start.
    rows: Vec<usize>,
}

impl<'a> Matrix<'a> {
    /// `known` is a length the LCS is known to reach; units are numbered below `distinct`.
    pub(super) fn new(page: &'a [u32], peer: &[u32], distinct: usize, known: usize) -> Self {
        // A unit's masks are counted first, then laid down side by side.
        const NONE: u32 = u32::MAX;
        let mut starts = vec![0u32; distinct + 1];
        let mut last_word = vec![NONE; distinct];
        for (column, &unit) in peer.iter().enumerate() {
            let (unit, word) = (unit as usize, (column / 64) as u32);
            if last_word[unit] != word {
                last_word[unit] = word;
                starts[unit + 1] += 1;
            }
        }
        for unit in 0..distinct {
            starts[unit + 1] += starts[unit];
        }
        let mut masks = vec![(NONE, 0u64); starts[distinct] as usize];
        let mut next = starts.clone();
        for (column, &unit) in peer.iter().enumerate() {
            let (word, bit) = ((column / 64) as u32, 1u64 << (column % 64));
            let (first, next) = (starts[unit as usize], &mut next[unit as usize]);
            if *next == first || masks[*next as usize - 1].0 != word {
                masks[*next as usize] = (word, 0);
                *next += 1;
            }
            masks[*next as usize - 1].1 |= bit;
        }
        let (left, right) = (page.len() - known, peer.len() - known);
        Self { rows: page, words: peer.len().div_ceil(64), left, right, starts, masks }
    }

    /// The rows that are in the LCS, last first; `None` when the budget does not suffice.
    pub(super) fn matched_rows(&self, memory: usize, steps: &mut u64) -> Option<Vec<usize>> {
        let rows = self.rows.len();
        let log_limit = (rows.isqrt() * self.words).max(1 << 14).min(memory / 2 / size_of::<(u32, u64)>());
        let checkpoint_limit = memory / 2 / size_of::<u64>() / self.words.max(1);
        let mut checkpoints: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut v = vec![u64::MAX; self.words];
        let mut log = Log::default();
        for row in 0..rows {
            if row == 0 || log.changes.len() > log_limit {
                if checkpoints.len() > checkpoint_limit {
                    return None;
                }
                checkpoints.push((row, v.clone()));
                log.clear();
            }
            *steps = steps.checked_sub(self.advance(row, &mut v, &mut log))?;
        }
        Some(self.walk_back(checkpoints, v, log))
    }

    /// Takes `v` over one row and returns the number of words touched. `v` may be cut short on the right.
    fn advance(&self, row: usize, v: &mut [u64], log: &mut Log) -> u64 {
        log.rows.push(log.changes.len());
        let first = row.saturating_sub(self.left) / 64;
        let end = ((row + self.right) / 64 + 1).min(v.len());
        // Right of the band every bit is still one: a carry runs through and changes nothing.
        let v = &mut v[..end];
        let unit = self.rows[row] as usize;
        let masks = &self.masks[self.starts[unit] as usize..self.starts[unit + 1] as usize];
        let masks = &masks[masks.partition_point(|&(word, _)| (word as usize) < first)..];
        let (mut next, mut carry, mut steps) = (0, false, 1);
        for &(word, mask) in masks {
            let word = word as usize;
            if word >= v.len() {
                break;
            }
            steps += 1;
            if carry {
                steps += ripple(&mut v[..word], next, &mut carry, log);
            }
            let old = v[word];
            let (sum, over) = old.overflowing_add(old & mask);
            let (sum, over_too) = sum.overflowing_add(carry.into());
            carry = over || over_too;
            log.set(v, word, sum | (old & !mask));
            next = word + 1;
        }
        if carry {
            steps += ripple(v, next, &mut carry, log);
        }
        steps
    }

    /// From the last row to the first: the zero bits of a row are, in order, the shortest prefixes of the peer with an
    /// LCS of 1, 2, 3 … with the page up to that row. If the bit we stand on was zero one row earlier, that row did as
    /// well without this unit; otherwise this unit brought it and is part of the LCS.
    fn walk_back(&self, mut checkpoints: Vec<(usize, Vec<u64>)>, mut v: Vec<u64>, mut log: Log) -> Vec<usize> {
        let mut matched = Vec::new();
        let mut end = self.rows.len();
        let Some(mut bit) = last_zero(&v, self.words * 64) else {
            return matched;
        };
        while let Some((start, row_before)) = checkpoints.pop() {
            if log.rows.is_empty() {
                // Nothing right of the bit matters any more.
                v = row_before;
                v.truncate(bit / 64 + 1);
                for row in start..end {
                    self.advance(row, &mut v, &mut log);
                }
            }
            for row in (start..end).rev() {
                log.undo_row(&mut v);
                if v[bit / 64] >> (bit % 64) & 1 == 1 {
                    matched.push(row);
                    match last_zero(&v, bit) {
                        Some(next) => bit = next,
                        None => return matched,
                    }
                }
            }
            end = start;
            log.clear();
        }
        matched
    }
}

impl Log {
    fn set(&mut self, v: &mut [u64], word: usize, value: u64) {
        if v[word] != value {
            self.changes.push((word as u32, v[word]));
            v[word] = value;
        }
    }

    fn undo_row(&mut self, v: &mut [u64]) {
        let start = self.rows.pop().unwrap_or(0);
        for (word, old) in self.changes.drain(start..) {
            v[word as usize] = old;
        }
    }

    fn clear(&mut self) {
        self.changes.clear();
        self.rows.clear();
    }
}

/// Runs a carry through words without a match, from `word` on, and returns the number of words touched.
fn ripple(v: &mut [u64], mut word: usize, carry: &mut bool, log: &mut Log) -> u64 {
    let first = word;
    while *carry && word < v.len() {
        let (sum, over) = v[word].overflowing_add(1);
        *carry = over;
        let value = sum | v[word];
        log.set(v, word, value);
        word += 1;
    }
    (word - first) as u64
}

/// The last zero bit before bit `end`.
fn last_zero(v: &[u64], end: usize) -> Option<usize> {
    let (whole, rest) = (end / 64, end % 64);
    if rest > 0 {
        let zeros = !v[whole] & ((1 << rest) - 1);
        if zeros != 0 {
            return Some(whole * 64 + zeros.ilog2() as usize);
        }
    }
    let word = v[..whole].iter().rposition(|&word| word != u64::MAX)?;
    Some(word * 64 + (!v[word]).ilog2() as usize)
}

//! Names a few edits apart, by their deletion neighbourhoods.
//!
//! Two names at most d edits apart become equal when up to d characters are taken out of each. So the names left by
//! taking out characters are sorted, and only names that meet there are compared: first d = 0, then 1, and on as long as
//! there are not too many of them. What meets is verified, so a hash collision costs time, not truth.

use super::closest::{Best, Names, on_threads};
use super::distance::Pattern;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More shortened names than this are not made, nor more than a fourth of all pairs of names: then it is cheaper to
/// compare the pairs. With one character taken out they are always made: there are no more than characters.
const MOST: u64 = 1 << 25;

/// Shortened names that are sorted at a time, about.
const AT_ONCE: u64 = 1 << 22;

/// Finds the closest of all names that have one near. What is found at no more than the distance returned is certain.
pub(super) fn settle(names: &Names, best: &[Best], threads: usize) -> u32 {
    let mut settled = 0;
    let most = MOST.min((names.len() as u64).pow(2) / 8);
    for distance in 0.. {
        let shortened: u64 = (0..names.len()).map(|name| shortened_names(names.get(name).len(), distance)).sum();
        if distance > 1 && shortened > most || best.iter().all(|best| best.distance() < distance) {
            break;
        }
        meet(names, best, distance, (shortened / AT_ONCE + 1) as usize, threads);
        settled = distance;
    }
    settled
}

/// How many names are left by taking up to `out` characters from one of `length`.
fn shortened_names(length: usize, out: u32) -> u64 {
    let mut choices = 1u64;
    let mut all = 1u64;
    for taken in 0..u64::from(out).min(length as u64) {
        choices = choices.saturating_mul(length as u64 - taken) / (taken + 1);
        all = all.saturating_add(choices);
    }
    all
}

/// Compares the names that meet when up to `distance` characters are taken out, in several parts by their hash.
fn meet(names: &Names, best: &[Best], distance: u32, parts: usize, threads: usize) {
    let next = AtomicUsize::new(0);
    on_threads(threads.min(parts), || {
        let mut pattern = Pattern::new(names.alphabet());
        let mut shortener = Shortener { chars: &[], tails: Vec::new() };
        let mut meetings: Vec<(u64, u32)> = Vec::new();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            meetings.clear();
            for name in 0..names.len() {
                shortener.set(names.get(name));
                shortener.each(0, 0, distance, &mut |hash| {
                    if (hash >> 32) as usize % parts == part {
                        meetings.push((hash, name as u32));
                    }
                });
            }
            meetings.sort_unstable();
            meetings.dedup();
            for meeting in meetings.chunk_by(|a, b| a.0 == b.0).filter(|meeting| meeting.len() > 1) {
                compare(names, best, distance, meeting, &mut pattern);
            }
        }
    });
}

/// For each name of a meeting whose closest is at `distance` or farther, the first one at `distance`.
fn compare(names: &Names, best: &[Best], distance: u32, meeting: &[(u64, u32)], pattern: &mut Pattern) {
    for &(_, name) in meeting {
        let best = &best[name as usize];
        if best.distance() < distance {
            continue;
        }
        pattern.set(names.get(name as usize));
        for &(_, other) in meeting.iter().filter(|&&(_, other)| other != name) {
            if !best.would_improve(other, distance) {
                break;
            }
            if let Some(distance) = pattern.distance(names.get(other as usize), distance) {
                best.improve(other, distance);
            }
        }
    }
}

/// Names are hashed as polynomials, so that a name less some characters needs no second reading.
struct Shortener<'n> {
    chars: &'n [u32],
    /// For each place, the hash of what stands from there on and the power that moves a hash in front of it.
    tails: Vec<(u64, u64)>,
}

/// Odd, and without a pattern.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

fn weight(c: u32) -> u64 {
    (u64::from(c) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl<'n> Shortener<'n> {
    fn set(&mut self, chars: &'n [u32]) {
        self.chars = chars;
        self.tails.clear();
        self.tails.resize(chars.len() + 1, (0, 1));
        for (at, &c) in chars.iter().enumerate().rev() {
            let (hash, power) = self.tails[at + 1];
            self.tails[at] = (hash.wrapping_add(weight(c).wrapping_mul(power)), power.wrapping_mul(BASE));
        }
    }

    /// The hashes of what is left when up to `out` characters are taken out from `from` on; `hash` is that of what
    /// stands before. Of equal neighbours the first is taken: the others leave the same.
    fn each(&self, from: usize, mut hash: u64, out: u32, found: &mut impl FnMut(u64)) {
        let (tail, power) = self.tails[from];
        found(hash.wrapping_mul(power).wrapping_add(tail));
        if out == 0 {
            return;
        }
        for at in from..self.chars.len() {
            let c = self.chars[at];
            if at == from || self.chars[at - 1] != c {
                self.each(at + 1, hash, out - 1, found);
            }
            hash = hash.wrapping_mul(BASE).wrapping_add(weight(c));
        }
    }
}

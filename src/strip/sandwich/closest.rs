//! For every name of a directory, the other name with the smallest edit distance.
//!
//! The sandwich method compares a page with the page of its directory whose name is closest (Rowlands, Thomas and Wan,
//! ADCS 2009). Comparing all pairs is out of the question where a folder holds 100,000 pages, so the search has three
//! steps:
//!
//! 1. *Distance 0 and 1* come from hash tables, in time proportional to the characters of all names: two names are one
//!    substitution apart if they agree when the character at one position is blanked, and one insertion apart if one of
//!    them is the other less a character. Numbered pages end here. What a table proposes is verified, so a hash
//!    collision costs time, not truth.
//! 2. *A first guess* for the others: the neighbours in the sorted list of names, read forwards and backwards.
//! 3. *The search*: all names whose length differs by no more than the best distance so far, nearest length first; of
//!    these, those whose character counts and pair counts do not rule them out; of these, the bit-parallel distance of
//!    Myers (1999), which stops as soon as it cannot win.
//!
//! The result is exact: smallest distance (Levenshtein on characters, unit costs), and among equals the first in the
//! order given.
//!
//! # The bound
//!
//! Random names (UUIDs) are all about equally far from each other; no filter helps, and the search is quadratic. So
//! each name may spend its share of a fixed number of steps ([`closest_names_within`]). A name that spends it all keeps
//! the best name seen and says so: [`Closest::exact`] is false. The share counts steps, not time, and does not depend
//! on what other names spend: the same names give the same answer everywhere. Distances 0 and 1 are always exact.

use super::distance::Pattern;
use super::search::LengthIndex;
use std::collections::HashMap;

/// The name closest to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closest {
    /// Its place among the names.
    pub index: u32,
    /// The edit distance to it.
    pub distance: u32,
    /// Whether it is known to be the closest, and the first of the closest; false when the bound was hit.
    pub exact: bool,
}

/// The steps a directory may take in all, one to three nanoseconds each. That is enough for any 15,000 names of up to
/// 64 characters (not counting the ends all of them share), and for more where the filters help.
pub const STEPS: u64 = 1 << 34;

/// For each name, the other name that is closest to it; `None` where there is no other.
///
/// ```
/// use unhusk::strip::sandwich::closest::closest_names;
///
/// let closest = closest_names(&["a-1.html", "index.html", "a-2.html", "a-3.html"]);
/// let places: Vec<_> = closest.iter().flatten().map(|name| name.index).collect();
/// assert_eq!(places, [2, 0, 0, 0]);
/// ```
pub fn closest_names(names: &[&str]) -> Vec<Option<Closest>> {
    closest_names_within(names, STEPS)
}

/// [`closest_names`] with a bound of its own: every name may spend `steps` divided by the number of names to search
/// for, four steps for a candidate and one for each character (times 64-character blocks) that is compared.
pub fn closest_names_within(names: &[&str], steps: u64) -> Vec<Option<Closest>> {
    if names.len() < 2 {
        return vec![None; names.len()];
    }
    let names = Names::new(names);
    let mut best = vec![Closest { index: u32::MAX, distance: u32::MAX, exact: false }; names.len()];
    names.equal(&mut best);
    names.one_edit_apart(&mut best);
    let rest: Vec<usize> = (0..names.len()).filter(|&name| !best[name].exact).collect();
    if !rest.is_empty() {
        names.guess_from_neighbours(&mut best);
        let index = LengthIndex::new(&names);
        let share = steps / rest.len() as u64;
        let mut pattern = Pattern::new(names.alphabet);
        for name in rest {
            pattern.set(names.get(name));
            index.search(&names, name, &mut pattern, share, &mut best[name]);
        }
    }
    best.into_iter().map(Some).collect()
}

impl Closest {
    /// Takes the candidate if it is closer, or as close and earlier.
    pub(super) fn improve(&mut self, index: usize, distance: u32) {
        if (distance, index as u32) < (self.distance, self.index) {
            (self.distance, self.index) = (distance, index as u32);
        }
    }

    /// The largest distance with which a candidate would still win.
    pub(super) fn bound(&self, candidate: usize) -> u32 {
        if (candidate as u32) < self.index { self.distance } else { self.distance.saturating_sub(1) }
    }
}

/// All names as numbers for characters, without the prefix and suffix that all of them share (which no distance depends
/// on).
pub(super) struct Names {
    chars: Vec<u32>,
    starts: Vec<usize>,
    alphabet: usize,
}

impl Names {
    fn new(names: &[&str]) -> Self {
        let mut numbers: HashMap<char, u32> = HashMap::new();
        let (mut chars, mut starts) = (Vec::new(), vec![0]);
        let (prefix, suffix) = shared_ends(names);
        for name in names {
            let start = chars.len();
            chars.extend(name.chars().skip(prefix).map(|c| {
                let next = numbers.len() as u32;
                *numbers.entry(c).or_insert(next)
            }));
            chars.truncate(start.max(chars.len() - suffix));
            starts.push(chars.len());
        }
        Self { chars, starts, alphabet: numbers.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, name: usize) -> &[u32] {
        &self.chars[self.starts[name]..self.starts[name + 1]]
    }

    /// Names that occur more than once: each is closest to the first other one.
    fn equal(&self, best: &mut [Closest]) {
        let mut firsts: HashMap<&[u32], (usize, bool)> = HashMap::with_capacity(self.len());
        for name in 0..self.len() {
            let (first, paired) = firsts.entry(self.get(name)).or_insert((name, false));
            if *first != name {
                best[name] = Closest { index: *first as u32, distance: 0, exact: true };
                if !std::mem::replace(paired, true) {
                    best[*first] = Closest { index: name as u32, distance: 0, exact: true };
                }
            }
        }
    }

    /// Names one edit apart. One position at a time, so that the table never holds more than one entry a name.
    fn one_edit_apart(&self, best: &mut [Closest]) {
        let longest = (0..self.len()).map(|name| self.get(name).len()).max().unwrap_or(0);
        let powers: Vec<u64> =
            std::iter::successors(Some(1u64), |power| Some(power.wrapping_mul(BASE))).take(longest + 1).collect();
        let hashes: Vec<u64> =
            (0..self.len()).map(|name| self.get(name).iter().fold(0, |hash, &c| extend(hash, c))).collect();
        let mut whole: HashMap<u64, usize> = HashMap::with_capacity(self.len());
        for (name, &hash) in hashes.iter().enumerate() {
            whole.entry(hash).or_insert(name);
        }
        let mut proposed = vec![usize::MAX; self.len()];
        let mut prefixes = vec![0u64; self.len()];
        let mut blanked: HashMap<(u64, usize), (usize, usize)> = HashMap::with_capacity(self.len());
        for at in 0..longest {
            let names = || (0..self.len()).filter(|&name| self.get(name).len() > at);
            let blank = |name: usize| {
                let chars = self.get(name);
                let part = weight(chars[at]).wrapping_mul(powers[chars.len() - 1 - at]);
                (hashes[name].wrapping_sub(part), chars.len())
            };
            blanked.clear();
            for name in names() {
                let (first, second) = blanked.entry(blank(name)).or_insert((name, usize::MAX));
                if *first != name {
                    *second = name.min(*second);
                }
            }
            for name in names() {
                let (first, second) = blanked[&blank(name)];
                let other = if first == name { second } else { first };
                proposed[name] = proposed[name].min(other);

                let chars = self.get(name);
                let power = powers[chars.len() - 1 - at];
                let after = extend(prefixes[name], chars[at]);
                let shorter = hashes[name].wrapping_sub(after.wrapping_sub(prefixes[name]).wrapping_mul(power));
                if let Some(&other) = whole.get(&shorter) {
                    proposed[name] = proposed[name].min(other);
                    proposed[other] = proposed[other].min(name);
                }
                prefixes[name] = after;
            }
        }
        for (name, &other) in proposed.iter().enumerate() {
            if !best[name].exact && other != usize::MAX && differ_by_one(self.get(name), self.get(other)) {
                best[name] = Closest { index: other as u32, distance: 1, exact: true };
            }
        }
    }

    /// A first guess for the names that are still open: neighbours in sorted order, forwards and backwards.
    fn guess_from_neighbours(&self, best: &mut [Closest]) {
        const NEIGHBOURS: usize = 4;
        let mut order: Vec<usize> = (0..self.len()).collect();
        let mut pattern = Pattern::new(self.alphabet);
        for backwards in [false, true] {
            if backwards {
                order.sort_by(|&a, &b| self.get(a).iter().rev().cmp(self.get(b).iter().rev()));
            } else {
                order.sort_by_key(|&name| self.get(name));
            }
            for (place, &name) in order.iter().enumerate() {
                if best[name].exact {
                    continue;
                }
                pattern.set(self.get(name));
                let near = place.saturating_sub(NEIGHBOURS)..(place + NEIGHBOURS + 1).min(order.len());
                for &other in order[near].iter().filter(|&&other| other != name) {
                    if let Some(distance) = pattern.distance(self.get(other), best[name].bound(other)) {
                        best[name].improve(other, distance);
                    }
                }
            }
        }
    }
}

/// The numbers of characters at the start and at the end that all names share.
fn shared_ends(names: &[&str]) -> (usize, usize) {
    let shortest = names.iter().map(|name| name.chars().count()).min().unwrap_or(0);
    let model = names.first().copied().unwrap_or("");
    let shared = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        a.zip(b).take_while(|(x, y)| x == y).count()
    };
    let prefix =
        names.iter().map(|name| shared(&mut name.chars(), &mut model.chars())).min().unwrap_or(0).min(shortest);
    let suffix = names.iter().map(|name| shared(&mut name.chars().rev(), &mut model.chars().rev())).min().unwrap_or(0);
    (prefix, suffix.min(shortest - prefix))
}

/// Odd, and without a pattern: names are hashed as polynomials, so that a name less a character needs no second
/// reading.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

fn weight(c: u32) -> u64 {
    (u64::from(c) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn extend(hash: u64, c: u32) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(weight(c))
}

/// Whether two names differ by exactly one edit.
fn differ_by_one(a: &[u32], b: &[u32]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    match long.len() - short.len() {
        0 => same < long.len() && short[same + 1..] == long[same + 1..],
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::distance::plain_distance;
    use super::*;
    use proptest::prelude::*;

    fn plain_closest(names: &[&str]) -> Vec<Option<(u32, u32)>> {
        let chars: Vec<Vec<u32>> = names.iter().map(|name| name.chars().map(u32::from).collect()).collect();
        let closest = |name: usize| {
            let others = (0..names.len()).filter(|&other| other != name);
            others.map(|other| (plain_distance(&chars[name], &chars[other]), other as u32)).min()
        };
        (0..names.len()).map(closest).collect()
    }

    fn check(names: &[String]) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = closest_names(&names);
        assert!(found.iter().flatten().all(|closest| closest.exact));
        let found: Vec<_> =
            found.iter().map(|closest| closest.map(|closest| (closest.distance, closest.index))).collect();
        assert_eq!(found, plain_closest(&names), "{names:?}");
    }

    proptest! {
        #[test]
        fn short_names_with_many_ties_agree_with_all_pairs(names in prop::collection::vec("[ab]{0,6}", 0..40)) {
            check(&names);
        }

        #[test]
        fn names_of_all_lengths_agree_with_all_pairs(names in prop::collection::vec("[a-d]{0,30}", 2..40)) {
            check(&names);
        }

        #[test]
        fn names_of_pages_agree_with_all_pairs(names in prop::collection::vec("(article|post|img)-[0-9]{1,4}(-(old|new|draft))?\\.html?", 2..60)) {
            check(&names);
        }

        #[test]
        fn names_above_64_characters_agree_with_all_pairs(names in prop::collection::vec("[a-c]{50,150}", 2..10)) {
            check(&names);
        }

        #[test]
        fn names_in_any_script_agree_with_all_pairs(names in prop::collection::vec("[aé漢😀]{0,5}|\\PC{0,8}", 2..20)) {
            check(&names);
        }

        #[test]
        fn what_is_called_exact_is_exact_under_any_bound(names in prop::collection::vec("[a-e]{3,9}", 2..40), steps in 0u64..20_000) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for ((name, found), closest) in closest_names_within(&names, steps).into_iter().enumerate().zip(plain_closest(&names)) {
                let (found, closest) = (found.unwrap(), closest.unwrap());
                prop_assert!(found.index as usize != name);
                if found.exact {
                    prop_assert_eq!((found.distance, found.index), closest);
                } else {
                    prop_assert!((found.distance, found.index) >= closest && closest.0 > 1);
                }
            }
        }
    }

    #[test]
    fn a_single_name_has_no_closest() {
        assert_eq!(closest_names(&["index.html"]), [None]);
        assert_eq!(closest_names(&[]), []);
    }

    #[test]
    fn equal_names_are_closest_to_the_first_other() {
        let index: Vec<u32> =
            closest_names(&["a", "b", "a", "a"]).iter().flatten().map(|closest| closest.index).collect();
        assert_eq!(index, [2, 0, 0, 0]);
    }

    #[test]
    fn without_steps_the_answer_is_a_neighbour_and_says_so() {
        let found = closest_names_within(&["aaaa1111", "bbbb2222", "aaaa3333"], 0);
        let first = found[0].unwrap();
        assert_eq!((first.index, first.distance, first.exact), (2, 4, false));
    }

    #[test]
    fn many_numbered_names_need_no_search() {
        let names: Vec<String> = (0..3000).map(|number| format!("article-{number:06}.html")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = closest_names_within(&names, 0);
        assert!(found.iter().flatten().all(|closest| closest.exact && closest.distance == 1));
        assert_eq!(found[2345].unwrap().index, 345);
    }
}

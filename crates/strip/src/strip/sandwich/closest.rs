//! For every name of a directory, the other name with the smallest edit distance.
//!
//! The sandwich method compares a page with the page of its directory whose name is closest (Rowlands, Thomas and Wan,
//! ADCS 2009). Comparing all pairs one by one is out of the question where a folder holds 100,000 pages, so there are
//! three steps:
//!
//! 1. *Near names* (`near`): names that become equal when a few characters are taken out of each, one
//!    edit, then two, and so on while that is cheap. Numbered pages end here.
//! 2. *A first guess* for the others: the neighbours in the sorted list of names, read forwards and backwards.
//! 3. *The search* (`search`): every pair once, sixteen at a time, past two filters.
//!
//! The result is exact: smallest distance (Levenshtein on characters, unit costs), and among equals the first in the
//! order given, on any number of threads.
//!
//! # The bound
//!
//! Names that are all about equally far from each other (UUIDs) make the search quadratic; so it may take a fixed number
//! of steps ([`closest_names_within`]). Where they do not suffice, a name is compared with as many others of about its
//! length as they do, and keeps the best of these: [`Closest::exact`] is false. The steps are those it would take without
//! filters, not time: the same names give the same answer everywhere. Distances 0 and 1 are always exact.

use super::band::FOLDED;
use super::distance::Pattern;
use super::near;
use super::search::{self, Search};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// The steps a directory may take in all. That is enough for any 100,000 names of up to 109 characters and 240,000 of up
/// to 36 (not counting the ends all of them share), and for more where lengths differ.
pub const STEPS: u64 = 1 << 37;

/// For each name, the other name that is closest to it; `None` where there is no other.
///
/// ```
/// use unhusk_strip::strip::sandwich::closest::closest_names;
///
/// let closest = closest_names(&["a-1.html", "index.html", "a-2.html", "a-3.html"], 1);
/// let places: Vec<_> = closest.iter().flatten().map(|name| name.index).collect();
/// assert_eq!(places, [2, 0, 0, 0]);
/// ```
pub fn closest_names(names: &[&str], threads: usize) -> Vec<Option<Closest>> {
    closest_names_within(names, STEPS, threads)
}

/// [`closest_names`] with a bound of its own. A step is a character of one name against sixteen others, once for each 64
/// characters of these.
pub fn closest_names_within(names: &[&str], steps: u64, threads: usize) -> Vec<Option<Closest>> {
    if names.len() < 2 {
        return vec![None; names.len()];
    }
    let names = Names::new(names);
    let best: Vec<Best> = (0..names.len()).map(|_| Best::default()).collect();
    let settled = near::settle(&names, &best, threads);
    if best.iter().all(|best| best.distance() <= settled) {
        return best.iter().map(|best| Some(best.closest(true))).collect();
    }
    names.guess_from_neighbours(&best, settled);
    let exact = Search::new(&names, &best, settled).run(steps, threads);
    best.iter().zip(exact).map(|(best, exact)| Some(best.closest(exact))).collect()
}

/// The best so far: distance and place in one number, so that the better one is the smaller one, whichever thread finds
/// it first.
pub(super) struct Best(AtomicU64);

impl Default for Best {
    fn default() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }
}

impl Best {
    fn pack(index: u32, distance: u32) -> u64 {
        u64::from(distance) << 32 | u64::from(index)
    }

    pub(super) fn distance(&self) -> u32 {
        (self.0.load(Ordering::Relaxed) >> 32) as u32
    }

    /// Whether a candidate is closer, or as close and earlier.
    pub(super) fn would_improve(&self, index: u32, distance: u32) -> bool {
        Self::pack(index, distance) < self.0.load(Ordering::Relaxed)
    }

    pub(super) fn improve(&self, index: u32, distance: u32) {
        self.0.fetch_min(Self::pack(index, distance), Ordering::Relaxed);
    }

    fn closest(&self, exact: bool) -> Closest {
        let best = self.0.load(Ordering::Relaxed);
        Closest { index: best as u32, distance: (best >> 32) as u32, exact }
    }
}

/// All names as numbers for characters, without the prefix and suffix that all of them share (which no distance depends
/// on).
pub(super) struct Names {
    chars: Vec<u32>,
    folded: Vec<u8>,
    counted: Vec<u16>,
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
        let folded: Vec<u8> = chars.iter().map(|&c| (c as usize % FOLDED) as u8).collect();
        let counted = search::count(&starts, &folded);
        Self { chars, folded, counted, starts, alphabet: numbers.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, name: usize) -> &[u32] {
        &self.chars[self.starts[name]..self.starts[name + 1]]
    }

    /// A name in characters that may stand for several.
    pub(super) fn folded(&self, name: usize) -> &[u8] {
        &self.folded[self.starts[name]..self.starts[name + 1]]
    }

    /// A name as the codes of its characters, counted.
    pub(super) fn counted(&self, name: usize) -> &[u16] {
        &self.counted[self.starts[name]..self.starts[name + 1]]
    }

    pub(super) fn alphabet(&self) -> usize {
        self.alphabet
    }

    pub(super) fn folded_alphabet(&self) -> usize {
        self.alphabet.min(FOLDED)
    }

    /// A first guess for the names that are not settled: neighbours in sorted order, forwards and backwards.
    fn guess_from_neighbours(&self, best: &[Best], settled: u32) {
        const NEIGHBOURS: usize = 4;
        let mut order: Vec<usize> = (0..self.len()).collect();
        let mut pattern = Pattern::new(self.alphabet);
        for backwards in [false, true] {
            if backwards {
                order.sort_by(|&a, &b| self.get(a).iter().rev().cmp(self.get(b).iter().rev()));
            } else {
                order.sort_by_key(|&name| self.get(name));
            }
            for (place, &name) in order.iter().enumerate().filter(|&(_, &name)| best[name].distance() > settled) {
                pattern.set(self.get(name));
                let near = place.saturating_sub(NEIGHBOURS)..(place + NEIGHBOURS + 1).min(order.len());
                for &other in order[near].iter().filter(|&&other| other != name) {
                    if let Some(distance) = pattern.distance(self.get(other), best[name].distance()) {
                        best[name].improve(other as u32, distance);
                    }
                }
            }
        }
    }
}

/// Does the same work on several threads; what each of them found.
pub(super) fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&work)).collect();
        let mut found = vec![work()];
        found.extend(others.into_iter().map(|other| other.join().expect("a search does not panic")));
        found
    })
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
        let found = closest_names(&names, 1);
        assert_eq!(found, closest_names(&names, 3));
        assert!(found.iter().flatten().all(|closest| closest.exact));
        let found: Vec<_> =
            found.iter().map(|closest| closest.map(|closest| (closest.distance, closest.index))).collect();
        assert_eq!(found, plain_closest(&names), "{names:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

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
        fn numbers_agree_with_all_pairs(names in prop::collection::vec("[0-9]{1,9}|[0-9]{9}", 2..60)) {
            check(&names);
        }

        #[test]
        fn headlines_agree_with_all_pairs(
            names in prop::collection::vec("((ferry|herring|harbour|the|of|old|new|tide|boat)-){3,9}[a-z]{2,9}", 2..16),
        ) {
            check(&names);
        }

        #[test]
        fn uuids_agree_with_all_pairs(
            names in prop::collection::vec("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", 2..20),
        ) {
            check(&names);
        }

        #[test]
        fn equal_names_and_beginnings_of_others_agree_with_all_pairs(
            name in "[a-c]{40}",
            cuts in prop::collection::vec(0usize..41, 2..24),
        ) {
            check(&cuts.iter().map(|&cut| name[..cut].to_owned()).collect::<Vec<_>>());
        }

        #[test]
        fn more_characters_than_are_told_apart_agree_with_all_pairs(
            names in prop::collection::vec("[\u{4e00}-\u{4e80}]{0,12}", 2..30),
        ) {
            check(&names);
        }

        #[test]
        fn what_is_called_exact_is_exact_under_any_bound(names in prop::collection::vec("[a-e]{3,9}", 2..40), steps in 0u64..3000) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for ((name, found), closest) in closest_names_within(&names, steps, 2).into_iter().enumerate().zip(plain_closest(&names)) {
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
        assert_eq!(closest_names(&["index.html"], 1), [None]);
        assert_eq!(closest_names(&[], 1), []);
    }

    #[test]
    fn equal_names_are_closest_to_the_first_other() {
        let index: Vec<u32> =
            closest_names(&["a", "b", "a", "a"], 1).iter().flatten().map(|closest| closest.index).collect();
        assert_eq!(index, [2, 0, 0, 0]);
    }

    #[test]
    fn without_steps_the_answer_is_a_neighbour_and_says_so() {
        let name = |n: usize| format!("{}-{n:03}-{}", "ab".repeat(n), "xyz".repeat(700 - n));
        let names: Vec<String> = (0..40).map(name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let neighbour = closest_names_within(&names, 0, 1)[30].unwrap();
        let closest = closest_names(&names, 1)[30].unwrap();
        assert!(!neighbour.exact && closest.exact);
        assert_eq!((neighbour.index, neighbour.distance), (closest.index, closest.distance));
    }

    #[test]
    fn many_numbered_names_need_no_search() {
        let names: Vec<String> = (0..3000).map(|number| format!("article-{number:06}.html")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = closest_names_within(&names, 0, 2);
        assert!(found.iter().flatten().all(|closest| closest.exact && closest.distance == 1));
        assert_eq!(found[2345].unwrap().index, 345);
    }
}

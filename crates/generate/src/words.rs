//! The words a generated site is written in: lists of common English words, so that a page reads like text, and
//! made-up words, so that topics and names have words of their own.
//!
//! A made-up word is a number spelt in syllables. The number is scrambled first, by a multiplication that is
//! one-to-one, so neighbours look unlike each other and no two numbers share a word.

use unhusk_pages::random::Rng;

/// Abstract words that name sections and that articles use as words, too. That both happens is the point: a query with
/// such a word meets every page of an index that keeps the navigation.
#[rustfmt::skip]
pub(super) const SECTIONS: [&str; 16] = [
    "Health", "Technology", "Law", "Sport", "Harbour", "Weather", "Culture", "Travel", "Science", "Education",
    "Business", "Politics", "Housing", "Transport", "History", "Energy",
];

/// Entries of a section's own menu.
#[rustfmt::skip]
pub(super) const MENU: [&str; 24] = [
    "Local news", "Opinion", "Letters", "Archive", "In brief", "Reports", "Interviews", "Calendar", "Notices",
    "Questions and answers", "Background", "Pictures", "Statistics", "Research", "People", "Reviews", "Guides",
    "Community", "Jobs", "Markets", "Safety", "Planning", "Elections", "Museums",
];

#[rustfmt::skip]
pub(super) const NOUNS: [&str; 110] = [
    "report", "committee", "member", "council", "meeting", "question", "answer", "road", "bridge", "river", "market",
    "price", "cost", "plan", "project", "building", "school", "teacher", "student", "doctor", "patient", "hospital",
    "court", "judge", "case", "rule", "law", "health", "technology", "weather", "harbour", "sport", "travel",
    "science", "energy", "culture", "history", "housing", "transport", "business", "team", "season", "match",
    "player", "coach", "ship", "boat", "captain", "crew", "island", "coast", "town", "village", "street", "house",
    "family", "worker", "office", "company", "bank", "money", "budget", "tax", "vote", "party", "minister", "letter",
    "paper", "book", "story", "picture", "film", "song", "garden", "forest", "farm", "field", "water", "storm",
    "winter", "summer", "morning", "evening", "week", "month", "year", "decade", "group", "number", "figure", "share",
    "change", "problem", "result", "reason", "decision", "proposal", "agreement", "contract", "service", "system",
    "machine", "engine", "station", "train", "visitor", "neighbour", "expert", "survey", "study",
];

#[rustfmt::skip]
pub(super) const VERBS: [&str; 40] = [
    "changed", "followed", "supported", "rejected", "described", "visited", "opened", "closed", "reached", "crossed",
    "joined", "left", "found", "lost", "built", "repaired", "sold", "bought", "carried", "delayed", "praised",
    "questioned", "measured", "studied", "explained", "replaced", "improved", "ended", "began", "expected", "needed",
    "offered", "received", "watched", "feared", "moved", "defended", "shared", "planned", "announced",
];

#[rustfmt::skip]
pub(super) const ADJECTIVES: [&str; 44] = [
    "new", "old", "small", "large", "local", "public", "private", "early", "late", "long", "short", "quiet", "busy",
    "recent", "common", "rare", "strong", "weak", "cheap", "costly", "simple", "difficult", "popular", "unknown",
    "northern", "southern", "eastern", "western", "former", "current", "second", "third", "final", "likely",
    "serious", "careful", "open", "regular", "annual", "important", "modest", "familiar", "broad", "narrow",
];

#[rustfmt::skip]
const FIRST_NAMES: [&str; 32] = [
    "Anna", "Peter", "Maria", "John", "Helen", "Thomas", "Ruth", "David", "Clara", "Martin", "Eva", "Simon", "Nora",
    "Paul", "Irene", "Oscar", "Julia", "Victor", "Alice", "Hugo", "Edith", "Felix", "Grace", "Henry", "Laura",
    "Arthur", "Sophie", "Walter", "Emma", "Robert", "Olive", "George",
];

#[rustfmt::skip]
pub(super) const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];

#[rustfmt::skip]
const ONSETS: [&str; 17] = [
    "b", "br", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "z",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
const CODAS: [&str; 4] = ["n", "r", "l", "m"];

/// How many words of the general, topic-free vocabulary there are.
const COMMON: u64 = 4096;

/// The made-up words of one site.
#[derive(Debug)]
pub(super) struct Vocabulary {
    salt: u64,
    common: Vec<String>,
}

impl Vocabulary {
    pub(super) fn new(seed: u64) -> Self {
        let salt = mix(seed, 1, 0);
        let common = (0..COMMON).map(|n| spell(scramble(n, salt, 14), 2)).collect();
        Vocabulary { salt, common }
    }

    /// A word of the general vocabulary; rank k comes up about 1/k as often as rank 1 (Zipf): each doubling of the
    /// rank is as likely as the next. In whole numbers, because powers of fractions differ between machines.
    pub(super) fn common(&self, rng: &mut Rng) -> &str {
        let first = 1 << rng.below(COMMON.ilog2() as usize);
        &self.common[first + rng.below(first) - 1]
    }

    /// The rarer word with number `n`, of two million.
    pub(super) fn rare(&self, n: u64) -> String {
        spell(scramble(n, self.salt, 21), 3)
    }

    /// The rarer word with number `n` as a proper name.
    pub(super) fn proper(&self, n: u64) -> String {
        capitalised(&self.rare(n))
    }

    /// A person: an English first name and a made-up surname out of `surnames` many.
    pub(super) fn person(&self, rng: &mut Rng, surnames: u64) -> String {
        format!("{} {}", pick(rng, &FIRST_NAMES), self.proper(NAMES + below(rng, surnames)))
    }

    /// The person with number `n`: three share a surname, but none a whole name.
    pub(super) fn person_of(&self, n: u64) -> String {
        let first = FIRST_NAMES[(n.wrapping_mul(7).wrapping_add(self.salt % 32) % 32) as usize];
        format!("{first} {}", self.proper(NAMES + n / 3))
    }

    /// The place with number `n`.
    pub(super) fn place(&self, n: u64) -> String {
        let name = self.proper(PLACES + n);
        match n % 5 {
            0 => format!("Port {name}"),
            1 => format!("{name} Quay"),
            2 => format!("{name} Bay"),
            3 => format!("{name} Sound"),
            _ => name,
        }
    }
}

/// Where in the rare words those of names and places start; topic words come before.
const NAMES: u64 = 1 << 20;
const PLACES: u64 = NAMES + (1 << 19);

/// A number below `n`, for counts of pages and topics, which are not sizes in memory.
pub(super) fn below(rng: &mut Rng, n: u64) -> u64 {
    rng.below(n as usize) as u64
}

/// One item of a list, each as likely as the next.
pub(super) fn pick<'a, T: ?Sized>(rng: &mut Rng, items: &[&'a T]) -> &'a T {
    items[rng.below(items.len())]
}

/// The word with an upper-case first letter.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A seed for one purpose (`stream`) and one number in it, so that any page can be made without the pages before it.
pub(super) fn mix(seed: u64, stream: u64, n: u64) -> u64 {
    let step = |x: u64| {
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    step(step(step(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ stream).wrapping_add(n))
}

/// A one-to-one mapping of the numbers below 2^bits: an odd factor and an offset are both reversible there.
fn scramble(n: u64, salt: u64, bits: u32) -> u64 {
    let mask = (1 << bits) - 1;
    (n.wrapping_mul((salt >> 20) | 1).wrapping_add(salt)) & mask
}

fn spell(mut n: u64, syllables: u32) -> String {
    let mut word = String::with_capacity(12);
    let coda = CODAS[(n % 4) as usize];
    n /= 4;
    for _ in 0..syllables {
        word.push_str(ONSETS[(n % 17) as usize]);
        n /= 17;
        word.push_str(VOWELS[(n % 5) as usize]);
        n /= 5;
    }
    word.push_str(coda);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_numbers_share_a_word() {
        for seed in 0..5 {
            let vocabulary = Vocabulary::new(seed);
            let common: HashSet<&String> = vocabulary.common.iter().collect();
            assert_eq!(common.len(), COMMON as usize);
            let rare: HashSet<String> = (0..200_000).map(|n| vocabulary.rare(n)).collect();
            assert_eq!(rare.len(), 200_000);
        }
    }

    #[test]
    fn the_first_common_words_come_up_most() {
        let vocabulary = Vocabulary::new(3);
        let mut rng = Rng::new(1);
        let mut head = 0;
        for _ in 0..10_000 {
            let word = vocabulary.common(&mut rng);
            head += usize::from(vocabulary.common[..64].iter().any(|w| w == word));
        }
        assert!((4_500..5_500).contains(&head), "half of the text by the square root of the ranks: {head}");
    }
}

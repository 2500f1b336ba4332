//! The directory section: records with attributes whose values recur from page to page. A value that stands on a
//! hundred pages looks like template to a method that only counts; here it is content and goes into `facts.tsv`.

use super::words::{Vocabulary, below, capitalised, mix, pick};
use unhusk_pages::random::Rng;

/// What a directory lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Theme {
    /// The section's name.
    pub(super) section: &'static str,
    /// One of its records, as a word.
    pub(super) noun: &'static str,
    /// The attribute that sorts them, and its values.
    kind: (&'static str, [&'static str; 8]),
    /// An attribute that is a number with a unit.
    size: (&'static str, &'static str),
}

/// The directories there are.
pub(super) const THEMES: [Theme; 2] = [
    Theme {
        section: "Restaurants",
        noun: "restaurant",
        kind: ("Cuisine", ["Italian", "French", "Indian", "Greek", "Chinese", "Mexican", "Seafood", "Vegetarian"]),
        size: ("Seats", "seats"),
    },
    Theme {
        section: "Boats",
        noun: "boat",
        kind: ("Type", ["Sloop", "Ketch", "Trawler", "Ferry", "Tug", "Schooner", "Cutter", "Barge"]),
        size: ("Length", "metres"),
    },
];

/// The records of a site, each made on demand from its page number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Records {
    pub(super) theme: Theme,
    seed: u64,
    harbours: u64,
}

/// A record's attributes and values, in the order its page shows them.
pub(super) type Values = Vec<(&'static str, String)>;

impl Theme {
    /// The values of the attribute that sorts its records.
    pub(super) fn kinds(&self) -> [&'static str; 8] {
        self.kind.1
    }
}

impl Records {
    /// Directory for about `records` records; harbours grow with it, so that a kind at a harbour has about eight.
    pub(super) fn new(seed: u64, theme: Theme, records: u64) -> Self {
        Records { theme, seed, harbours: (records / 64).max(4) }
    }

    /// Kind and harbour of the record on this page.
    pub(super) fn key(&self, page: u64) -> (u64, u64) {
        let mut rng = Rng::new(mix(self.seed, 30, page));
        (below(&mut rng, 8), below(&mut rng, self.harbours))
    }

    /// The name of the record on this page.
    pub(super) fn name(&self, page: u64, vocabulary: &Vocabulary) -> String {
        const PATTERNS: [&str; 4] = ["The Old", "Little", "Casa", "Queen of"];
        let mut rng = Rng::new(mix(self.seed, 31, page));
        let word = capitalised(vocabulary.common(&mut rng));
        format!("{} {word} {}", pick(&mut rng, &PATTERNS), capitalised(vocabulary.common(&mut rng)))
    }

    /// What is said of the record on this page.
    pub(super) fn values(&self, page: u64, vocabulary: &Vocabulary) -> Values {
        let key = self.key(page);
        let mut rng = Rng::new(mix(self.seed, 32, page));
        vec![
            (self.theme.kind.0, self.kind(key.0).to_owned()),
            ("Harbour", self.harbour(key.1, vocabulary)),
            ("Rating", format!("{} of 5", 1 + rng.below(5))),
            (self.theme.size.0, format!("{} {}", 10 + 2 * rng.below(20), self.theme.size.1)),
            ("Owner", vocabulary.person(&mut rng, 60)),
            ("Telephone", format!("555 {:04}", rng.below(10_000))),
        ]
    }

    /// The words that ask for a kind at a harbour.
    pub(super) fn question(&self, key: (u64, u64), vocabulary: &Vocabulary) -> String {
        let words = format!("{} {} {}", self.kind(key.0), self.theme.noun, self.harbour(key.1, vocabulary));
        words.to_lowercase()
    }

    fn kind(&self, number: u64) -> &'static str {
        self.theme.kind.1[(number % 8) as usize]
    }

    fn harbour(&self, number: u64, vocabulary: &Vocabulary) -> String {
        // Numbers above those of the places articles name.
        vocabulary.place(1_000 + number)
    }
}

//! How many postings a text would have, without indexing it: what the index was spared is told beside what it holds.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::words::{Kind, Language, Lexer, Normaliser};
use crate::hashed::{HashedMap, HashedSet};

/// Words remembered at most: beyond, it is cheaper to stem again than to hold them.
const REMEMBERED: usize = 1 << 18;

/// Counts distinct terms, text by text. Remembers the term of each word it has seen, so that few are stemmed twice.
pub(crate) struct PostingCounter {
    normaliser: Normaliser,
    /// By the hash of a word as it is written, the hash of its term; none where it has no term.
    terms: HashedMap<Option<u64>>,
    /// The terms of the current text.
    seen: HashedSet,
    term: String,
}

impl PostingCounter {
    pub(crate) fn new(language: Language) -> Self {
        PostingCounter {
            normaliser: Normaliser::new(language),
            terms: HashedMap::default(),
            seen: HashedSet::default(),
            term: String::new(),
        }
    }

    /// The postings a text has as one field of one document.
    pub(crate) fn count(&mut self, text: &str) -> u64 {
        self.seen.clear();
        if self.terms.len() > REMEMBERED {
            self.terms.clear();
        }
        for lexeme in Lexer::new(text) {
            // A name is not stemmed, a word of the same letters is.
            let seed = u64::from(lexeme.kind == Kind::Name);
            let written = xxh3_64_with_seed(&text.as_bytes()[lexeme.start..lexeme.end], seed);
            let term = *self.terms.entry(written).or_insert_with(|| {
                let has_term = self.normaliser.write(text, &lexeme, &mut self.term);
                has_term.then(|| xxh3_64(self.term.as_bytes()))
            });
            self.seen.extend(term);
        }
        self.seen.len() as u64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::words::Words;
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_count_is_that_of_the_distinct_terms(texts in proptest::collection::vec("([Rr]un(s|ning)?|a_b|A_B|[a-c]|界|[ .:]){0,30}", 1..6)) {
            let language: Language = "en".parse().unwrap();
            let mut counter = PostingCounter::new(language);
            for text in &texts {
                let terms: std::collections::HashSet<String> = Words::new(language).terms(text).into_iter().map(|(_, term)| term).collect();
                proptest::prop_assert_eq!(counter.count(text), terms.len() as u64);
            }
        }
    }
}

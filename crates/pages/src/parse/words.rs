//! Words of a text, for comparing pages: runs of letters and digits, case ignored.
//!
//! The index has its own, finer idea of a word. Here only sameness counts.

use serde::{Deserialize, Serialize};

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + run(&text[at..], |is_word| !is_word);
        let end = start + run(&text[start..], |is_word| is_word);
        at = end;
        (end > start).then(|| &text[start..end])
    })
}

/// Length of the run of characters at the start of a text of which `wanted` holds, told whether each is part of a word.
fn run(text: &str, wanted: impl Fn(bool) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Most text is ASCII, and asking a byte is much cheaper than decoding a character.
        let (is_word, length) = if byte.is_ascii() {
            (byte.is_ascii_alphanumeric(), 1)
        } else {
            text[at..].chars().next().map_or((false, 1), |c| (c.is_alphanumeric(), c.len_utf8()))
        };
        if !wanted(is_word) {
            break;
        }
        at += length;
    }
    at
}

/// A sequence of words: how many, and a hash that depends on their order. Sequences can be put together without the words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequence {
    /// The hash: a polynomial of the words' hashes.
    pub hash: u64,
    /// How many words.
    pub words: u32,
}

impl Sequence {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        let mut sequence = Sequence::default();
        word_hashes(text, |word| sequence.push(word));
        sequence
    }

    /// One word more.
    pub fn push(&mut self, word: u64) {
        self.hash = self.hash.wrapping_mul(Self::BASE).wrapping_add(word);
        self.words += 1;
    }

    /// Both sequences, the other behind this one.
    pub fn then(self, other: Sequence) -> Self {
        let moved = self.hash.wrapping_mul(Self::BASE.wrapping_pow(other.words));
        Sequence { hash: moved.wrapping_add(other.hash), words: self.words + other.words }
    }

    const BASE: u64 = 0xD6E8_FEB8_6659_FD93;
}

/// The hash of a sequence of words with one more word: cheap, and another one for another order.
pub fn and_then(sequence: u64, word: u64) -> u64 {
    (sequence.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A hash of a word that is the same in capitals.
pub fn word_hash(word: &str) -> u64 {
    if word.is_ascii() { hash_lower(word.bytes()) } else { hash_lower(word.to_lowercase().bytes()) }
}

fn hash_lower(bytes: impl Iterator<Item = u8>) -> u64 {
    finish(bytes.fold(START, |hash, byte| with_byte(hash, byte.to_ascii_lowercase())))
}

const START: u64 = 0xCBF2_9CE4_8422_2325;

/// Words are short: a multiplication a byte is cheaper than setting out for more.
fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn finish(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ hash >> 32
}

/// For each byte: itself in lower case where it is part of a word, 0 where it is not, [`WIDE`] where more bytes decide.
static LOWER: [u8; 256] = {
    let mut lower = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        if !byte.is_ascii() {
            lower[at] = WIDE;
        } else if byte.is_ascii_alphanumeric() {
            lower[at] = byte.to_ascii_lowercase();
        }
        at += 1;
    }
    lower
};

const WIDE: u8 = u8::MAX;

/// Finds the hash of each word of a text, in order: the [`word_hash`] of its [`words`], read once.
pub fn word_hashes(text: &str, mut found: impl FnMut(u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (start, mut hash) = (at, START);
        let stop = loop {
            match bytes.get(at).map_or(0, |&byte| LOWER[usize::from(byte)]) {
                stop @ (0 | WIDE) => break stop,
                byte => hash = with_byte(hash, byte),
            }
            at += 1;
        };
        if stop == WIDE {
            // Seldom: the word is read again, character by character.
            let end = start + run(&text[start..], |is_word| is_word);
            if end > start {
                found(word_hash(&text[start..end]));
            }
            at = end.max(at);
            at += text[at..].chars().next().filter(|c| !c.is_alphanumeric()).map_or(0, char::len_utf8);
        } else {
            if at > start {
                found(finish(hash));
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_and_letters_do() {
        assert_eq!(word_hash("Größe"), word_hash("GRÖßE"));
        assert_eq!(word_hash("Harbour"), word_hash("hARBOUR"));
        assert_ne!(word_hash("harbour"), word_hash("harbours"));
        let long = "x".repeat(100);
        assert_eq!(word_hash(&long), word_hash(&long.to_uppercase()));
    }

    proptest::proptest! {
        #[test]
        fn words_are_what_splitting_by_character_gives(text in ".{0,60}") {
            let split = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            proptest::prop_assert!(words(&text).eq(split));
        }
    }

    proptest::proptest! {
        #[test]
        fn words_are_hashed_in_one_reading(text in "([a-cA-C0 .ÄäßΣσé漢—\u{308}]|.){0,40}") {
            let mut hashes = Vec::new();
            word_hashes(&text, |hash| hashes.push(hash));
            proptest::prop_assert_eq!(hashes, words(&text).map(word_hash).collect::<Vec<_>>());
        }

        #[test]
        fn sequences_are_put_together_without_the_words(a in "[a-d ]{0,20}", b in "[a-d ]{0,20}") {
            proptest::prop_assert_eq!(Sequence::of(&a).then(Sequence::of(&b)), Sequence::of(&format!("{a} {b}")));
        }
    }

    #[test]
    fn the_order_of_words_matters() {
        let hash = |words: &[u64]| words.iter().fold(0, |sequence, &word| and_then(sequence, word));
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
        assert_ne!(hash(&[1]), hash(&[1, 1]));
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(words("Fish & chips, 3.50!").collect::<Vec<_>>(), ["Fish", "chips", "3", "50"]);
    }
}

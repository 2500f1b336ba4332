//! Words of a text, for comparing pages: runs of letters and digits, case ignored.
//!
//! The index has its own, finer idea of a word. Here only sameness counts.

use xxhash_rust::xxh3::xxh3_64;

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

/// The hash of a sequence of words with one more word: cheap, and another one for another order.
pub fn and_then(sequence: u64, word: u64) -> u64 {
    (sequence.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A hash of a word that is the same in capitals.
pub fn word_hash(word: &str) -> u64 {
    const SHORT: usize = 64;
    if word.is_ascii() && word.len() <= SHORT {
        let mut lower = [0; SHORT];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        return xxh3_64(lower);
    }
    xxh3_64(word.to_lowercase().as_bytes())
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

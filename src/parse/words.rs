//! Words of a text, for comparing pages: runs of letters and digits, case ignored.
//!
//! The index has its own, finer idea of a word. Here only sameness counts.

use xxhash_rust::xxh3::xxh3_64;

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
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

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(words("Fish & chips, 3.50!").collect::<Vec<_>>(), ["Fish", "chips", "3", "50"]);
    }
}

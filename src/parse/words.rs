//! Words of a text, for comparing pages: runs of letters and digits, case ignored.
//!
//! The index has its own, finer idea of a word. Here only sameness counts.

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
    let mut hash = Hash::START;
    for character in word.chars() {
        hash.add(character);
    }
    hash.finish()
}

/// Shows every word of a text with its hash, in one go over the text: what takes most of the time where pages are compared.
pub fn for_each_word<'t>(text: &'t str, mut each: impl FnMut(&'t str, u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut hash = Hash::START;
        while let Some(&byte) = bytes.get(at) {
            let lower = LOWER[byte as usize];
            if lower != 0 {
                hash.add_byte(lower);
                at += 1;
            } else if byte.is_ascii() {
                break;
            } else {
                let Some(character) = text[at..].chars().next().filter(|c| c.is_alphanumeric()) else { break };
                hash.add(character);
                at += character.len_utf8();
            }
        }
        if at > start {
            each(&text[start..at], hash.finish());
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// ASCII letters and digits in lower case, 0 for all other bytes.
const LOWER: [u8; 256] = {
    let mut lower = [0; 256];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            lower[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    lower
};

/// A hash of characters in lower case: FNV-1a, whose bits are mixed once at the end.
struct Hash(u64);

impl Hash {
    const START: Hash = Hash(0xCBF2_9CE4_8422_2325);

    #[inline]
    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    fn add(&mut self, character: char) {
        if character.is_ascii() {
            self.add_byte(character.to_ascii_lowercase() as u8);
            return;
        }
        for lower in character.to_lowercase() {
            let mut bytes = [0; 4];
            lower.encode_utf8(&mut bytes).bytes().for_each(|byte| self.add_byte(byte));
        }
    }

    #[inline]
    fn finish(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
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
            let mut shown = Vec::new();
            for_each_word(&text, |word, hash| shown.push((word, hash)));
            proptest::prop_assert!(words(&text).map(|word| (word, word_hash(word))).eq(shown));
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

//! Text becomes the terms that are looked up.
//!
//! Words are runs of letters and digits, in lower case, stemmed where a language is chosen. Two kinds of text
//! need more than that:
//!
//! - *Names of things in programs.* `max_connections` is found whole and by its parts: the whole is a term of its own at
//!   the place of the first part. `std::vector` and `scipy.linalg.eig` are found by their parts, and whole as a
//!   phrase: terms of their own did harm when measured, because a query that names a function and its module then
//!   finds the module's page first (`docs/search.md` has the figures).
//! - *Scripts without spaces between words* (Chinese, Japanese, Thai …). Every character is a term; a query asks
//!   for neighbouring pairs. So any word inside a sentence is found, with no dictionary.

use std::fmt;
use std::str::FromStr;

use frostem::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Longer words are no words: encoded data, mostly. They are not indexed.
const MAX_WORD_BYTES: usize = 255;

/// A language whose inflections are folded, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Language(Option<Algorithm>);

/// Codes and stemmers. Languages that are not here are indexed without stemming.
const LANGUAGES: [(&str, Algorithm); 18] = [
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("en", Algorithm::English),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

impl Language {
    /// No stemming.
    pub const NONE: Language = Language(None);

    /// The codes that can be chosen, `none` among them.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|&(code, _)| code).chain(["none"])
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        if code == "none" {
            return Ok(Language::NONE);
        }
        LANGUAGES.iter().find(|(known, _)| *known == code).map(|&(_, stemmer)| Language(Some(stemmer))).ok_or_else(
            || {
                let codes: Vec<_> = Language::codes().collect();
                format!("no stemmer for '{code}': choose one of {}", codes.join(", "))
            },
        )
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        code.parse()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> String {
        language.to_string()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = LANGUAGES.iter().find(|(_, stemmer)| Some(*stemmer) == self.0).map_or("none", |(code, _)| code);
        f.write_str(code)
    }
}

/// What kind of term a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, or a part of a name.
    Word,
    /// A whole name; its parts follow.
    Name,
    /// A character of a script without spaces.
    Character,
}

/// A stretch of text that becomes a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Place in the text, counted in words and characters.
    pub position: usize,
}

/// Cuts text into lexemes.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    position: usize,
    /// End of the name whose parts are being read.
    name_end: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Lexer { text, at: 0, position: 0, name_end: 0 }
    }

    fn character(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// The end of the run of word characters that starts at `from`.
    fn word_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            match bytes.get(at) {
                Some(byte) if byte.is_ascii_alphanumeric() => at += 1,
                Some(byte) if !byte.is_ascii() => match self.character(at) {
                    Some(c) if is_word(c) => at += c.len_utf8(),
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// The end of the name whose first word ends at `end`: words joined by `_`.
    fn name_end(&self, mut end: usize) -> usize {
        while self.text.as_bytes().get(end) == Some(&b'_') {
            end = self.word_end(end + 1);
        }
        end
    }
}

impl Iterator for Lexer<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let byte = *bytes.get(start)?;
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() && byte != b'_' {
                self.at += 1;
                continue;
            }
            if !byte.is_ascii() {
                let c = self.character(start)?;
                if is_unspaced(c) {
                    self.at += c.len_utf8();
                    let position = self.position;
                    self.position += 1;
                    return Some(Lexeme { kind: Kind::Character, start, end: self.at, position });
                }
                if !is_word(c) {
                    self.at += c.len_utf8();
                    continue;
                }
            }
            let word_end = self.word_end(start);
            if start >= self.name_end {
                let name_end = self.name_end(word_end);
                self.name_end = name_end;
                if name_end > word_end && self.text[start..name_end].bytes().any(|b| b != b'_') {
                    return Some(Lexeme { kind: Kind::Name, start, end: name_end, position: self.position });
                }
            }
            if word_end == start {
                self.at += 1;
                continue;
            }
            self.at = word_end;
            let position = self.position;
            self.position += 1;
            return Some(Lexeme { kind: Kind::Word, start, end: word_end, position });
        }
    }
}

fn is_word(c: char) -> bool {
    !is_unspaced(c) && (c.is_alphanumeric() || is_combining(c))
}

/// Whether a character may be part of a longer word.
pub(super) fn is_in_word(c: char) -> bool {
    c == '_' || is_word(c)
}

/// Accents that are written as characters of their own.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}')
}

/// Characters of scripts that do not put spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{E4F}'       // Thai
        | '\u{E80}'..='\u{ECF}'     // Lao
        | '\u{1000}'..='\u{109F}'   // Burmese
        | '\u{1780}'..='\u{17D3}'   // Khmer
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{309F}'   // Hiragana
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' // Katakana
        | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Turns lexemes into terms: lower case, stemmed.
#[derive(Clone)]
pub struct Words {
    language: Language,
}

impl Words {
    /// An analyser for a language.
    pub fn new(language: Language) -> Self {
        Words { language }
    }

    /// The terms of a text with the lexemes they come from.
    pub fn terms(&self, text: &str) -> Vec<(Lexeme, String)> {
        let mut normaliser = Normaliser::new(self.language);
        Lexer::new(text)
            .filter_map(|lexeme| {
                let mut term = String::new();
                normaliser.write(text, &lexeme, &mut term).then_some((lexeme, term))
            })
            .collect()
    }
}

pub(super) struct Normaliser {
    stemmer: Option<Stemmer>,
    lower: String,
}

impl Normaliser {
    pub(super) fn new(language: Language) -> Self {
        Normaliser { stemmer: language.0.map(Stemmer::new), lower: String::new() }
    }

    /// Writes a lexeme's term; false where it has none.
    pub(super) fn write(&mut self, text: &str, lexeme: &Lexeme, term: &mut String) -> bool {
        let source = &text[lexeme.start..lexeme.end];
        if source.len() > MAX_WORD_BYTES {
            return false;
        }
        term.clear();
        match (&self.stemmer, lexeme.kind) {
            (Some(stemmer), Kind::Word) => {
                self.lower.clear();
                lower_into(&mut self.lower, source);
                term.push_str(&stemmer.stem(&self.lower));
            }
            _ => lower_into(term, source),
        }
        !term.is_empty()
    }
}

fn lower_into(out: &mut String, text: &str) {
    if text.is_ascii() {
        out.push_str(text);
        let start = out.len() - text.len();
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// Terms as Tantivy takes them.
pub struct WordStream<'a> {
    lexer: Lexer<'a>,
    normaliser: Normaliser,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream { lexer: Lexer::new(text), normaliser: Normaliser::new(self.language), token: Token::default() }
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        while let Some(lexeme) = self.lexer.next() {
            if self.normaliser.write(self.lexer.text, &lexeme, &mut self.token.text) {
                self.token.offset_from = lexeme.start;
                self.token.offset_to = lexeme.end;
                self.token.position = lexeme.position;
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests;

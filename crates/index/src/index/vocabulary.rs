//! The vocabulary of a segment that is being written.
//!
//! It serves two ends. Words come again and again, so the term of each is remembered and few are stemmed twice. And it
//! knows which terms the last text had, so what a page would have had beyond them, had it not been stripped, is counted
//! without cutting the kept text into words again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64;

use super::words::{Language, Lexeme, Lexer, Normaliser, is_in_word};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::{Join, Page};
use unhusk_strip::strip::Mask;

/// Words remembered at most: beyond, it is cheaper to stem again than to hold them.
const REMEMBERED: usize = 1 << 18;

/// Words, their terms, and which terms the current text has.
struct Vocabulary {
    normaliser: Normaliser,
    words: Vec<Word>,
    /// By the hash of a word as it is written, its place.
    word_places: HashedMap<usize>,
    terms: Vec<Term>,
    /// By the hash of a term, its place.
    term_places: HashedMap<usize>,
    /// By the hash of a line that was left out, the places of its terms: the same lines are left out again and again.
    lines: HashedMap<Box<[u32]>>,
    count: Count,
    scratch: String,
}

struct Word {
    written: Box<str>,
    /// None where it is no word, but encoded data.
    term: Option<usize>,
}

struct Term {
    text: Box<str>,
    /// The last text that has it.
    seen: u64,
}

/// The number of the current text, and how many terms it has so far.
#[derive(Default)]
struct Count {
    text: u64,
    distinct: u64,
}

impl Count {
    /// The current text has this term.
    fn see(&mut self, term: &mut Term) {
        self.distinct += u64::from(term.seen != self.text);
        term.seen = self.text;
    }
}

impl Vocabulary {
    fn new(language: Language) -> Self {
        Vocabulary {
            normaliser: Normaliser::new(language),
            words: Vec::new(),
            word_places: HashedMap::default(),
            terms: Vec::new(),
            term_places: HashedMap::default(),
            lines: HashedMap::default(),
            count: Count::default(),
            scratch: String::new(),
        }
    }

    fn start_text(&mut self) {
        if self.words.len() + self.lines.len() > REMEMBERED {
            self.words.clear();
            self.word_places.clear();
            self.terms.clear();
            self.term_places.clear();
            self.lines.clear();
        }
        self.count = Count { text: self.count.text + 1, distinct: 0 };
    }

    /// Notes a word of the current text; its term. Whether a word is a name, and so is not stemmed, is told by how it is
    /// written. Hashes that collide cost the memory of a word, nothing else.
    fn note(&mut self, text: &str, lexeme: &Lexeme) -> Option<&str> {
        let term = self.term(text, lexeme)?;
        self.count.see(&mut self.terms[term]);
        Some(&self.terms[term].text)
    }

    /// The place of a word's term.
    fn term(&mut self, text: &str, lexeme: &Lexeme) -> Option<usize> {
        let written = &text[lexeme.start..lexeme.end];
        let hash = xxh3_64(written.as_bytes());
        let known = self.word_places.get(&hash).copied().filter(|&place| *self.words[place].written == *written);
        let place = known.unwrap_or_else(|| self.learn(text, lexeme, hash));
        self.words[place].term
    }

    /// Notes the words of a text, line by line: no word goes on behind the end of a line. Lines are known by hashes of 64 bits; should
    /// two meet, a figure in a report is off by their words.
    fn note_lines(&mut self, text: &str) {
        for line in text.split('\n') {
            let hash = xxh3_64(line.as_bytes());
            if !self.lines.contains_key(&hash) {
                let terms = self.terms_of(line);
                self.lines.insert(hash, terms);
            }
            for &term in &self.lines[&hash] {
                self.count.see(&mut self.terms[term as usize]);
            }
        }
    }

    fn terms_of(&mut self, line: &str) -> Box<[u32]> {
        let mut terms: Vec<u32> =
            Lexer::new(line).filter_map(|lexeme| self.term(line, &lexeme)).map(|term| term as u32).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.into()
    }

    fn learn(&mut self, text: &str, lexeme: &Lexeme, hash: u64) -> usize {
        let has_term = self.normaliser.write(text, lexeme, &mut self.scratch);
        let term = has_term.then(|| {
            let hash = xxh3_64(self.scratch.as_bytes());
            let known = self.term_places.get(&hash).copied().filter(|&place| *self.terms[place].text == *self.scratch);
            known.unwrap_or_else(|| {
                self.terms.push(Term { text: self.scratch.as_str().into(), seen: 0 });
                self.term_places.insert(hash, self.terms.len() - 1);
                self.terms.len() - 1
            })
        });
        self.words.push(Word { written: text[lexeme.start..lexeme.end].into(), term });
        self.word_places.insert(hash, self.words.len() - 1);
        self.words.len() - 1
    }

    fn note_all(&mut self, text: &str) {
        for lexeme in Lexer::new(text) {
            self.note(text, &lexeme);
        }
    }
}

/// What the segment writer cuts text into terms with, and counts by.
#[derive(Clone)]
pub(super) struct Remembering(Arc<Mutex<Vocabulary>>);

impl Remembering {
    pub(super) fn new(language: Language) -> Self {
        Remembering(Arc::new(Mutex::new(Vocabulary::new(language))))
    }

    fn vocabulary(&self) -> MutexGuard<'_, Vocabulary> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many more postings the last text would have had, had nothing been left out.
    pub(super) fn spared(&self, left_out: &LeftOut) -> i64 {
        let mut vocabulary = self.vocabulary();
        let kept = vocabulary.count.distinct as i64;
        match left_out {
            LeftOut::Apart(text) => vocabulary.note_lines(text),
            LeftOut::Glued { whole } => {
                vocabulary.start_text();
                vocabulary.note_all(whole);
            }
        }
        vocabulary.count.distinct as i64 - kept
    }
}

/// How many more postings a text would have with what was left out of it, for one that is not being written.
pub fn spared(language: Language, kept: &str, left_out: &LeftOut) -> i64 {
    let words = Remembering::new(language);
    words.vocabulary().start_text();
    words.vocabulary().note_all(kept);
    words.spared(left_out)
}

/// The text that was left out of a page.
#[derive(Debug)]
pub enum LeftOut {
    /// It shares no word with what was kept.
    Apart(String),
    /// A word is partly kept and partly left out: the words of the page are not those of its two halves.
    Glued {
        /// The text of the whole page.
        whole: String,
    },
}

impl LeftOut {
    /// What a mask leaves out of a page; none where it keeps all.
    pub fn of(page: &Page, mask: &Mask) -> Option<Self> {
        if (0..page.piece_count()).all(|piece| mask.keeps(piece)) {
            return None;
        }
        let is_cut = |piece: usize| mask.keeps(piece - 1) != mask.keeps(piece) && is_one_word(page, piece);
        Some(if (1..page.piece_count()).any(is_cut) {
            LeftOut::Glued { whole: page.text_where(|_| true) }
        } else {
            LeftOut::Apart(page.text_where(|piece| !mask.keeps(piece)))
        })
    }
}

/// Whether a word goes on from the piece before into this one.
fn is_one_word(page: &Page, piece: usize) -> bool {
    let (before, here) = (page.piece(piece - 1), page.piece(piece));
    here.piece.join == Join::Glued
        && before.text.chars().next_back().is_some_and(is_in_word)
        && here.text.chars().next().is_some_and(is_in_word)
}

impl Tokenizer for Remembering {
    type TokenStream<'a> = RememberedStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> RememberedStream<'a> {
        let mut vocabulary = self.vocabulary();
        vocabulary.start_text();
        RememberedStream { text, lexer: Lexer::new(text), vocabulary, token: Token::default() }
    }
}

/// The terms of a text as Tantivy takes them.
pub(super) struct RememberedStream<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    vocabulary: MutexGuard<'a, Vocabulary>,
    token: Token,
}

impl TokenStream for RememberedStream<'_> {
    fn advance(&mut self) -> bool {
        for lexeme in self.lexer.by_ref() {
            if let Some(term) = self.vocabulary.note(self.text, &lexeme) {
                self.token.text.clear();
                self.token.text.push_str(term);
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
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::words::Words;
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use unhusk_pages::parse::parse_html;
    use unhusk_strip::strip::Reason;

    fn tokens(tokenizer: &mut impl Tokenizer, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        tokenizer.token_stream(text).process(&mut |token| tokens.push(token.clone()));
        tokens
    }

    fn distinct(language: Language, text: &str) -> i64 {
        let terms: HashSet<String> = Words::new(language).terms(text).into_iter().map(|(_, term)| term).collect();
        terms.len() as i64
    }

    proptest! {
        #[test]
        fn remembered_words_have_the_terms_of_others(texts in prop::collection::vec("([Rr]un(s|ning)?|a_b|A_B|[a-c]|界|[ .:]){0,30}", 1..6)) {
            let language: Language = "en".parse().unwrap();
            let mut remembering = Remembering::new(language);
            for text in &texts {
                prop_assert_eq!(tokens(&mut remembering, text), tokens(&mut Words::new(language), text));
            }
        }

        #[test]
        fn what_was_spared_is_what_the_whole_has_more_than_the_kept(
            pages in prop::collection::vec(prop::collection::vec(("(run|runs|Running|_b|a| |界|é){1,5}", "b|p", any::<bool>()), 1..8), 1..4),
        ) {
            let language: Language = "en".parse().unwrap();
            let mut remembering = Remembering::new(language);
            for pieces in pages {
                let html: String = pieces.iter().map(|(text, tag, _)| format!("<{tag}>{text}</{tag}>")).collect();
                let page = parse_html(&html);
                let mut mask = Mask::keep_all(page.piece_count());
                for piece in (0..page.piece_count()).filter(|&piece| pieces[piece % pieces.len()].2) {
                    mask.drop(piece..piece + 1, Reason::Chunk { pages: 2, of: 2, threshold: 2 });
                }
                let (whole, kept) = (page.text_where(|_| true), page.text_where(|piece| mask.keeps(piece)));
                tokens(&mut remembering, &kept);
                let spared = LeftOut::of(&page, &mask).map_or(0, |left_out| remembering.spared(&left_out));
                prop_assert_eq!(spared, distinct(language, &whole) - distinct(language, &kept));
            }
        }
    }
}

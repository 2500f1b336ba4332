//! The vocabulary of a segment that is being written.
//!
//! It serves two ends. Words come again and again, so the term of each is remembered and few are stemmed twice. And it
//! knows which terms the last two texts had, so what a page would have had, had it not been stripped, is counted
//! without cutting what is left of it into words again.
//!
//! What stripping saves of a page is the number of different terms of its whole text, which is what `none` would index, less
//! those of its body and less those of what is set aside. A term that is in both is two postings, so a page of which nothing is dropped may
//! save less than nothing.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64;

use super::words::{Language, Lexeme, Lexer, Normaliser, is_in_word};
use unhusk_documents::extract::Document;
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
    lines: HashedMap<Line>,
    count: Count,
    /// Terms of the text before.
    before: u64,
    /// What is still to come of the current document.
    document: Coming,
    scratch: String,
}

/// What is still to come of a document. Its title is the first of its texts, its body the last.
#[derive(Default)]
struct Coming {
    texts: u32,
    /// The part of the title that is the page's own.
    title: Range<usize>,
    has_aside: bool,
    left_out: u32,
}

/// A line that was left out.
struct Line {
    /// The places of its terms, each once.
    terms: Box<[u32]>,
    words: u32,
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
    /// How many of them the text before has too.
    again: u64,
    /// Words, each as often as it comes.
    words: u32,
}

/// The words of a text that are not said: nobody finds them, but they are part of its length.
enum Unsaid {
    Nothing,
    /// So many words before it.
    Before(u32),
    /// All outside of this stretch.
    Outside(Range<usize>),
}

impl Count {
    /// The current text has this term.
    fn see(&mut self, term: &mut Term) {
        if term.seen != self.text {
            self.distinct += 1;
            self.again += u64::from(term.seen + 1 == self.text);
            term.seen = self.text;
        }
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
            before: 0,
            document: Coming::default(),
            scratch: String::new(),
        }
    }

    /// Lets words go where there are many. Not between texts of one document, whose terms are compared.
    fn start_document(&mut self, document: &Document) {
        let (has_aside, unsearched) = (!document.aside.is_empty(), document.unsearched);
        self.document = Coming {
            texts: 2 + u32::from(has_aside),
            title: unsearched.title_start as usize..document.title.len() - unsearched.title_end as usize,
            has_aside,
            left_out: unsearched.words,
        };
        if self.words.len() + self.lines.len() > REMEMBERED {
            self.words.clear();
            self.word_places.clear();
            self.terms.clear();
            self.term_places.clear();
            self.lines.clear();
        }
    }

    /// What is not said of the document's next text: the words that its body is longer by than it says, or the part of the title that is
    /// not its own.
    fn unsaid(&mut self) -> Unsaid {
        let Coming { texts, has_aside, left_out, .. } = self.document;
        self.document.texts = texts.saturating_sub(1);
        match texts {
            1 => Unsaid::Before(left_out + if has_aside { self.count.words } else { 0 }),
            _ if texts == 2 + u32::from(has_aside) => Unsaid::Outside(self.document.title.clone()),
            _ => Unsaid::Nothing,
        }
    }

    fn start_text(&mut self) {
        self.before = self.count.distinct;
        self.count = Count { text: self.count.text + 1, ..Count::default() };
    }

    /// Notes a word of the current text; its term. Whether a word is a name, and so is not stemmed, is told by how it is
    /// written. Hashes that collide cost the memory of a word, nothing else.
    fn note(&mut self, text: &str, lexeme: &Lexeme) -> Option<&str> {
        let term = self.term(text, lexeme)?;
        self.count.words += 1;
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
            let hash = self.know_line(line);
            for &term in &self.lines[&hash].terms {
                self.count.see(&mut self.terms[term as usize]);
            }
        }
    }

    /// How many words a text has.
    fn length(&mut self, text: &str) -> u32 {
        let lines = text.split('\n');
        lines.map(|line| self.know_line(line)).collect::<Vec<_>>().iter().map(|hash| self.lines[hash].words).sum()
    }

    /// Looks at a line once; its hash.
    fn know_line(&mut self, line: &str) -> u64 {
        let hash = xxh3_64(line.as_bytes());
        if !self.lines.contains_key(&hash) {
            let mut terms: Vec<u32> =
                Lexer::new(line).filter_map(|lexeme| self.term(line, &lexeme)).map(|term| term as u32).collect();
            let words = terms.len() as u32;
            terms.sort_unstable();
            terms.dedup();
            self.lines.insert(hash, Line { terms: terms.into(), words });
        }
        hash
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
        self.start_text();
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

    /// A document begins.
    pub(super) fn start_document(&self, document: &Document) {
        self.vocabulary().start_document(document);
    }

    /// How many words of its page a document does not have.
    pub(super) fn words_left_out(&self, document: &Document, left_out: &LeftOut) -> u32 {
        let mut vocabulary = self.vocabulary();
        match left_out {
            LeftOut::Apart(text) => vocabulary.length(text),
            LeftOut::Glued { whole } => {
                let said = vocabulary.length(&document.body) + vocabulary.length(&document.aside);
                vocabulary.length(whole).saturating_sub(said)
            }
        }
    }

    /// How many postings fewer a document has than its whole page would have. Its body was the last text, and what is aside of it, if
    /// anything is, the one before.
    pub(super) fn spared(&self, document: &Document, left_out: &LeftOut) -> i64 {
        let mut vocabulary = self.vocabulary();
        let has_aside = !document.aside.is_empty();
        let aside = if has_aside { vocabulary.before } else { 0 };
        let indexed = (vocabulary.count.distinct + aside) as i64;
        let whole = match left_out {
            LeftOut::Apart(text) => {
                vocabulary.note_lines(text);
                let Count { distinct, again, .. } = vocabulary.count;
                distinct + if has_aside { aside - again } else { 0 }
            }
            LeftOut::Glued { whole } => {
                vocabulary.note_all(whole);
                vocabulary.count.distinct
            }
        };
        whole as i64 - indexed
    }
}

/// How many postings fewer a document has than its whole page would have, for one that is not being written.
pub fn spared(language: Language, document: &Document, left_out: &LeftOut) -> i64 {
    let words = Remembering::new(language);
    if !document.aside.is_empty() {
        words.vocabulary().note_all(&document.aside);
    }
    words.vocabulary().note_all(&document.body);
    words.spared(document, left_out)
}

/// How many words of its page a document does not have, for one that is not being written.
pub fn words_left_out(language: Language, document: &Document, left_out: &LeftOut) -> u32 {
    Remembering::new(language).words_left_out(document, left_out)
}

/// The text that was left out of a page.
#[derive(Debug)]
pub enum LeftOut {
    /// It shares no word with what is left, and body and aside share none.
    Apart(String),
    /// A word is partly in one of them and partly in another: the words of the page are not those of its parts.
    Glued {
        /// The text of the whole page.
        whole: String,
    },
}

impl LeftOut {
    /// What a mask leaves out of a page; none where all is content.
    pub fn of(page: &Page, mask: &Mask) -> Option<Self> {
        if (0..page.piece_count()).all(|piece| mask.keeps(piece)) {
            return None;
        }
        let class = |piece: usize| std::mem::discriminant(&mask.marks()[piece]);
        let is_cut = |piece: usize| class(piece - 1) != class(piece) && is_one_word(page, piece);
        Some(if (1..page.piece_count()).any(is_cut) {
            LeftOut::Glued { whole: page.text_where(|_| true) }
        } else {
            LeftOut::Apart(page.text_where(|piece| mask.drops(piece)))
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
        let unsaid = vocabulary.unsaid();
        vocabulary.start_text();
        RememberedStream { text, lexer: Lexer::new(text), vocabulary, unsaid, token: Token::default() }
    }
}

/// The terms of a text as Tantivy takes them.
pub(super) struct RememberedStream<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    vocabulary: MutexGuard<'a, Vocabulary>,
    unsaid: Unsaid,
    token: Token,
}

impl TokenStream for RememberedStream<'_> {
    fn advance(&mut self) -> bool {
        if let Unsaid::Before(words @ 1..) = &mut self.unsaid {
            *words -= 1;
            self.token.text.clear();
            return true;
        }
        for lexeme in self.lexer.by_ref() {
            if let Some(term) = self.vocabulary.note(self.text, &lexeme) {
                self.token.text.clear();
                let is_said = match &self.unsaid {
                    Unsaid::Outside(own) => own.contains(&lexeme.start),
                    _ => true,
                };
                if is_said {
                    self.token.text.push_str(term);
                }
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
        fn what_was_spared_is_what_the_whole_has_more_than_body_and_aside(
            pages in prop::collection::vec(prop::collection::vec(("(run|runs|Running|_b|a| |界|é){1,5}", "b|p", 0u8..3), 1..8), 1..4),
        ) {
            let language: Language = "en".parse().unwrap();
            let mut remembering = Remembering::new(language);
            for pieces in pages {
                let html: String = pieces.iter().map(|(text, tag, _)| format!("<{tag}>{text}</{tag}>")).collect();
                let page = parse_html(&html);
                let mut mask = Mask::keep_all(page.piece_count());
                for piece in 0..page.piece_count() {
                    match pieces[piece % pieces.len()].2 {
                        0 => {}
                        1 => mask.set_aside(piece..piece + 1, Reason::Outside),
                        _ => mask.drop(piece..piece + 1, Reason::Chunk { pages: 2, of: 2, threshold: 2 }),
                    }
                }
                let whole = page.text_where(|_| true);
                let (body, aside) = (page.text_where(|piece| mask.keeps(piece)), page.text_where(|piece| mask.is_aside(piece)));
                let left_out = LeftOut::of(&page, &mask);
                let text = String::new();
                let document = Document { id: text.clone(), url: text.clone(), title: text, body, aside, ..Document::default() };
                for text in [&document.title, &document.aside, &document.body] {
                    if !text.is_empty() || *text == document.body {
                        tokens(&mut remembering, text);
                    }
                }
                let left = distinct(language, &document.body) + distinct(language, &document.aside);
                let expected = distinct(language, &whole) - left;
                let apart = left_out.as_ref().map_or(0, |left_out| spared(language, &document, left_out));
                prop_assert_eq!(left_out.map_or(0, |left_out| remembering.spared(&document, &left_out)), expected);
                prop_assert_eq!(apart, expected);
            }
        }
    }
}

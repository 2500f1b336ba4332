//! The vocabulary of a segment that is being written.
//!
//! It serves two ends. Words come again and again, so the term of each is remembered and few are stemmed twice. And it
//! knows which terms the last two texts had, so what a page would have had, had it not been stripped, is counted
//! without cutting what is left of it into words again.
//!
//! What stripping saves of a page is the number of different terms of its whole text, which is what `none` would index, less
//! those of its body and less those of what is set aside. A term that is in both is two postings, so a page of which nothing is dropped may
//! save less than nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use xxhash_rust::xxh3::xxh3_64;

use super::segments::Layout;
use super::words::{Language, Lexeme, Lexer, Normaliser, is_in_word};
use unhusk_documents::extract::Document;
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::{Join, Page};
use unhusk_strip::strip::{Aside, Mask};

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
    aside: Aside,
    /// What is still to come of the current document.
    document: Coming,
    scratch: String,
}

/// What is still to come of a document.
#[derive(Default)]
struct Coming {
    /// Its texts; the last of them is the body.
    texts: u32,
    /// What is aside is one of them, right before the body.
    has_field: bool,
    /// Words of the page that are in none of them.
    unsearched: u32,
    /// What is searched behind the body.
    aside: String,
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
    fn new(language: Language, aside: Aside) -> Self {
        Vocabulary {
            normaliser: Normaliser::new(language),
            words: Vec::new(),
            word_places: HashedMap::default(),
            terms: Vec::new(),
            term_places: HashedMap::default(),
            lines: HashedMap::default(),
            count: Count::default(),
            before: 0,
            aside,
            document: Coming::default(),
            scratch: String::new(),
        }
    }

    /// Lets words go where there are many. Not between texts of one document, whose terms are compared.
    fn start_document(&mut self, document: &Document) {
        let has_field = self.has_field(document);
        let aside = if has_field { String::new() } else { document.aside.clone() };
        self.document = Coming { texts: 2 + u32::from(has_field), has_field, unsearched: document.unsearched, aside };
        if self.words.len() + self.lines.len() > REMEMBERED {
            self.words.clear();
            self.word_places.clear();
            self.terms.clear();
            self.term_places.clear();
            self.lines.clear();
        }
    }

    /// Whether a document has a field for what is aside, before its body.
    fn has_field(&self, document: &Document) -> bool {
        self.aside == Aside::Demote && !document.aside.is_empty()
    }

    /// The next text of the document begins. Of the body: how many words it is longer by than it says, and the terms of what is searched
    /// behind it.
    fn start_next(&mut self) -> (u32, Vec<u32>) {
        let in_aside = if self.document.has_field { self.count.words } else { 0 };
        self.start_text();
        self.document.texts = self.document.texts.saturating_sub(1);
        if self.document.texts > 0 {
            return (0, Vec::new());
        }
        let Coming { unsearched, aside, .. } = std::mem::take(&mut self.document);
        let terms: Vec<u32> =
            Lexer::new(&aside).filter_map(|lexeme| self.term(&aside, &lexeme)).map(|term| term as u32).collect();
        for &term in &terms {
            self.count.see(&mut self.terms[term as usize]);
        }
        (unsearched + in_aside, terms)
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
    pub(super) fn new(layout: &Layout) -> Self {
        Remembering(Arc::new(Mutex::new(Vocabulary::new(layout.language, layout.aside))))
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
        let has_aside = vocabulary.has_field(document);
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
pub fn spared(layout: &Layout, document: &Document, left_out: &LeftOut) -> i64 {
    let words = Remembering::new(layout);
    let is_apart = words.vocabulary().has_field(document);
    if is_apart {
        words.vocabulary().note_all(&document.aside);
    }
    let searched = if is_apart { document.body.clone() } else { format!("{}\n{}", document.body, document.aside) };
    words.vocabulary().note_all(&searched);
    words.spared(document, left_out)
}

/// How many words of its page a document does not have, for one that is not being written.
pub fn words_left_out(layout: &Layout, document: &Document, left_out: &LeftOut) -> u32 {
    Remembering::new(layout).words_left_out(document, left_out)
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
        let (unsearched, mut behind) = vocabulary.start_next();
        behind.reverse();
        RememberedStream {
            text,
            lexer: Lexer::new(text),
            vocabulary,
            unsearched,
            behind,
            next: 0,
            token: Token::default(),
        }
    }
}

/// The terms of a text as Tantivy takes them.
pub(super) struct RememberedStream<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    vocabulary: MutexGuard<'a, Vocabulary>,
    /// Words that are part of its length and not searched; they come first.
    unsearched: u32,
    /// The terms that come behind the text, the last first.
    behind: Vec<u32>,
    /// The position of the next of these.
    next: usize,
    token: Token,
}

impl TokenStream for RememberedStream<'_> {
    fn advance(&mut self) -> bool {
        self.token.text.clear();
        if self.unsearched > 0 {
            self.unsearched -= 1;
            // All in one place: then they take next to nothing in the list of positions.
            self.token.position = 0;
            return true;
        }
        for lexeme in self.lexer.by_ref() {
            if let Some(term) = self.vocabulary.note(self.text, &lexeme) {
                self.token.text.push_str(term);
                self.token.offset_from = lexeme.start;
                self.token.offset_to = lexeme.end;
                self.token.position = lexeme.position;
                // A gap, so that no phrase goes on from the text into what is behind it.
                self.next = lexeme.position + 2;
                return true;
            }
        }
        let Some(term) = self.behind.pop() else { return false };
        self.token.text.push_str(&self.vocabulary.terms[term as usize].text);
        self.token.position = self.next;
        self.next += 1;
        true
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
    use super::super::schema::Fields;
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

    fn layout(aside: Aside) -> Layout {
        Layout { fields: Fields::new(true, aside), language: "en".parse().unwrap(), aside }
    }

    fn aside_has_field(layout: &Layout, document: &Document) -> bool {
        layout.aside == Aside::Demote && !document.aside.is_empty()
    }

    fn distinct(language: Language, text: &str) -> i64 {
        let terms: HashSet<String> = Words::new(language).terms(text).into_iter().map(|(_, term)| term).collect();
        terms.len() as i64
    }

    proptest! {
        #[test]
        fn remembered_words_have_the_terms_of_others(texts in prop::collection::vec("([Rr]un(s|ning)?|a_b|A_B|[a-c]|界|[ .:]){0,30}", 1..6)) {
            let language: Language = "en".parse().unwrap();
            let mut remembering = Remembering::new(&layout(Aside::Keep));
            for text in &texts {
                prop_assert_eq!(tokens(&mut remembering, text), tokens(&mut Words::new(language), text));
            }
        }

        #[test]
        fn what_was_spared_is_what_the_whole_has_more_than_body_and_aside(
            pages in prop::collection::vec(prop::collection::vec(("(run|runs|Running|_b|a| |界|é){1,5}", "b|p", 0u8..3), 1..8), 1..4),
            aside in prop::sample::select(&[Aside::Keep, Aside::Demote]),
        ) {
            let layout = layout(aside);
            let language = layout.language;
            let mut remembering = Remembering::new(&layout);
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
                let mut document = Document { body, aside, ..Document::default() };
                document.unsearched = left_out.as_ref().map_or(0, |left_out| remembering.words_left_out(&document, left_out));
                let is_apart = aside_has_field(&layout, &document);
                remembering.start_document(&document);
                tokens(&mut remembering, &document.title);
                if is_apart {
                    tokens(&mut remembering, &document.aside);
                }
                let body = tokens(&mut remembering, &document.body);
                let length = Words::new(language).terms(&whole).len();
                prop_assert!(body.len() >= length, "a page stays as long as it is");
                let both = format!("{}\n{}", document.body, document.aside);
                let left = match is_apart {
                    true => distinct(language, &document.body) + distinct(language, &document.aside),
                    false => distinct(language, &both),
                };
                let expected = distinct(language, &whole) - left;
                let apart = left_out.as_ref().map_or(0, |left_out| spared(&layout, &document, left_out));
                prop_assert_eq!(left_out.map_or(0, |left_out| remembering.spared(&document, &left_out)), expected);
                prop_assert_eq!(apart, expected);
            }
        }
    }
}

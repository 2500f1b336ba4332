//! What is compared: a page as a sequence of lines, or of tags and words.
//!
//! The paper compares lines and leaves tokens as an idea. Lines need no parsing, but a minified page has one line,
//! which is either equal to its peer's or not. Tokens work there: start tags (with `id` and `class`), words, end tags.
//! A piece of text is template when its line is common, or when all of its words are.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use unhusk_pages::parse::{Join, Page};

/// A line is a unit no more when it holds more blocks than this.
const BLOCKS: usize = 8;

/// Seeds that keep a tag from being taken for a word.
const START_TAG: u64 = 1;
const END_TAG: u64 = 2;

/// What two pages are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Source lines.
    Line,
    /// Tags and words.
    Token,
}

/// How the unit is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum UnitRule {
    /// Source lines, as in the paper
    Line,
    /// Tags and words
    Token,
    /// Tags and words where most of a page's text is on lines that hold many blocks; lines elsewhere
    #[default]
    Auto,
}

impl UnitRule {
    /// The unit a page is compared by.
    pub fn unit(self, page: &Page) -> Unit {
        match self {
            UnitRule::Line => Unit::Line,
            UnitRule::Token => Unit::Token,
            UnitRule::Auto if lines_are_crowded(page) => Unit::Token,
            UnitRule::Auto => Unit::Line,
        }
    }
}

/// Whether most of the text is on lines that hold more than [`BLOCKS`] blocks. A long paragraph on one line is a good
/// unit; a menu, an article and a footer on one line are not.
fn lines_are_crowded(page: &Page) -> bool {
    let mut crowded = 0;
    let (mut line, mut blocks, mut bytes) = (u32::MAX, 0, 0);
    for view in page.pieces() {
        if view.piece.line != line {
            crowded += if blocks > BLOCKS { bytes } else { 0 };
            (line, blocks, bytes) = (view.piece.line, 0, 0);
        }
        blocks += usize::from(view.piece.join == Join::Break);
        bytes += view.text.len();
    }
    crowded += if blocks > BLOCKS { bytes } else { 0 };
    2 * crowded > page.text_bytes()
}

/// A page as tags and words, by hash.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<u64>,
    /// For each piece, one past the last of its words in `tokens`, and how many words it has.
    words: Vec<(u32, u32)>,
}

impl Tokens {
    pub(super) fn of(page: &Page) -> Self {
        let mut stream = Tokens::default();
        let mut signs = Signs::default();
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (number, element) in (0..).zip(&page.elements) {
            while let Some((inner, sign)) = open.pop_if(|(inner, _)| page.elements[*inner as usize].end <= number) {
                stream.close(page, inner, signs.get(page, inner, sign).1);
            }
            stream.pieces_before(page, element.first_piece);
            stream.tokens.push(signs.get(page, number, element.sign).0);
            open.push((number, element.sign));
        }
        while let Some((inner, sign)) = open.pop() {
            stream.close(page, inner, signs.get(page, inner, sign).1);
        }
        stream.pieces_before(page, page.piece_count() as u32);
        stream
    }

    fn close(&mut self, page: &Page, element: u32, tag: u64) {
        self.pieces_before(page, page.elements[element as usize].end_piece);
        self.tokens.push(tag);
    }

    /// The words of the pieces up to `end` that are not there yet.
    fn pieces_before(&mut self, page: &Page, end: u32) {
        for number in self.words.len()..end as usize {
            let before = self.tokens.len();
            self.tokens.extend(page.piece(number).text.split(' ').map(|word| xxh3_64(word.as_bytes())));
            self.words.push((self.tokens.len() as u32, (self.tokens.len() - before) as u32));
        }
    }

    /// Whether all words of a piece are marked.
    pub(super) fn all_marked(&self, piece: usize, marks: &[bool]) -> bool {
        let (end, words) = self.words[piece];
        marks[(end - words) as usize..end as usize].iter().all(|&marked| marked)
    }
}

/// The hashes of a page's start and end tags, each taken once.
#[derive(Default)]
struct Signs(Vec<Option<(u64, u64)>>);

impl Signs {
    fn get(&mut self, page: &Page, element: u32, sign: u32) -> (u64, u64) {
        let sign = sign as usize;
        if self.0.len() <= sign {
            self.0.resize(sign + 1, None);
        }
        *self.0[sign].get_or_insert_with(|| {
            let sign = page.sign(element);
            let end = xxh3_64_with_seed(sign.tag.as_bytes(), END_TAG);
            let start = [sign.tag, sign.id, sign.class]
                .iter()
                .fold(START_TAG, |seed, part| xxh3_64_with_seed(part.as_bytes(), seed));
            (start, end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unhusk_pages::parse::parse_html;

    #[test]
    fn tags_and_words_come_in_the_order_of_the_source() {
        let page = parse_html("<body><p class=a>one two</p>three<p>one");
        let stream = Tokens::of(&page);
        // html, head, /head, body, p.a, one, two, /p, three, p, one, /p, /body, /html
        assert_eq!(stream.tokens.len(), 14);
        let t = &stream.tokens;
        assert_eq!(t[5], t[10]);
        assert_eq!(t[7], t[11]);
        assert_ne!(t[4], t[9]);
        assert_eq!(stream.words, [(7, 2), (9, 1), (11, 1)]);
    }

    #[test]
    fn a_tag_is_not_the_word_of_its_name() {
        let tag = Tokens::of(&parse_html("<p>"));
        let word = Tokens::of(&parse_html("p"));
        assert!(word.tokens.iter().filter(|token| tag.tokens.contains(token)).count() < word.tokens.len());
        assert_eq!(word.tokens.len(), tag.tokens.len() - 1);
    }

    #[test]
    fn auto_takes_tokens_where_one_line_holds_the_page() {
        let blocks: String = (0..20).map(|n| format!("<p>paragraph {n}</p>")).collect();
        assert_eq!(UnitRule::Auto.unit(&parse_html(&blocks)), Unit::Token);
        assert_eq!(UnitRule::Auto.unit(&parse_html(&blocks.replace("</p>", "</p>\n"))), Unit::Line);
        let paragraph = format!("<p>{}</p>", "a long <b>paragraph</b> ".repeat(500));
        assert_eq!(UnitRule::Auto.unit(&parse_html(&paragraph)), Unit::Line);
        assert_eq!(UnitRule::Auto.unit(&parse_html("")), Unit::Line);
    }

    proptest::proptest! {
        #[test]
        fn every_piece_has_its_words_and_every_element_two_tags(html in "(<(p|b|div|/p|/div|table|td)>|[a-z]{1,3}| |\n){0,40}") {
            let page = parse_html(&html);
            let stream = Tokens::of(&page);
            let words: usize = page.pieces().map(|view| view.text.split(' ').count()).sum();
            proptest::prop_assert_eq!(stream.words.len(), page.piece_count());
            proptest::prop_assert_eq!(stream.tokens.len(), words + 2 * page.elements.len());
        }
    }
}

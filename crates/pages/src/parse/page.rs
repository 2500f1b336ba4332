//! A parsed page in the compact form every later stage shares.
//!
//! Text lies in one buffer, and pieces, elements and links are small records that point into it and at each
//! other by number. So a page is a handful of allocations, whatever its length, and goes to the spool and
//! back at the speed of copying.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::tags;
use super::words::Sequence;
use crate::field::{Counts, Fields};

/// One page: its text pieces in document order, and the outline they hang in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The document id: unique in its collection.
    pub id: String,
    /// The page's URL; the id where the collection has none.
    pub url: String,
    /// A hash of each source line, without its line end.
    pub lines: Vec<u64>,
    /// Bytes of each source line in the decoded source, with its line end.
    pub line_bytes: Vec<u32>,
    /// The text of the first `title` element, white space folded.
    pub title: String,
    /// Bytes of HTML the page was read from.
    pub source_bytes: u64,
    /// The encoding the page was decoded from, by its standard name.
    pub charset: String,
    /// Elements in document order, the root first.
    pub elements: Vec<Element>,
    /// Links in document order.
    pub links: Vec<Link>,
    /// What the page says about itself, of all who say it.
    pub fields: Fields,
    /// What it says and is not among the fields.
    pub left_out: Counts,
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) signs: Strings,
    pub(super) hrefs: Strings,
}

/// What a page is called: the first fields of [`Page`], which the spool can read without the others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PageName {
    /// The document id.
    pub id: String,
    /// The page's URL.
    pub url: String,
}

/// A page's source lines: the first fields of [`Page`], which the spool can read without the others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PageLines {
    /// The document id.
    pub id: String,
    /// The page's URL.
    pub url: String,
    /// A hash of each source line.
    pub lines: Vec<u64>,
}

/// A run of text from one text node on one source line. White space inside is folded to single spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The element the text is in: an index into [`Page::elements`].
    pub element: u32,
    /// The text node it is part of, counted from the page's start. Pieces of one node differ only in line.
    pub node: u32,
    /// Source line, counted from 0.
    pub line: u32,
    /// First byte in the decoded source.
    pub start: u32,
    /// The byte after the last in the decoded source.
    pub end: u32,
    /// What stands between the piece before and this one.
    pub join: Join,
    /// Its words.
    pub words: Sequence,
    pub(super) text_end: u32,
}

/// What stands between two neighbouring pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Join {
    /// Nothing: `un<b>husk</b>` is one word.
    Glued,
    /// White space.
    Space,
    /// The start or end of a block element.
    Break,
}

/// An element of the page's outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// The enclosing element; the root is its own parent.
    pub parent: u32,
    /// What it looks like: see [`Page::sign`].
    pub sign: u32,
    /// One past the last element inside it.
    pub end: u32,
    /// Pieces before its start tag, so the first piece inside it where there is one.
    pub first_piece: u32,
    /// Pieces before its end tag.
    pub end_piece: u32,
}

/// A link: an `a` or `area` element with an `href`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The element: an index into [`Page::elements`]. The anchor text is its pieces' text.
    pub element: u32,
    pub(super) href: u32,
}

/// What an element looks like: its tag, `id` and `class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sign<'a> {
    /// The tag's name in lower case.
    pub tag: &'a str,
    /// The `id` attribute, or nothing.
    pub id: &'a str,
    /// The `class` attribute with white space folded, or nothing.
    pub class: &'a str,
}

/// A piece together with its text.
#[derive(Clone, Copy, Debug)]
pub struct PieceView<'a> {
    /// The piece's place in the page: `page.piece(number)`.
    pub number: usize,
    /// The record.
    pub piece: &'a Piece,
    /// Its text.
    pub text: &'a str,
}

impl Page {
    /// All pieces, in document order.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = PieceView<'_>> + DoubleEndedIterator {
        (0..self.pieces.len()).map(|number| self.piece(number))
    }

    /// One piece by its number.
    pub fn piece(&self, number: usize) -> PieceView<'_> {
        PieceView { number, piece: &self.pieces[number], text: self.text_of(number..number + 1) }
    }

    /// The text nodes, each as the numbers of its pieces.
    pub fn nodes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut end = 0;
        self.pieces.chunk_by(|a, b| a.node == b.node).map(move |node| {
            let start = end;
            end += node.len();
            start..end
        })
    }

    /// The records of some pieces.
    pub fn records(&self, pieces: Range<usize>) -> &[Piece] {
        &self.pieces[pieces]
    }

    /// The text of neighbouring pieces, without what stands between them.
    pub fn text_of(&self, pieces: Range<usize>) -> &str {
        let end = |piece: usize| if piece == 0 { 0 } else { self.pieces[piece - 1].text_end as usize };
        &self.text[end(pieces.start)..end(pieces.end)]
    }

    /// How many pieces there are.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// Bytes of visible text: all pieces together.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// What an element looks like.
    pub fn sign(&self, element: u32) -> Sign<'_> {
        Sign::unpack(self.signs.get(self.elements[element as usize].sign))
    }

    /// What elements of the page look like: [`Element::sign`] is a place among these.
    pub fn signs(&self) -> impl Iterator<Item = Sign<'_>> {
        (0..self.signs.ends.len() as u32).map(|sign| Sign::unpack(self.signs.get(sign)))
    }

    /// The elements around an element, itself first, the root last.
    pub fn ancestors(&self, element: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = Some(element);
        std::iter::from_fn(move || {
            let current = next?;
            let parent = self.elements[current as usize].parent;
            next = (parent != current).then_some(parent);
            Some(current)
        })
    }

    /// The tag path of an element: `html/body/div/p`.
    pub fn path(&self, element: u32) -> String {
        let mut tags: Vec<&str> = self.ancestors(element).map(|element| self.sign(element).tag).collect();
        tags.reverse();
        tags.join("/")
    }

    /// The nearest block element around an element, which may be the element itself.
    pub fn block(&self, element: u32) -> u32 {
        self.ancestors(element).find(|&element| tags::is_block(self.sign(element).tag)).unwrap_or(0)
    }

    /// Where a link leads, as it stands in the page.
    pub fn href(&self, link: &Link) -> &str {
        self.hrefs.get(link.href)
    }

    /// The text of the pieces that `keep` lets through, joined as a reader sees them: words that were one
    /// word stay one, and blocks stand on lines of their own.
    pub fn text_where(&self, mut keep: impl FnMut(usize) -> bool) -> String {
        let mut text = String::with_capacity(self.text.len() + self.pieces.len());
        let mut join = Join::Glued;
        for view in self.pieces() {
            join = join.max(view.piece.join);
            if !keep(view.number) {
                // What was left out still separates what stands around it.
                join = join.max(Join::Space);
                continue;
            }
            if !text.is_empty() {
                text.push_str(join.as_str());
            }
            text.push_str(view.text);
            join = Join::Glued;
        }
        text
    }
}

impl Page {
    /// Whether all numbers point at something. A page that was parsed is sound; one from a foreign file may be anything.
    pub(crate) fn is_sound(&self) -> bool {
        let (elements, pieces) = (self.elements.len() as u32, self.pieces.len() as u32);
        let element = |(number, element): (usize, &Element)| {
            let parent = if number == 0 { element.parent == 0 } else { (element.parent as usize) < number };
            parent
                && self.signs.has(element.sign)
                && (number as u32) < element.end
                && element.end <= elements
                && element.first_piece <= element.end_piece
                && element.end_piece <= pieces
        };
        let ends = self.pieces.iter().map(|piece| piece.text_end);
        self.signs.is_sound()
            && self.hrefs.is_sound()
            && self.elements.iter().enumerate().all(element)
            && self.pieces.iter().all(|piece| piece.element < elements && piece.start <= piece.end)
            && are_ends(ends, &self.text)
            && self.pieces.last().map_or(0, |piece| piece.text_end) as usize == self.text.len()
            && self.links.iter().all(|link| link.element < elements && self.hrefs.has(link.href))
            && self.line_bytes.len() == self.lines.len()
    }
}

/// Whether these are ends of strings that lie in a text one after the other.
fn are_ends(ends: impl Iterator<Item = u32> + Clone, text: &str) -> bool {
    ends.clone().is_sorted() && ends.clone().all(|end| text.is_char_boundary(end as usize))
}

impl Join {
    /// What is written between the two pieces.
    pub fn as_str(self) -> &'static str {
        match self {
            Join::Glued => "",
            Join::Space => " ",
            Join::Break => "\n",
        }
    }
}

impl<'a> Sign<'a> {
    /// Tabs cannot occur in a tag name, nor in attributes whose white space is folded.
    pub(super) const SEPARATOR: char = '\t';

    fn unpack(packed: &'a str) -> Self {
        let separator = Self::SEPARATOR as u8;
        let (tag, rest) = cut_at(packed, separator);
        let (id, class) = cut_at(rest, separator);
        Sign { tag, id, class }
    }
}

/// What stands before and behind the first such byte, which is ASCII.
fn cut_at(text: &str, byte: u8) -> (&str, &str) {
    let end = text.bytes().position(|other| other == byte).unwrap_or(text.len());
    (&text[..end], text.get(end + 1..).unwrap_or_default())
}

/// Many short strings in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// Appends a string and returns its number.
    pub(super) fn push(&mut self, string: &str) -> u32 {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
        self.ends.len() as u32 - 1
    }

    pub(super) fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.text[start..self.ends[number] as usize]
    }
    fn has(&self, number: u32) -> bool {
        (number as usize) < self.ends.len()
    }

    fn is_sound(&self) -> bool {
        are_ends(self.ends.iter().copied(), &self.text)
    }
}

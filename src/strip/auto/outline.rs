//! A page as the method sees it: places, the texts that stand in them, and the blocks they make up.

use std::ops::Range;

use super::names::{self, Vocabulary};
use crate::parse::words::{and_then, word_hash, words};
use crate::parse::{Join, Page, Sign, tags};

/// A page's places and texts. It does without the page, so that many fit into memory.
pub(super) struct Outline {
    /// The page's elements.
    pub(super) spots: Vec<Spot>,
    /// The text nodes that have words, in the page's order.
    pub(super) texts: Vec<Text>,
}

/// An element.
pub(super) struct Spot {
    /// The place it stands in: a hash of the tags, ids and classes from the root to it. Neighbours that look alike, such as the
    /// entries of a list, share a place; and so does the same list on another page.
    pub(super) place: u64,
    /// The enclosing element; the root is its own.
    pub(super) parent: u32,
    /// The texts inside it.
    pub(super) texts: Range<u32>,
    /// What its tag, id and class tell.
    pub(super) looks: Looks,
}

/// What an element's tag, id and class tell about its text.
#[derive(Clone, Copy, Default)]
pub(super) struct Looks {
    /// It stands on lines of its own.
    pub(super) block: bool,
    /// It is a heading.
    pub(super) heading: bool,
    /// It is a link, or inside one.
    pub(super) link: bool,
    /// It is something to fill in or press, or inside it.
    pub(super) control: bool,
    /// What it is called, where that is a name for furniture.
    pub(super) furniture: Option<&'static str>,
}

/// A text node.
pub(super) struct Text {
    /// Its place: that of its element.
    pub(super) place: u64,
    /// A hash of its words.
    pub(super) hash: u64,
    /// Words, at least one. Scripts that do not separate words count by the character.
    pub(super) words: u32,
    /// Its element.
    pub(super) element: u32,
    /// Its pieces.
    pub(super) pieces: Range<u32>,
    /// It begins a block.
    pub(super) begins: bool,
    /// It ends in a colon: it says what the next text is.
    pub(super) colon: bool,
}

impl Outline {
    /// Reads a page. Ids and classes the vocabulary does not know are left out of places.
    pub(super) fn of(page: &Page, vocabulary: &Vocabulary) -> Self {
        let texts = texts(page);
        let mut spots: Vec<Spot> = Vec::with_capacity(page.elements.len());
        let mut signs = Signs { page, vocabulary, known: Vec::new() };
        for (number, element) in page.elements.iter().enumerate() {
            let (sign, own) = signs.look_up(element.sign, number as u32);
            let (around, looks) = match spots.get(element.parent as usize) {
                Some(parent) => (parent.place, own.inside(parent.looks)),
                None => (0, own),
            };
            let inside = |piece: u32| texts.partition_point(|text| text.pieces.start < piece) as u32;
            spots.push(Spot {
                place: and_then(around, sign),
                parent: element.parent,
                texts: inside(element.first_piece)..inside(element.end_piece),
                looks,
            });
        }
        let mut outline = Outline { spots, texts };
        for text in &mut outline.texts {
            text.place = outline.spots[text.element as usize].place;
        }
        outline
    }

    /// Whether a text is part of a link.
    pub(super) fn is_link(&self, text: &Text) -> bool {
        self.spots[text.element as usize].looks.link
    }

    /// The name of furniture that an element has, or one around it; only names inside of `root` count, where the element is
    /// inside of it.
    pub(super) fn furniture(&self, mut element: u32, root: u32) -> Option<&'static str> {
        while element != root {
            let spot = &self.spots[element as usize];
            if spot.looks.furniture.is_some() || spot.parent == element {
                return spot.looks.furniture;
            }
            element = spot.parent;
        }
        None
    }

    /// The nearest block element around an element, which may be itself.
    pub(super) fn block(&self, mut element: u32) -> u32 {
        while !self.spots[element as usize].looks.block && self.spots[element as usize].parent != element {
            element = self.spots[element as usize].parent;
        }
        element
    }
}

impl Looks {
    fn of(sign: Sign<'_>) -> Self {
        Looks {
            block: tags::is_block(sign.tag),
            heading: matches!(sign.tag, "h1" | "h2" | "h3"),
            link: sign.tag == "a",
            control: matches!(sign.tag, "textarea" | "button" | "select"),
            furniture: names::furniture(sign),
        }
    }

    /// The same inside another element.
    fn inside(self, around: Looks) -> Self {
        Looks { link: self.link || around.link, control: self.control || around.control, ..self }
    }
}

/// The signs of a page, each looked at once.
struct Signs<'a> {
    page: &'a Page,
    vocabulary: &'a Vocabulary,
    known: Vec<Option<(u64, Looks)>>,
}

impl Signs<'_> {
    fn look_up(&mut self, sign: u32, element: u32) -> (u64, Looks) {
        let at = sign as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        *self.known[at].get_or_insert_with(|| {
            let sign = self.page.sign(element);
            (self.vocabulary.hash(sign), Looks::of(sign))
        })
    }
}

/// The text nodes that have words. Their places are filled in later.
fn texts(page: &Page) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut begins = true;
    let mut at = 0;
    while at < page.piece_count() {
        let first = page.piece(at).piece;
        let (mut end, mut hash, mut count) = (at, 0, 0);
        while end < page.piece_count() && page.piece(end).piece.node == first.node {
            let view = page.piece(end);
            begins |= view.piece.join == Join::Break;
            for word in words(view.text) {
                hash = and_then(hash, word_hash(word));
                count += 1 + unspaced(word) / 2;
            }
            end += 1;
        }
        if count > 0 {
            let colon = page.piece(end - 1).text.trim_end().ends_with([':', '：']);
            let pieces = at as u32..end as u32;
            texts.push(Text { place: 0, hash, words: count, element: first.element, pieces, begins, colon });
            begins = false;
        }
        at = end;
    }
    texts
}

/// Characters of scripts that do not separate words.
fn unspaced(word: &str) -> u32 {
    if word.is_ascii() { 0 } else { word.chars().filter(|&c| c as u32 >= 0x2E80).count() as u32 }
}

/// Texts that stand on lines of their own, with what is left of them.
pub(super) struct Block {
    /// Its texts.
    pub(super) texts: Range<usize>,
    /// The block element it is in.
    pub(super) element: u32,
    /// Words that are not certain.
    pub(super) words: u32,
    /// Of these, words in links.
    pub(super) linked: u32,
    /// Of these, words outside of links in texts that few pages have.
    pub(super) own: u32,
    /// It begins with a label: a text that ends in a colon, or that is certain and no link.
    pub(super) label: bool,
}

impl Block {
    /// Own words from which a block is prose and not a caption or a value.
    const PROSE: u32 = 12;

    /// Whether it is running text that this page has for itself.
    pub(super) fn is_prose(&self) -> bool {
        self.own >= Self::PROSE && 2 * self.linked <= self.words
    }

    /// Whether links make up most of it.
    pub(super) fn is_linked(&self) -> bool {
        5 * self.linked > 3 * self.words
    }
}

/// The blocks of a page. `certain` and `common` tell about its texts.
pub(super) fn blocks(outline: &Outline, certain: &[bool], common: impl Fn(&Text) -> bool) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, text) in outline.texts.iter().enumerate() {
        if text.begins || blocks.is_empty() {
            let element = outline.block(text.element);
            blocks.push(Block { texts: number..number, element, words: 0, linked: 0, own: 0, label: false });
        }
        let Some(block) = blocks.last_mut() else { continue };
        block.texts.end = number + 1;
        let link = outline.is_link(text);
        block.label |= block.words == 0 && (text.colon || (certain[number] && !link));
        if certain[number] {
            continue;
        }
        block.words += text.words;
        if link {
            block.linked += text.words;
        } else if !common(text) {
            block.own += text.words;
        }
    }
    blocks
}

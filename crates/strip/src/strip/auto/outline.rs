//! A page as the method sees it: places, the texts that stand in them, and the blocks they make up.

use std::ops::Range;

use super::names::{self, Vocabulary};
use crate::strip::Reason;
use unhusk_pages::parse::words::{Sequence, and_then, words};
use unhusk_pages::parse::{Join, Page, Sign, tags};

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
    /// It is a link to another page, or inside one.
    pub(super) link: bool,
    /// It is something to fill in or press, or inside it.
    pub(super) control: bool,
    /// It is a field to write in, or inside it.
    pub(super) writing: bool,
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
    /// A colon follows it or ends it: it says what the next text is.
    pub(super) colon: bool,
    /// What it is written with.
    pub(super) writing: Writing,
}

/// What a text is written with: prose has stops and commas, a table has digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Writing {
    /// Ends of sentences.
    pub(super) stops: u32,
    /// Commas.
    pub(super) commas: u32,
    /// Digits.
    pub(super) digits: u32,
    /// Bytes.
    pub(super) bytes: u32,
}

impl Writing {
    fn of(text: &str) -> Self {
        let count = |wanted: fn(&u8) -> bool| text.bytes().filter(wanted).count() as u32;
        let mut writing = Writing {
            stops: count(|byte| matches!(byte, b'.' | b'!' | b'?')),
            commas: count(|byte| *byte == b','),
            digits: count(u8::is_ascii_digit),
            bytes: text.len() as u32,
        };
        if !text.is_ascii() {
            writing.stops += text.chars().filter(|c| matches!(c, '。' | '！' | '？')).count() as u32;
            writing.commas += text.chars().filter(|c| matches!(c, '，' | '、')).count() as u32;
        }
        writing
    }

    /// Both together.
    pub(super) fn and(self, other: Writing) -> Self {
        Writing {
            stops: self.stops + other.stops,
            commas: self.commas + other.commas,
            digits: self.digits + other.digits,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// A page's elements and texts before it is known which ids and classes name places.
pub(super) struct Sight {
    elements: Vec<Seen>,
    signs: Vec<SignSeen>,
    names: Vec<u64>,
    texts: Vec<Text>,
}

/// An element, and the texts inside it.
struct Seen {
    parent: u32,
    sign: u32,
    texts: Range<u32>,
    /// It is a link to another page.
    link: bool,
}

/// What an element looks like: its names are hashes in [`Sight::names`].
#[derive(Clone, Default)]
struct SignSeen {
    tag: u64,
    names: Range<u32>,
    looks: Looks,
}

impl Sight {
    /// Reads a page.
    pub(super) fn of(page: &Page) -> Self {
        let (texts, before) = texts(page);
        let mut sight =
            Sight { elements: Vec::with_capacity(page.elements.len()), signs: Vec::new(), names: Vec::new(), texts };
        let mut links = page.links.iter().peekable();
        for (number, element) in page.elements.iter().enumerate() {
            // Signs are numbered as they turn up, so each is new once.
            if element.sign as usize >= sight.signs.len() {
                sight.signs.resize(element.sign as usize, SignSeen::default());
                sight.read_sign(page.sign(number as u32));
            }
            let texts = before[element.first_piece as usize]..before[element.end_piece as usize];
            let link = links.next_if(|link| link.element == number as u32);
            let link = link.is_some_and(|link| leads_away(page.href(link), &page.url));
            sight.elements.push(Seen { parent: element.parent, sign: element.sign, texts, link });
        }
        sight
    }

    fn read_sign(&mut self, sign: Sign<'_>) {
        let from = self.names.len() as u32;
        self.names.extend(names::of(sign));
        let names = from..self.names.len() as u32;
        self.signs.push(SignSeen { tag: names::tag(sign), names, looks: Looks::of(sign) });
    }

    /// The text nodes that have words; their places are not known yet.
    pub(super) fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// Hashes of all ids and classes on the page, some of them several times.
    pub(super) fn names(&self) -> &[u64] {
        &self.names
    }

    /// The page's places. Ids and classes the vocabulary does not know are left out of them.
    pub(super) fn outline(self, vocabulary: &Vocabulary) -> Outline {
        let known = |sign: &SignSeen| {
            let names = &self.names[sign.names.start as usize..sign.names.end as usize];
            (vocabulary.hash(sign.tag, names), sign.looks)
        };
        let signs: Vec<(u64, Looks)> = self.signs.iter().map(known).collect();
        let mut spots: Vec<Spot> = Vec::with_capacity(self.elements.len());
        for element in self.elements {
            let (sign, looks) = signs[element.sign as usize];
            let own = Looks { link: element.link, ..looks };
            let (around, looks) = match spots.get(element.parent as usize) {
                Some(parent) => (parent.place, own.inside(parent.looks)),
                None => (0, own),
            };
            spots.push(Spot { place: and_then(around, sign), parent: element.parent, texts: element.texts, looks });
        }
        let mut texts = self.texts;
        for text in &mut texts {
            text.place = spots[text.element as usize].place;
        }
        Outline { spots, texts }
    }
}

impl Text {
    /// Its words on the page it is of, as they are written.
    pub(super) fn said<'p>(&self, page: &'p Page) -> impl Iterator<Item = &'p str> + use<'p> {
        (self.pieces.start as usize..self.pieces.end as usize).flat_map(move |piece| words(page.piece(piece).text))
    }
}

impl Outline {
    /// Whether a text is part of a link.
    pub(super) fn is_link(&self, text: &Text) -> bool {
        self.spots[text.element as usize].looks.link
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
            heading: matches!(sign.tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6"),
            link: false,
            control: matches!(sign.tag, "textarea" | "button" | "select"),
            writing: sign.tag == "textarea",
        }
    }

    /// The same inside another element.
    fn inside(self, around: Looks) -> Self {
        Looks {
            link: self.link || around.link,
            control: self.control || around.control,
            writing: self.writing || around.writing,
            ..self
        }
    }
}

/// Whether a link leads to another page: not to a place on the same one, and not to a script.
fn leads_away(href: &str, url: &str) -> bool {
    let page = |address: &str| -> usize { address.find('#').unwrap_or(address.len()) };
    let (there, here) = (href[..page(href)].trim(), url[..page(url)].trim());
    let name = here.rsplit('/').next().unwrap_or_default();
    let is_script = there.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
    !there.is_empty() && !is_script && there != here && there != name
}

/// What stands between a label and its value.
const COLONS: [char; 2] = [':', '：'];

/// The text nodes that have words, and for each piece how many of them begin before it. Their places are filled in later.
fn texts(page: &Page) -> (Vec<Text>, Vec<u32>) {
    let mut texts: Vec<Text> = Vec::with_capacity(page.piece_count());
    let mut before = Vec::with_capacity(page.piece_count() + 1);
    let mut begins = true;
    for node in page.nodes() {
        let mut words = Sequence::default();
        for piece in page.records(node.clone()) {
            begins |= piece.join == Join::Break;
            before.push(texts.len() as u32);
            words = words.then(piece.words);
        }
        // The colon of a label may stand behind its element: "<b>Type</b>: Schooner".
        if let Some(label) = texts.last_mut().filter(|_| page.text_of(node.clone()).trim_start().starts_with(COLONS)) {
            label.colon = true;
        }
        if words.words > 0 {
            texts.push(text(page, node, words, begins));
            begins = false;
        }
    }
    before.push(texts.len() as u32);
    (texts, before)
}

/// The text node of these pieces, which has these words.
fn text(page: &Page, pieces: Range<usize>, words: Sequence, begins: bool) -> Text {
    let said = page.text_of(pieces.clone());
    Text {
        place: 0,
        hash: words.hash,
        words: words.words + unspaced(said) / 2,
        element: page.piece(pieces.start).piece.element,
        colon: said.trim_end().ends_with(COLONS),
        pieces: pieces.start as u32..pieces.end as u32,
        begins,
        writing: Writing::of(said),
    }
}

/// Characters of scripts that do not separate words.
fn unspaced(text: &str) -> u32 {
    if text.is_ascii() {
        return 0;
    }
    words(text).flat_map(str::chars).filter(|&c| c as u32 >= 0x2E80).count() as u32
}

/// Texts that stand on lines of their own, with what is left of them.
pub(super) struct Block {
    /// Its texts.
    pub(super) texts: Range<usize>,
    /// The block element it is in.
    pub(super) element: u32,
    /// Words that the pages do not share word for word.
    pub(super) words: u32,
    /// Of these, words in links.
    pub(super) linked: u32,
    /// Of these, words outside of links in texts that few pages have.
    pub(super) own: u32,
    /// Words that the pages share word for word.
    pub(super) shared: u32,
    /// What its own texts are written with.
    pub(super) writing: Writing,
    /// It begins with a label: a text that ends in a colon, or that is certain and no link.
    pub(super) label: bool,
}

impl Block {
    /// Own words from which a block is prose and not a caption or a value.
    const PROSE: u32 = 12;

    fn new(text: usize, element: u32) -> Self {
        Block {
            texts: text..text,
            element,
            words: 0,
            linked: 0,
            own: 0,
            shared: 0,
            writing: Writing::default(),
            label: false,
        }
    }

    /// Whether it is running text that this page has for itself.
    pub(super) fn is_prose(&self) -> bool {
        self.own >= Self::PROSE && 2 * self.linked <= self.words
    }

    /// Whether links make up most of it.
    pub(super) fn is_linked(&self) -> bool {
        5 * self.linked > 3 * self.words
    }
}

/// The blocks of a page. The others tell about its texts: which are certain, which are dropped, which are on many pages.
pub(super) fn blocks(
    outline: &Outline,
    certain: &[bool],
    dropped: &[Option<Reason>],
    common: impl Fn(&Text) -> bool,
) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, text) in outline.texts.iter().enumerate() {
        if text.begins || blocks.is_empty() {
            let element = outline.block(text.element);
            blocks.push(Block::new(number, element));
        }
        let Some(block) = blocks.last_mut() else { continue };
        block.texts.end = number + 1;
        let link = outline.is_link(text);
        block.label |= block.words == 0 && (text.colon || (certain[number] && !link));
        if dropped[number].is_some() {
            block.shared += text.words;
            continue;
        }
        block.writing = block.writing.and(text.writing);
        block.words += text.words;
        if link {
            block.linked += text.words;
        } else if !common(text) {
            block.own += text.words;
        }
    }
    blocks
}

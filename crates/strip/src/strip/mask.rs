//! The answer every method gives.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::sandwich::Unit;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// For each piece of a page: kept, or set aside or dropped with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    marks: Vec<Mark>,
}

/// What happens to one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is content.
    Kept,
    /// It is the page's own, but not what the page is about.
    Aside(Reason),
    /// It is template.
    Dropped(Reason),
}

impl Mark {
    /// Why it is not content; none where it is.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Mark::Kept => None,
            Mark::Aside(reason) | Mark::Dropped(reason) => Some(reason),
        }
    }
}

/// What becomes of text that is set aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aside {
    /// It leaves the index, as templates do.
    Drop,
    /// It has a field of its own, which counts less.
    Demote,
    /// It is searched like the content, and shown apart from it.
    #[default]
    Keep,
}

impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aside::Drop => "drop",
            Aside::Demote => "demote",
            Aside::Keep => "keep",
        })
    }
}

impl FromStr for Aside {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Aside::Drop, Aside::Demote, Aside::Keep].into_iter().find(|aside| aside.to_string() == name);
        known.ok_or_else(|| format!("cannot '{name}' what is aside: choose drop, demote or keep"))
    }
}

/// Why a piece is not content. Displayed, it is a sentence a person can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// Its chunk is on many pages.
    Chunk {
        /// Pages that have the chunk.
        pages: u32,
        /// Pages in scope.
        of: u32,
        /// Pages it has to be on.
        threshold: u32,
    },
    /// It is in the longest common subsequence with another page (`sandwich`).
    Common {
        /// The other page, counted from 0 in the collection's order.
        peer: PageNo,
        /// What was compared.
        unit: Unit,
    },
    /// It is in the same place on most pages of its layout (`cluster`).
    Path {
        /// The layout, counted from 1.
        cluster: u32,
        /// Pages of it that have this text there.
        pages: u32,
        /// Pages of it.
        of: u32,
    },
    /// Its place holds it for certain (`auto`).
    Certain {
        /// Pages that have the text there.
        pages: u32,
        /// Pages that have the place.
        of: u32,
    },
    /// It is in an element that the pages of a section have, word for word (`auto`).
    Repeated {
        /// Pages that have the element.
        pages: u32,
        /// Pages learned from.
        of: u32,
    },
    /// It is part of the way to this page, or leads to the page before or after (`auto`).
    Way,
    /// It tells about the page as a file: when it was changed, how often it was seen (`auto`).
    Counter,
    /// It is in a list of what is on other pages (`auto`).
    Listing {
        /// Entries of the list.
        entries: u32,
    },
    /// It is not where the site's articles are (`auto`).
    Outside,
    /// It is in the article's place, but links make up most of it (`auto`).
    Links,
    /// It is in something whose id or class is a name for furniture (`auto`).
    Furniture {
        /// The name.
        name: &'static str,
    },
    /// It is part of something to fill in or press (`auto`).
    Control,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Chunk { pages, of, threshold } => {
                write!(f, "this chunk is on {pages} of {of} pages, and {threshold} make a template")
            }
            Reason::Common { peer, unit } => {
                let what = match unit {
                    Unit::Line => "this line is",
                    Unit::Token => "these words are",
                };
                write!(f, "{what} also on page {} of the collection, in the same order", u64::from(peer.0) + 1)
            }
            Reason::Path { cluster, pages, of } => {
                write!(f, "this text is in the same place on {pages} of the {of} pages of cluster {cluster}")
            }
            Reason::Certain { pages, of } => {
                write!(f, "this place holds this text on {pages} of the {of} pages that have the place")
            }
            Reason::Repeated { pages, of } => {
                write!(f, "it is in something that {pages} of {of} pages have word for word in the same place")
            }
            Reason::Way => write!(f, "it leads to this page, or to the page before or after"),
            Reason::Counter => write!(f, "it stands at the end, and only its dates and numbers change"),
            Reason::Listing { entries } => {
                write!(
                    f,
                    "it is in a list of {entries} entries that are headed by links: what they are about is elsewhere"
                )
            }
            Reason::Outside => write!(f, "it is outside of the place where this site has its articles"),
            Reason::Links => write!(f, "links make up most of it"),
            Reason::Furniture { name } => write!(f, "it is in something called \"{name}\""),
            Reason::Control => write!(f, "it is something to fill in or to press"),
        }
    }
}

impl Mask {
    /// A mask that keeps all of a page's pieces.
    pub fn keep_all(pieces: usize) -> Self {
        Mask { marks: vec![Mark::Kept; pieces] }
    }

    /// Marks pieces as template.
    pub fn drop(&mut self, pieces: Range<usize>, reason: Reason) {
        self.marks[pieces].fill(Mark::Dropped(reason));
    }

    /// Marks pieces as the page's own, but not what it is about.
    pub fn set_aside(&mut self, pieces: Range<usize>, reason: Reason) {
        self.marks[pieces].fill(Mark::Aside(reason));
    }

    /// The mask where what is set aside is treated so.
    pub fn treating(mut self, aside: Aside) -> Self {
        for mark in &mut self.marks {
            *mark = match (*mark, aside) {
                (Mark::Aside(reason), Aside::Drop) => Mark::Dropped(reason),
                (mark, _) => mark,
            };
        }
        self
    }

    /// The mark of each piece, in the page's order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Bytes of a page's text that are content.
    pub fn kept_bytes(&self, page: &Page) -> u64 {
        bytes_where(page, |piece| self.keeps(piece))
    }

    /// Bytes of a page's text that are set aside.
    pub fn aside_bytes(&self, page: &Page) -> u64 {
        bytes_where(page, |piece| self.is_aside(piece))
    }

    /// Whether a piece is content.
    pub fn keeps(&self, piece: usize) -> bool {
        self.marks[piece] == Mark::Kept
    }

    /// Whether a piece is set aside.
    pub fn is_aside(&self, piece: usize) -> bool {
        matches!(self.marks[piece], Mark::Aside(_))
    }

    /// Whether a piece is template.
    pub fn drops(&self, piece: usize) -> bool {
        matches!(self.marks[piece], Mark::Dropped(_))
    }
}

fn bytes_where(page: &Page, is_meant: impl Fn(usize) -> bool) -> u64 {
    page.pieces().filter(|view| is_meant(view.number)).map(|view| view.text.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unhusk_pages::parse::parse_html;

    const SHARED: Reason = Reason::Certain { pages: 9, of: 9 };

    /// A mask by the class of each piece: 0 content, 1 aside, 2 template.
    fn mask(classes: &[u8], pieces: usize) -> Mask {
        let mut mask = Mask::keep_all(pieces);
        for piece in 0..pieces {
            match classes[piece % classes.len()] {
                1 => mask.set_aside(piece..piece + 1, Reason::Outside),
                2 => mask.drop(piece..piece + 1, SHARED),
                _ => {}
            }
        }
        mask
    }

    fn words(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn a_piece_is_content_aside_or_template() {
        let page = parse_html("<p>one</p><p>two</p><p>three</p>");
        let mask = mask(&[0, 1, 2], 3);
        assert_eq!(mask.marks(), [Mark::Kept, Mark::Aside(Reason::Outside), Mark::Dropped(SHARED)]);
        assert_eq!([0, 1, 2].map(|piece| mask.keeps(piece)), [true, false, false]);
        assert_eq!([0, 1, 2].map(|piece| mask.is_aside(piece)), [false, true, false]);
        assert_eq!([0, 1, 2].map(|piece| mask.drops(piece)), [false, false, true]);
        assert_eq!((mask.kept_bytes(&page), mask.aside_bytes(&page)), (3, 3));
        assert_eq!(mask.marks().iter().filter_map(|mark| mark.reason()).collect::<Vec<_>>(), [Reason::Outside, SHARED]);
    }

    #[test]
    fn what_is_aside_is_dropped_where_that_is_asked_for() {
        let mask = mask(&[0, 1, 2], 3);
        assert_eq!(mask.clone().treating(Aside::Demote), mask);
        assert_eq!(mask.clone().treating(Aside::Keep), mask);
        let dropped = [Mark::Kept, Mark::Dropped(Reason::Outside), Mark::Dropped(SHARED)];
        assert_eq!(mask.treating(Aside::Drop).marks(), dropped);
    }

    #[test]
    fn what_to_do_with_what_is_aside_is_said_in_a_word() {
        for aside in [Aside::Drop, Aside::Demote, Aside::Keep] {
            assert_eq!(aside.to_string().parse(), Ok(aside));
        }
        assert!("hide".parse::<Aside>().is_err_and(|error| error.contains("drop, demote or keep")));
    }

    proptest! {
        #[test]
        fn every_word_is_content_aside_or_template(
            pieces in prop::collection::vec(("[a-z]{1,4}( [a-z]{1,4})?", 0u8..3), 1..20),
        ) {
            let html: String = pieces.iter().map(|(text, _)| format!("<p>{text}</p>")).collect();
            let classes: Vec<u8> = pieces.iter().map(|(_, class)| *class).collect();
            let page = parse_html(&html);
            let mask = mask(&classes, page.piece_count());
            let text = |is_meant: &dyn Fn(usize) -> bool| page.text_where(is_meant);
            let (content, aside) = (text(&|piece| mask.keeps(piece)), text(&|piece| mask.is_aside(piece)));
            let template = text(&|piece| mask.drops(piece));
            let whole = text(&|_| true);
            let mut parts = [words(&content), words(&aside), words(&template)].concat();
            let mut all = words(&whole);
            parts.sort_unstable();
            all.sort_unstable();
            prop_assert_eq!(parts, all);
        }
    }
}

//! The answer every method gives.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use super::sandwich::Unit;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// For each piece of a page: kept, or dropped with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    marks: Vec<Mark>,
}

/// What happens to one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It goes into the index.
    Kept,
    /// It is template.
    Dropped(Reason),
}

/// Why a piece is template. Displayed, it is a sentence a person can follow.
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

    /// The mark of each piece, in the page's order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Bytes of a page's text that are kept.
    pub fn kept_bytes(&self, page: &Page) -> u64 {
        page.pieces().filter(|view| self.keeps(view.number)).map(|view| view.text.len() as u64).sum()
    }

    /// Whether a piece is kept.
    pub fn keeps(&self, piece: usize) -> bool {
        self.marks[piece] == Mark::Kept
    }
}

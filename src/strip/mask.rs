//! The answer every method gives.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use super::sandwich::Unit;
use crate::parse::Page;
use crate::spool::PageNo;

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

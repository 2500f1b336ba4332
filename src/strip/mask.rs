//! The answer every method gives.

use crate::parse::Page;

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

/// Why a piece is template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {}

impl Mask {
    /// A mask that keeps all of a page's pieces.
    pub fn keep_all(pieces: usize) -> Self {
        Mask { marks: vec![Mark::Kept; pieces] }
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

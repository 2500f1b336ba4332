//! Why pieces of a kept page were set aside or dropped, in the order that the text, the legend and the frame share.

use super::answers::TakenFor;
use unhusk_index::index::kept::KeptPage;
use unhusk_pages::parse::Page;
use unhusk_strip::strip::explain::{Shade, said};

/// The reasons of a page, those it was dropped for before those it was set aside for, the one that took most first, and which piece
/// was taken for which.
pub(super) struct Reasons {
    pub(super) listed: Vec<TakenFor>,
    pieces: Vec<Option<usize>>,
    /// Whether the marks are those of these pieces.
    pub(super) fit: bool,
}

impl Reasons {
    pub(super) fn new(kept: &KeptPage, page: &Page) -> Self {
        let pieces = kept.marks.pieces();
        if pieces.len() != page.piece_count() {
            return Reasons { listed: Vec::new(), pieces: vec![None; page.piece_count()], fit: false };
        }
        let mut bytes = vec![0; kept.marks.reasons.len()];
        for (view, reason) in page.pieces().zip(&pieces) {
            if let Some(bytes) = reason.and_then(|reason| bytes.get_mut(reason as usize)) {
                *bytes += view.text.len() as u64;
            }
        }
        let mut order: Vec<usize> = (0..bytes.len()).collect();
        order.sort_by_key(|&reason| (kept.marks.reasons[reason].aside, std::cmp::Reverse(bytes[reason])));
        let mut place = vec![0; order.len()];
        for (at, &reason) in order.iter().enumerate() {
            place[reason] = at;
        }
        let listed = order.iter().map(|&reason| {
            let known = &kept.marks.reasons[reason];
            TakenFor {
                text: known.text.clone(),
                details: known.details.clone(),
                aside: known.aside,
                bytes: bytes[reason],
            }
        });
        let listed = listed.collect();
        let pieces = pieces.into_iter().map(|reason| reason.and_then(|reason| place.get(reason as usize).copied()));
        Reasons { listed, pieces: pieces.collect(), fit: true }
    }

    /// The number of the reason a piece is not content for; none where it is.
    pub(super) fn of(&self, piece: usize) -> Option<usize> {
        self.pieces[piece]
    }

    /// How a piece that is not content is shown, and with which words.
    pub(super) fn shade(&self, piece: usize) -> Option<(Shade, String)> {
        let number = self.of(piece)?;
        let reason = self.listed.get(number)?;
        let shade = if reason.aside { Shade::Aside } else { Shade::Dropped(number) };
        Some((shade, said(&reason.text, reason.aside)))
    }
}

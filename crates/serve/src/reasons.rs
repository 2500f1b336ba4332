//! Why pieces of a kept page were dropped, in the order that the text, the legend and the frame share.

use super::answers::DroppedFor;
use unhusk_index::index::kept::KeptPage;
use unhusk_pages::parse::Page;

/// The reasons of a page, the one that took most first, and which piece was dropped for which.
pub(super) struct Reasons {
    pub(super) listed: Vec<DroppedFor>,
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
        order.sort_by_key(|&reason| std::cmp::Reverse(bytes[reason]));
        let mut place = vec![0; order.len()];
        for (at, &reason) in order.iter().enumerate() {
            place[reason] = at;
        }
        let listed = order.iter().map(|&reason| {
            let known = &kept.marks.reasons[reason];
            DroppedFor { text: known.text.clone(), details: known.details.clone(), bytes: bytes[reason] }
        });
        let listed = listed.collect();
        let pieces = pieces.into_iter().map(|reason| reason.and_then(|reason| place.get(reason as usize).copied()));
        Reasons { listed, pieces: pieces.collect(), fit: true }
    }

    /// The number of the reason a piece was dropped for; none where it was kept.
    pub(super) fn of(&self, piece: usize) -> Option<usize> {
        self.pieces[piece]
    }
}

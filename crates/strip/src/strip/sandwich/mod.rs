//! `sandwich`: what a page has in common with one other page of its directory is template.
//!
//! Rowlands, Thomas and Wan ("Web Indexing on a Diet", ADCS 2009): pages of a directory are likely to share a template,
//! so compare a page with one of them, its *peer*; the lines in the longest common subsequence are template, all
//! others are kept. A page without a peer is kept whole.
//!
//! The paper drops lines from the source and hands what is left to the indexer. Here the page has been parsed once, as
//! a whole; each piece of text knows its source line, and pieces on common lines are dropped. So no markup is ever cut
//! in half, and half a script never becomes prose.
//!
//! | part | file |
//! |---|---|
//! | groups of pages: directory, host, URL pattern | [`group`](Group) |
//! | the peer of each page | [`peers`](PeerRule) |
//! | the closest name: those near, all others | [`closest`], `near`, `search` with `band` and `distance` |
//! | lines or tokens | [`units`](UnitRule) |
//! | the longest common subsequence | [`lcs`] |
//! | a crawl that is still running | [`crawl`](Crawl) |

mod band;
pub mod closest;
mod crawl;
mod distance;
mod group;
pub mod lcs;
mod matrix;
mod near;
mod peers;
mod search;
mod tally;
#[cfg(test)]
mod tests;
mod units;

pub use crawl::Crawl;
pub use group::Group;
pub use peers::PeerRule;
pub use units::{Unit, UnitRule};

use serde::{Deserialize, Serialize};

use super::{Mask, Means, Model, Pages, Reason, StripError};
use lcs::{Budget, Common, lcs_marks};
use peers::Peers;
use tally::Tally;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::{PageNo, Spool};
use units::Tokens;

/// The method's parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandwich {
    /// Which page of the group a page is compared with.
    pub peer: PeerRule,
    /// What they are compared by.
    pub unit: UnitRule,
    /// Which pages belong together.
    pub group: Group,
}

impl Sandwich {
    /// Finds the peers. Pages are compared when they are marked.
    pub(super) fn learn<'p>(&self, pages: &Pages<'p>, means: Means<'_>) -> Result<Sandwiches<'p>, StripError> {
        let peers = Peers::find(pages, self.peer, self.group, means.threads)?;
        Ok(Sandwiches { spool: pages.spool(), unit: self.unit, peers, tally: Tally::default() })
    }
}

/// The peers of a collection's pages.
#[derive(Debug)]
pub(super) struct Sandwiches<'p> {
    spool: &'p Spool,
    unit: UnitRule,
    peers: Peers,
    tally: Tally,
}

impl Model for Sandwiches<'_> {
    fn mark(&self, number: PageNo, page: &Page) -> Result<Mask, StripError> {
        let Some(peer) = self.peers.get(number) else {
            self.tally.alone(page);
            return Ok(Mask::keep_all(page.piece_count()));
        };
        let slices = match self.unit.unit(page) {
            Unit::Line => Slices::of_lines(page, &self.spool.lines(peer)?.lines),
            Unit::Token => Slices::of_tokens(page, &Tokens::of(&self.spool.page(peer)?).tokens),
        };
        let mask = slices.mask(peer);
        self.tally.compared(page, &slices, &mask);
        Ok(mask)
    }

    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        self.tally.findings(&self.peers)
    }
}

/// What a page has in common with its peer.
#[derive(Debug)]
struct Slices {
    unit: Unit,
    /// For each piece, whether it is common.
    pieces: Vec<bool>,
    /// Bytes of the source that are common: of whole lines, or of pieces where tokens were compared.
    source_bytes: u64,
    exact: bool,
}

impl Slices {
    fn of_lines(page: &Page, peer: &[u64]) -> Self {
        let common = lcs_marks(&page.lines, peer, &Budget::default());
        let lines = page.line_bytes.iter().zip(&common.marks);
        Slices {
            unit: Unit::Line,
            pieces: page.pieces().map(|view| common.marks[view.piece.line as usize]).collect(),
            source_bytes: lines.filter(|(_, marked)| **marked).map(|(&bytes, _)| u64::from(bytes)).sum(),
            exact: common.exact,
        }
    }

    fn of_tokens(page: &Page, peer: &[u64]) -> Self {
        let own = Tokens::of(page);
        let Common { marks, exact, .. } = lcs_marks(&own.tokens, peer, &Budget::default());
        let pieces: Vec<bool> = (0..page.piece_count()).map(|piece| own.all_marked(piece, &marks)).collect();
        let common = page.pieces().filter(|view| pieces[view.number]);
        let source_bytes = common.map(|view| u64::from(view.piece.end - view.piece.start)).sum();
        Slices { unit: Unit::Token, pieces, source_bytes, exact }
    }

    fn mask(&self, peer: PageNo) -> Mask {
        let reason = Reason::Common { peer, unit: self.unit };
        let mut mask = Mask::keep_all(self.pieces.len());
        for (piece, _) in self.pieces.iter().enumerate().filter(|(_, common)| **common) {
            mask.drop(piece..piece + 1, reason);
        }
        mask
    }
}

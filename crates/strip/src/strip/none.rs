//! `none`: nothing is template. The baseline of every comparison.

use super::{Mask, Model, StripError};
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Keeps every piece.
pub(super) struct KeepAll;

impl Model for KeepAll {
    fn mark(&self, _: PageNo, page: &Page) -> Result<Mask, StripError> {
        Ok(Mask::keep_all(page.piece_count()))
    }
}

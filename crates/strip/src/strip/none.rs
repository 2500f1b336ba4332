//! `none`: nothing is template. The baseline of every comparison.

use super::{Mask, Model, StripError};
use crate::parse::Page;
use crate::spool::PageNo;

/// Keeps every piece.
pub(super) struct KeepAll;

impl Model for KeepAll {
    fn mark(&self, _: PageNo, page: &Page) -> Result<Mask, StripError> {
        Ok(Mask::keep_all(page.piece_count()))
    }
}

//! What each page shares with the others is marked, piece by piece.
//!
//! Every method answers the same question with a [`Mask`]: for each piece, kept, or dropped and why. Nothing is
//! rewritten: the index, explanations, highlighted pages and scores all read the same marks.
//!
//! A method that learns sees the pages twice: what it gathers on the first pass is sealed into a [`Model`], and
//! the model marks pages on the second.

mod mask;
mod none;
mod pages;

pub use mask::{Mark, Mask, Reason};
pub use pages::Pages;
pub(crate) use pages::for_each_page;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::parse::Page;
use crate::spool::{PageNo, SpoolError};

/// A method and its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// Keeps everything: the baseline of every comparison.
    None,
}

/// What a method may use while it learns.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Threads, at least one. The result never depends on them.
    pub threads: usize,
    /// A folder for temporary files.
    pub scratch: &'a Path,
}

/// What a method has learned from a collection.
pub trait Model: Send + Sync {
    /// Marks a page of the collection.
    fn mark(&self, number: PageNo, page: &Page) -> Result<Mask, StripError>;

    /// What the manifest tells about the model, once all pages are marked: names and values.
    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }
}

/// What can go wrong while learning or marking.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StripError {
    /// The pages cannot be read.
    #[error(transparent)]
    Spool(#[from] SpoolError),
}

impl Method {
    /// The name the command line knows it by.
    pub fn name(&self) -> &'static str {
        match self {
            Method::None => "none",
        }
    }

    /// Learns what the pages share.
    pub fn learn<'p>(&self, _pages: &Pages<'p>, _means: Means<'_>) -> Result<Box<dyn Model + 'p>, StripError> {
        match self {
            Method::None => Ok(Box::new(none::KeepAll)),
        }
    }
}

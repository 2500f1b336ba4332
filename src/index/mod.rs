//! Documents become a Tantivy index, and a folder that says how it was made.
//!
//! An index is a folder: `manifest.json` ([`manifest`]) and Tantivy's own files under `tantivy/` ([`schema`],
//! [`words`]), and pages to look at where they are kept ([`kept`]). It is built beside its place and moved there whole (`site`), segment by segment
//! ([`segments`]).

pub mod documents;
pub mod kept;
pub mod manifest;
mod parts;
pub mod schema;
pub mod segments;
mod site;
mod statistics;
pub mod templates;
pub mod upkeep;
pub mod vocabulary;
pub mod words;

pub use manifest::Manifest;
pub use site::Site;

use std::path::PathBuf;

use crate::spool::PackedError;

/// Name of Tantivy's folder inside an index.
pub const TANTIVY_FOLDER: &str = "tantivy";

/// What can go wrong with an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Something is in the way.
    #[error("{0} exists already: name another place with --out, or replace it with --force")]
    Exists(PathBuf),
    /// Something is in the way that this program did not make.
    #[error("{0} is not an unhusk index, so it is not replaced: name another place with --out")]
    NotOurs(PathBuf),
    /// Another process is building the same index.
    #[error("{0} is being built by another process: wait for it, or name another place with --out")]
    Busy(PathBuf),
    /// No index is there.
    #[error("there is no index at {0}: build one with `unhusk index <COLLECTION> --out {0}`")]
    Missing(PathBuf),
    /// The folder holds something else.
    #[error("{path} is not an unhusk index: {why}")]
    NotAnIndex {
        /// The folder.
        path: PathBuf,
        /// What is missing or wrong.
        why: String,
    },
    /// The index was made by a later version of this program.
    #[error(
        "{path} has index format {found}, and this program reads up to {known}: update unhusk, or build the index again"
    )]
    TooNew {
        /// The folder.
        path: PathBuf,
        /// The format the index has.
        found: u32,
        /// The latest format this program knows.
        known: u32,
    },
    /// A file cannot be written or read.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what was written.
    #[error("{path} is damaged: {why}; build the index again with --force")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What an index keeps to be updated cannot be written or read.
    #[error(transparent)]
    Upkeep(#[from] PackedError),
    /// The pages' sketches cannot be read.
    #[error(transparent)]
    Sketches(#[from] crate::dedup::DedupError),
    /// The index has nothing to be updated by.
    #[error("{0} cannot be updated: it was built without what an update needs; build it again with `unhusk index`")]
    NoUpkeep(PathBuf),
    /// The text of documents is wanted, and was not kept.
    #[error("{0} does not store the text of its pages (it was built with --no-store): export the collection instead")]
    NotStored(PathBuf),
    /// Tantivy failed.
    #[error("the search engine reports: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
}

impl IndexError {
    /// For `map_err`: an I/O error with what was done and where.
    pub(crate) fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| IndexError::Io { doing, path, source }
    }
}

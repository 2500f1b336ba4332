//! Documents become a Tantivy index, and a folder that says how it was made.
//!
//! An index is a folder: `manifest.json` ([`manifest`]) and Tantivy's own files under `tantivy/` ([`schema`],
//! [`words`]), and pages to look at where they are kept ([`kept`]). It is built beside its place and moved there whole (`site`), part by part
//! ([`segments`]). What is read of it is compared with what was written (`checksums`, `folder`), and is of one build (`identity`).

mod checksums;
pub(crate) mod columns;
pub mod documents;
mod folder;
mod identity;
pub mod kept;
pub mod manifest;
pub mod schema;
pub mod segments;
mod site;
mod statistics;
pub mod tally;
pub mod templates;
pub mod upkeep;
pub mod vocabulary;
pub mod words;

pub use identity::{Identity, identity, of_one_build};
pub use manifest::Manifest;
pub use site::Site;
pub(crate) use statistics::for_each_term;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::TantivyError;
use tantivy::directory::error::{OpenReadError, OpenWriteError};

use unhusk_pages::dedup::DedupError;
use unhusk_pages::spool::PackedError;

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
    /// The index was made by an earlier version of this program.
    #[error(
        "{path} has index format {found}, and this program reads format {known}: build the index again with --force"
    )]
    TooOld {
        /// The folder.
        path: PathBuf,
        /// The format the index has.
        found: u32,
        /// The format this program reads.
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
    #[error("{path} is damaged at byte {offset}: {why}; build the index again with --force")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong with it.
        why: String,
    },
    /// A packed file of an index cannot be written or read.
    #[error(transparent)]
    Packed(PackedError),
    /// The index has nothing to be updated by.
    #[error("{0} cannot be updated: it was built without what an update needs; build it again with `unhusk index`")]
    NoUpkeep(PathBuf),
    /// The text of documents is wanted, and was not kept.
    #[error("{0} does not store the text of its pages (it was built with --no-store): export the collection instead")]
    NotStored(PathBuf),
    /// Tantivy failed.
    #[error("the search engine reports: {0}")]
    Tantivy(TantivyError),
}

impl From<PackedError> for IndexError {
    fn from(error: PackedError) -> Self {
        match error {
            PackedError::Damaged { path, offset, why } => IndexError::Damaged { path, offset, why },
            PackedError::NotOne { path, name } => {
                IndexError::Damaged { path, offset: 0, why: format!("it does not begin as a {name} does") }
            }
            other => IndexError::Packed(other),
        }
    }
}

impl From<DedupError> for IndexError {
    fn from(DedupError(error): DedupError) -> Self {
        error.into()
    }
}

impl From<TantivyError> for IndexError {
    /// What `folder` said went through Tantivy as the cause of an I/O error, and comes out as it was.
    fn from(error: TantivyError) -> Self {
        let error = match error {
            TantivyError::IoError(error)
            | TantivyError::OpenReadError(OpenReadError::IoError { io_error: error, .. })
            | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: error, .. }) => error,
            other => return IndexError::Tantivy(other),
        };
        match Arc::try_unwrap(error).map(std::io::Error::downcast) {
            Ok(Ok(ours)) => ours,
            Ok(Err(other)) => IndexError::Tantivy(other.into()),
            Err(shared) => IndexError::Tantivy(TantivyError::IoError(shared)),
        }
    }
}

impl IndexError {
    /// For `map_err`: an I/O error with what was done and where.
    pub fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| IndexError::Io { doing, path, source }
    }

    pub(crate) fn damaged(path: &Path, offset: u64, why: impl Into<String>) -> Self {
        IndexError::Damaged { path: path.to_owned(), offset, why: why.into() }
    }
}

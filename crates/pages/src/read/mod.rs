//! Collections in, raw pages out: the first stage.
//!
//! A [`Collection`] is a directory of HTML files, one HTML file, a WARC, a TREC web file or JSON lines, the last three
//! plain or compressed. Whatever it is, reading it gives a sequence of [`Found`]: pages as they were found (nothing
//! decoded, nothing parsed), pages left out with the reason, and damage with the place where it was met.
//!
//! A collection is somebody else's data, so nothing in it is an error: one bad page, one torn record or one flipped bit
//! costs that page and is reported, and reading goes on after it. A [`ReadError`] says that there was nothing to
//! read at all. Files are streamed in large blocks, and no page above [`ReadOptions::max_page_size`] is ever held,
//! however small it was when compressed.
//!
//! Every reader works from any [`std::io::Read`] ([`warc::read`], [`trec::read`], [`jsonl::read`]), which is also how
//! they are fuzzed.

mod collection;
pub mod decompress;
mod directory;
mod http;
pub mod jsonl;
mod sniff;
mod source;
mod stdin;
pub mod trec;
pub mod warc;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_128;

pub use collection::Collection;

/// How much of a file is read at once.
const BLOCK: usize = 256 * 1024;

/// The longest block of headers (of a WARC record, an HTTP response, a TREC document) that is read.
const HEADER_LIMIT: usize = 64 * 1024;

/// One page as it was found: nothing decoded, nothing parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawPage {
    /// What the collection calls the page: a relative path, a URL, a document number.
    pub id: String,
    /// Where the page was on the web, or its id where that is not known.
    pub url: String,
    /// The page's bytes, in whatever encoding they are.
    pub bytes: Vec<u8>,
    /// The HTTP Content-Type header's value, where there was one.
    pub content_type: Option<String>,
    /// Where the page was found.
    pub origin: Origin,
    /// What its file looked like when it was opened, where it has one of its own.
    pub stamp: Option<Stamp>,
}

/// What a file looks like from outside: a file that looks the same is taken to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its bytes.
    pub size: u64,
    /// When it was changed last: seconds, and nanoseconds.
    pub changed: (i64, i64),
}

/// Files that are not read again while they look the same: their stamps by the hash of their page's id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known(Arc<HashMap<u128, Stamp>>);

impl Known {
    /// Pages that are known, by the hashes of their ids.
    pub fn new(stamps: HashMap<u128, Stamp>) -> Self {
        Known(Arc::new(stamps))
    }

    /// Whether a page's file looks as it did.
    fn is_unchanged(&self, id: &str, stamp: impl FnOnce() -> Option<Stamp>) -> bool {
        let known = if self.0.is_empty() { None } else { self.0.get(&id_hash(id)) };
        known.is_some_and(|known| stamp().as_ref() == Some(known))
    }
}

/// What pages are remembered by.
pub(crate) fn id_hash(id: &str) -> u128 {
    xxh3_128(one_word(id).as_bytes())
}

/// Runs and judgements put ids between spaces, and take a line that starts with `#` for a remark.
pub fn one_word(id: &str) -> Cow<'_, str> {
    if !id.starts_with('#') && !id.contains(char::is_whitespace) {
        return Cow::Borrowed(id);
    }
    let mut word = String::with_capacity(id.len() + 8);
    for (at, c) in id.char_indices() {
        if c.is_whitespace() || (at == 0 && c == '#') {
            let mut bytes = [0; 4];
            word.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            word.push(c);
        }
    }
    Cow::Owned(word)
}

/// Where a page or a fault was found.
///
/// In a compressed file, something that starts a gzip member or zstd frame has that member's offset in the file
/// (the usual case for WARC, where each record is a member); anything else has its offset in the decompressed bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file, as it was named.
    pub file: PathBuf,
    /// The byte where it starts; 0 for a plain file.
    pub offset: u64,
}

impl Origin {
    fn new(file: &Path, offset: u64) -> Self {
        Self { file: file.to_path_buf(), offset }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => write!(f, "{}", self.file.display()),
            offset => write!(f, "{} at byte {offset}", self.file.display()),
        }
    }
}

/// Why a page was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// No bytes, or only white space.
    Empty,
    /// An image, an archive, a PDF …: no text.
    Binary,
    /// Larger than [`ReadOptions::max_page_size`].
    TooLarge,
    /// No permission, a loop of links, an encoding that does not decode.
    Unreadable,
    /// A page of the same id came before.
    DuplicateId,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty",
            Self::Binary => "binary",
            Self::TooLarge => "too large",
            Self::Unreadable => "unreadable",
            Self::DuplicateId => "duplicate id",
        })
    }
}

/// What reading a collection comes upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A page.
    Page(RawPage),
    /// A page that is left out.
    Skipped {
        /// The page's id, as far as it is known.
        id: String,
        /// Where the page was found.
        origin: Origin,
        /// The kind of fault.
        reason: SkipReason,
        /// The fault in words.
        detail: String,
    },
    /// Bytes that should be part of the collection and cannot be read.
    Damaged {
        /// Where the damage starts.
        origin: Origin,
        /// What is wrong.
        message: String,
    },
    /// A page that is [`Known`] and whose file looks as it did: it was not read.
    Unchanged {
        /// The page's id.
        id: String,
    },
    /// A WARC record that is no page (a request, an image, a 404 …).
    Ignored,
}

/// Receives what is found; [`ControlFlow::Break`] stops the reading.
pub type Emit<'a> = dyn FnMut(Found) -> ControlFlow<()> + 'a;

/// How to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The folder on the web that a directory's files came from, with or without a slash at its end.
    pub base_url: Option<Url>,
    /// Pages of more bytes than this are skipped.
    pub max_page_size: u64,
    /// Pages whose files are not read again while they look the same.
    pub known: Known,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { base_url: None, max_page_size: 16 * 1024 * 1024, known: Known::default() }
    }
}

impl ReadOptions {
    /// The page, or why there is none: the judgement that all formats share.
    fn judge(&self, page: RawPage) -> Found {
        if page.bytes.len() as u64 > self.max_page_size {
            return self.too_large(page.id, page.origin);
        }
        let (reason, detail) = if sniff::is_blank(&page.bytes) {
            (SkipReason::Empty, "nothing but white space".to_owned())
        } else if let Some(kind) = sniff::binary(&page.bytes) {
            (SkipReason::Binary, format!("{kind}, not a page"))
        } else {
            return Found::Page(page);
        };
        Found::Skipped { id: page.id, origin: page.origin, reason, detail }
    }

    fn too_large(&self, id: String, origin: Origin) -> Found {
        Found::Skipped {
            id,
            origin,
            reason: SkipReason::TooLarge,
            detail: format!("larger than {} bytes (--max-page-size)", self.max_page_size),
        }
    }

    /// The most bytes to read of a page: one more than allowed shows that it is too large.
    fn page_cap(&self) -> u64 {
        self.max_page_size.saturating_add(1)
    }
}

/// Why a collection cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing has this name.
    #[error("{}: no such file or directory; check the path, or give - to read JSON lines from standard input", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The process may not read it.
    #[error("{}: permission denied; make it readable for this user", path.display())]
    Permission {
        /// The path as given.
        path: PathBuf,
    },
    /// It is a pipe, a socket or a device.
    #[error("{}: neither a directory nor a regular file; pipe JSON lines in with - instead", path.display())]
    NotAFile {
        /// The path as given.
        path: PathBuf,
    },
    /// Its content is of no known format.
    #[error("{}: unknown kind of file; expected HTML, WARC, TREC web (<DOC>) or JSON lines ({{\"url\": …, \"html\": …}}), the last three plain, .gz or .zst", path.display())]
    UnknownKind {
        /// The path as given.
        path: PathBuf,
    },
    /// The operating system refused otherwise.
    #[error("{}: cannot be read: {source}; check the disk or the mount", path.display())]
    Io {
        /// The path as given.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl ReadError {
    fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path },
            io::ErrorKind::PermissionDenied => Self::Permission { path },
            _ => Self::Io { path, source },
        }
    }
}

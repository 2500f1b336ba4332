//! Parsed pages on disk, so that a second pass costs no second parse.
//!
//! A spool is one append-only file of framed records (`frame`), written once in collection order and
//! memory-mapped for the passes after (`map`). Only a window of it is mapped at a time: memory in use stays
//! flat however long the file is.

mod blocks;
mod frame;
mod map;
mod packed;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::parse::{Page, PageLines};

pub use blocks::BlockWriter;
pub use frame::{FORMAT_VERSION, FrameError, from_bytes, to_bytes};
pub use map::Window;
pub use packed::{Kind, Packed, PackedError, PackedWriter};

/// A page's number in the spool: its place in the collection's order, pages that were skipped not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct PageNo(pub u32);

impl PageNo {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The number behind it.
    pub fn next(self) -> Self {
        PageNo(self.0 + 1)
    }
}

/// What can go wrong with a spool.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpoolError {
    /// The file cannot be written or read.
    #[error("cannot use the spool file {path}: {source}")]
    Io {
        /// The spool file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A record is not what was written.
    #[error("the spool file {path} is damaged at byte {offset}: {source}")]
    Damaged {
        /// The spool file.
        path: PathBuf,
        /// Where the record starts.
        offset: u64,
        /// What is wrong with it.
        source: FrameError,
    },
}

/// A spool being written.
#[derive(Debug)]
pub struct SpoolWriter {
    path: PathBuf,
    file: BufWriter<File>,
    end: u64,
    places: Vec<Place>,
}

/// Where a page lies in the spool, and what decides how pages are shared out.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    length: u32,
    text_bytes: u32,
}

/// A spool that is complete.
#[derive(Debug)]
pub struct Spool {
    path: PathBuf,
    file: File,
    places: Vec<Place>,
}

/// A page ready to be appended: encoding is done by the workers, writing by one.
#[derive(Debug)]
pub struct Encoded {
    frame: Vec<u8>,
    text_bytes: u32,
}

impl Encoded {
    /// Encodes a page.
    pub fn new(page: &Page) -> Result<Self, FrameError> {
        Ok(Encoded { frame: frame::encode(page)?, text_bytes: page.text_bytes() as u32 })
    }

    /// A page that was encoded before, from a file that may be anybody's: it must be a page, and sound.
    pub fn again(payload: &[u8]) -> Result<Self, FrameError> {
        let page: Page = frame::from_bytes(payload)?;
        if !page.is_sound() {
            return Err(FrameError::Codec("the parts of the page do not fit together".to_owned()));
        }
        Ok(Encoded { frame: frame::wrap(payload)?, text_bytes: page.text_bytes() as u32 })
    }
}

impl SpoolWriter {
    /// Starts a spool at `path`, which must not exist.
    pub fn create(path: &Path) -> Result<Self, SpoolError> {
        let file = File::create_new(path).map_err(|source| SpoolError::Io { path: path.to_owned(), source })?;
        let mut writer = SpoolWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            end: 0,
            places: Vec::new(),
        };
        writer.write(&frame::file_header())?;
        Ok(writer)
    }

    /// Appends a page.
    pub fn append(&mut self, page: &Encoded) -> Result<PageNo, SpoolError> {
        let place = Place { offset: self.end, length: page.frame.len() as u32, text_bytes: page.text_bytes };
        self.write(&page.frame)?;
        self.places.push(place);
        Ok(PageNo(self.places.len() as u32 - 1))
    }

    /// Ends the spool and opens it for reading.
    pub fn finish(self) -> Result<Spool, SpoolError> {
        let path = self.path;
        let failed = |source| SpoolError::Io { path: path.clone(), source };
        self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        let file = File::open(&path).map_err(failed)?;
        Ok(Spool { path, file, places: self.places })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SpoolError> {
        self.file.write_all(bytes).map_err(|source| SpoolError::Io { path: self.path.clone(), source })?;
        self.end += bytes.len() as u64;
        Ok(())
    }
}

impl Spool {
    /// How many pages it holds.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes of visible text of a page, known without reading it.
    pub fn text_bytes(&self, page: PageNo) -> u32 {
        self.places[page.index()].text_bytes
    }

    /// Maps the records of pages `from` up to `to`, for reading them one by one.
    pub fn window(&self, from: PageNo, to: PageNo) -> Result<Window<'_>, SpoolError> {
        let places = &self.places[from.index()..to.index()];
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Ok(Window::empty(self, from));
        };
        let end = last.offset + u64::from(last.length);
        Window::map(self, from, first.offset, (end - first.offset) as usize)
            .map_err(|source| SpoolError::Io { path: self.path.clone(), source })
    }

    /// Reads one page.
    pub fn page(&self, page: PageNo) -> Result<Page, SpoolError> {
        self.window(page, PageNo(page.0 + 1))?.page(page)
    }

    /// Reads a page's lines, and nothing else of it.
    pub fn lines(&self, page: PageNo) -> Result<PageLines, SpoolError> {
        self.window(page, PageNo(page.0 + 1))?.lines(page)
    }
}

#[cfg(test)]
mod tests;

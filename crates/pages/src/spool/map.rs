//! A stretch of the spool, memory-mapped.
//!
//! Unsafe code: mapping a file is unsafe because somebody else may change or
//! cut the file while it is mapped. The spool lies in the build's own temporary folder, which is locked, and
//! its writer is gone before the first window opens; nobody else has a reason to touch it. Should somebody touch
//! it all the same, every record is checked against its checksum before it is believed.
#![allow(unsafe_code)]

use std::io;

use memmap2::{Mmap, MmapOptions};

use super::{FrameError, PageNo, Spool, SpoolError, frame};
use crate::parse::{Page, PageLines, PageName};

/// Some neighbouring pages of a spool.
#[derive(Debug)]
pub struct Window<'s> {
    spool: &'s Spool,
    from: PageNo,
    start: u64,
    map: Option<Mmap>,
}

impl<'s> Window<'s> {
    pub(super) fn empty(spool: &'s Spool, from: PageNo) -> Self {
        Window { spool, from, start: 0, map: None }
    }

    pub(super) fn map(spool: &'s Spool, from: PageNo, start: u64, length: usize) -> io::Result<Self> {
        // Reading past the end of a file that was cut short would be a signal, not an error.
        if spool.file.metadata()?.len() < start + length as u64 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than what was written"));
        }
        // SAFETY: see the module's head.
        let map = unsafe { MmapOptions::new().offset(start).len(length).map(&spool.file)? };
        Ok(Window { spool, from, start, map: Some(map) })
    }

    /// Reads a page of the window.
    pub fn page(&self, page: PageNo) -> Result<Page, SpoolError> {
        self.read(page, frame::decode)
    }

    /// Reads a page of the window as the bytes it was encoded to.
    pub fn encoded(&self, page: PageNo) -> Result<Vec<u8>, SpoolError> {
        self.read(page, |record| frame::payload(record).map(<[u8]>::to_vec))
    }

    /// Reads what a page of the window is called, and nothing else of it.
    pub fn name(&self, page: PageNo) -> Result<PageName, SpoolError> {
        self.read(page, frame::decode_head)
    }

    /// Reads the lines of a page of the window, and nothing else of it.
    pub fn lines(&self, page: PageNo) -> Result<PageLines, SpoolError> {
        self.read(page, frame::decode_head)
    }

    fn read<T>(&self, page: PageNo, decode: impl Fn(&[u8]) -> Result<T, FrameError>) -> Result<T, SpoolError> {
        debug_assert!(page >= self.from);
        let place = self.spool.places[page.index()];
        let bytes = self.map.as_deref().unwrap_or_default();
        let record = bytes.get((place.offset - self.start) as usize..).unwrap_or_default();
        decode(record).map_err(|source| SpoolError::Damaged {
            path: self.spool.path.clone(),
            offset: place.offset,
            source,
        })
    }
}

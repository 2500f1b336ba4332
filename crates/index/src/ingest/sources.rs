//! The packed sources of pages, where they are to be kept: one file beside the spool, in its order.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::index::IndexError;
use unhusk_pages::spool::PageNo;

/// Sources being written.
pub(super) struct SourcesWriter {
    path: PathBuf,
    file: BufWriter<File>,
    ends: Vec<u64>,
}

/// Sources of all pages, by number.
#[derive(Debug)]
pub(super) struct Sources {
    path: PathBuf,
    file: File,
    ends: Vec<u64>,
}

impl SourcesWriter {
    pub(super) fn create(path: &Path) -> Result<Self, IndexError> {
        let file = File::create_new(path).map_err(IndexError::io("create", path))?;
        Ok(SourcesWriter { path: path.to_owned(), file: BufWriter::new(file), ends: Vec::new() })
    }

    pub(super) fn append(&mut self, packed: &[u8]) -> Result<(), IndexError> {
        self.file.write_all(packed).map_err(IndexError::io("write", &self.path))?;
        let end = self.ends.last().copied().unwrap_or_default();
        self.ends.push(end + packed.len() as u64);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Sources, IndexError> {
        let mut open = || -> io::Result<File> {
            self.file.flush()?;
            File::open(&self.path)
        };
        let file = open().map_err(IndexError::io("write", &self.path))?;
        Ok(Sources { path: self.path, file, ends: self.ends })
    }
}

impl Sources {
    pub(super) fn read(&self, page: PageNo) -> Result<Vec<u8>, IndexError> {
        let end = self.ends[page.index()];
        let start = if page.0 == 0 { 0 } else { self.ends[page.index() - 1] };
        let mut packed = vec![0; (end - start) as usize];
        self.file.read_exact_at(&mut packed, start).map_err(IndexError::io("read", &self.path))?;
        Ok(packed)
    }
}

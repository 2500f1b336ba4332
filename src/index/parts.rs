//! A folder whose files are read in pieces and not mapped.
//!
//! A merge reads all of its parts once, from front to back. Mapped, they would count as the process's memory as far as
//! they were read, and peak memory would grow with the collection.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, OpenReadError, OpenWriteError};
use tantivy::directory::{Directory, FileHandle, MmapDirectory, OwnedBytes, WatchCallback, WatchHandle, WritePtr};
use tantivy::{HasLen, TantivyError};

/// A part of an index: as Tantivy's own directory, but for reading.
#[derive(Clone, Debug)]
pub(super) struct Part {
    folder: PathBuf,
    directory: MmapDirectory,
}

impl Part {
    pub(super) fn open(folder: &Path) -> Result<Self, TantivyError> {
        Ok(Part { folder: folder.to_owned(), directory: MmapDirectory::open(folder)? })
    }
}

impl Directory for Part {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let open = || -> io::Result<Arc<dyn FileHandle>> {
            let file = File::open(self.folder.join(path))?;
            let length = file.metadata()?.len() as usize;
            Ok(Arc::new(Pieces { file, length }))
        };
        open().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_owned()),
            _ => OpenReadError::wrap_io_error(error, path.to_owned()),
        })
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.directory.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.directory.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.directory.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.directory.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.directory.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.directory.sync_directory()
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.directory.watch(callback)
    }
}

/// A file that is read where it is asked for.
#[derive(Debug)]
struct Pieces {
    file: File,
    length: usize,
}

impl HasLen for Pieces {
    fn len(&self) -> usize {
        self.length
    }
}

impl FileHandle for Pieces {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let mut bytes = vec![0; range.len()];
        self.file.read_exact_at(&mut bytes, range.start as u64)?;
        Ok(OwnedBytes::new(bytes))
    }
}

//! A folder as Tantivy sees it.
//!
//! Tantivy's own directory is behind it. What is added: an error names its file, a finished index is compared with its
//! [`Checksums`] as it is read, and the parts of a merge are read in pieces and not mapped. (A merge reads all of its parts
//! once, from front to back. Mapped, they would count as the process's memory as far as they were read, and peak memory would
//! grow with the collection.) Locks and changes are not looked for: a build has its folder to itself, and a finished index
//! never changes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};
use tantivy::{HasLen, TantivyError};

use super::checksums::{BLOCK, Checksums, Sums};
use super::{IndexError, TANTIVY_FOLDER};

/// A folder of Tantivy's.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    directory: Box<dyn Directory>,
    reading: Reading,
}

/// How files are read.
#[derive(Clone, Debug)]
enum Reading {
    /// Mapped, and believed.
    Mapped,
    /// Where they are asked for.
    InPieces,
    /// Mapped, each block compared when it is first used.
    Checked(Arc<Checksums>),
}

impl Folder {
    /// A folder that this build writes.
    pub(super) fn new(path: &Path) -> Result<Self, IndexError> {
        Self::open(path, Reading::Mapped)
    }

    /// A folder whose files are read once, from front to back.
    pub(super) fn in_pieces(path: &Path) -> Result<Self, IndexError> {
        Self::open(path, Reading::InPieces)
    }

    /// The folder of a finished index.
    pub(super) fn checked(index: &Path, checksums: Checksums) -> Result<Self, IndexError> {
        Self::open(&index.join(TANTIVY_FOLDER), Reading::Checked(Arc::new(checksums)))
    }

    fn open(path: &Path, reading: Reading) -> Result<Self, IndexError> {
        let directory = MmapDirectory::open(path).map_err(TantivyError::from)?;
        Ok(Folder { path: path.to_owned(), directory: Box::new(directory), reading })
    }

    /// A folder over another directory, which may have its faults.
    #[cfg(test)]
    pub(super) fn over(path: &Path, directory: impl Directory) -> Self {
        Folder { path: path.to_owned(), directory: Box::new(directory), reading: Reading::Mapped }
    }

    /// A file's error with its name. Tantivy hands it on as it is, and it comes out again where Tantivy's error becomes ours.
    fn failed(&self, doing: &'static str, file: &Path) -> impl FnOnce(io::Error) -> io::Error + use<> {
        let path = self.path.join(file);
        move |source| io::Error::new(source.kind(), IndexError::Io { doing, path, source })
    }

    fn checked_file(&self, checksums: &Arc<Checksums>, file: &Path) -> Result<CheckedFile, OpenReadError> {
        let name = name_of(file);
        let Some(sums) = checksums.of(&name) else { return Err(OpenReadError::FileDoesNotExist(file.to_owned())) };
        let (path, sums) = (self.path.join(file), sums.clone());
        let bytes = self.directory.get_file_handle(file).map_err(|error| self.unread(error, file))?;
        let checked = sums.check_length(bytes.len() as u64, &path);
        checked.map_err(|error| OpenReadError::wrap_io_error(damage(error), file.to_owned()))?;
        let seen = (0..sums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(CheckedFile { path, bytes, sums, seen })
    }

    /// An error of opening a file, with its name.
    fn unread(&self, error: OpenReadError, file: &Path) -> OpenReadError {
        let error = match error {
            OpenReadError::IoError { io_error, .. } => own(io_error),
            // That a file of a finished index is not there is no answer: of some files Tantivy takes it for one.
            OpenReadError::FileDoesNotExist(_) if matches!(self.reading, Reading::Checked(_)) => {
                io::ErrorKind::NotFound.into()
            }
            other => return other,
        };
        OpenReadError::wrap_io_error(self.failed("read", file)(error), file.to_owned())
    }
}

fn name_of(file: &Path) -> String {
    format!("{TANTIVY_FOLDER}/{}", file.display())
}

fn own(error: Arc<io::Error>) -> io::Error {
    Arc::try_unwrap(error).unwrap_or_else(|shared| shared.kind().into())
}

fn damage(error: IndexError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

impl Directory for Folder {
    fn get_file_handle(&self, file: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match &self.reading {
            Reading::Mapped => self.directory.get_file_handle(file).map_err(|error| self.unread(error, file)),
            Reading::InPieces => {
                let opened = Pieces::open(&self.path.join(file)).map_err(self.failed("read", file));
                Ok(Arc::new(opened.map_err(|error| OpenReadError::wrap_io_error(error, file.to_owned()))?))
            }
            Reading::Checked(checksums) => Ok(Arc::new(self.checked_file(checksums, file)?)),
        }
    }

    fn atomic_read(&self, file: &Path) -> Result<Vec<u8>, OpenReadError> {
        let bytes = self.directory.atomic_read(file).map_err(|error| self.unread(error, file))?;
        if let Reading::Checked(checksums) = &self.reading {
            let checked = checksums.check(&name_of(file), &bytes);
            checked.map_err(|error| OpenReadError::wrap_io_error(damage(error), file.to_owned()))?;
        }
        Ok(bytes)
    }

    fn exists(&self, file: &Path) -> Result<bool, OpenReadError> {
        self.directory.exists(file)
    }

    fn open_write(&self, file: &Path) -> Result<WritePtr, OpenWriteError> {
        let named = |error| match error {
            OpenWriteError::IoError { io_error, filepath } => {
                OpenWriteError::wrap_io_error(self.failed("create", file)(own(io_error)), filepath)
            }
            other => other,
        };
        let writer = self.directory.open_write(file).map_err(named)?;
        Ok(BufWriter::new(Box::new(NamedWriter { folder: self.clone(), file: file.to_owned(), writer })))
    }

    fn atomic_write(&self, file: &Path, data: &[u8]) -> io::Result<()> {
        self.directory.atomic_write(file, data).map_err(self.failed("write", file))
    }

    fn delete(&self, file: &Path) -> Result<(), DeleteError> {
        self.directory.delete(file)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.directory.sync_directory().map_err(self.failed("write out", Path::new("")))
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A file being written, whose errors name it.
struct NamedWriter {
    folder: Folder,
    file: PathBuf,
    writer: WritePtr,
}

impl Write for NamedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(self.folder.failed("write", &self.file))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(self.folder.failed("write", &self.file))
    }
}

impl TerminatingWrite for NamedWriter {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.writer.terminate_ref(token).map_err(self.folder.failed("write out", &self.file))
    }
}

/// A file that is read where it is asked for.
#[derive(Debug)]
struct Pieces {
    file: File,
    length: usize,
}

impl Pieces {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len() as usize;
        Ok(Pieces { file, length })
    }
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

/// A file whose blocks are compared when they are first used.
#[derive(Debug)]
struct CheckedFile {
    path: PathBuf,
    bytes: Arc<dyn FileHandle>,
    sums: Sums,
    /// A bit for each block that was found right.
    seen: Vec<AtomicU64>,
}

impl CheckedFile {
    fn check_block(&self, number: usize) -> io::Result<()> {
        let (seen, bit) = (&self.seen[number / 64], 1 << (number % 64));
        if seen.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        let range = number * BLOCK..((number + 1) * BLOCK).min(self.bytes.len());
        self.sums.check_block(number, &self.bytes.read_bytes(range)?, &self.path).map_err(damage)?;
        seen.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }
}

impl HasLen for CheckedFile {
    fn len(&self) -> usize {
        self.bytes.len()
    }
}

impl FileHandle for CheckedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        (range.start / BLOCK..range.end.div_ceil(BLOCK)).try_for_each(|number| self.check_block(number))?;
        self.bytes.read_bytes(range)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs;

    /// A finished index with one file of three blocks and a bit.
    fn index(dir: &Path) -> PathBuf {
        let file = dir.join(TANTIVY_FOLDER).join("file");
        fs::create_dir(dir.join(TANTIVY_FOLDER)).unwrap();
        let bytes: Vec<u8> = (0..3 * BLOCK + 100).map(|n| (n % 251) as u8).collect();
        fs::write(&file, bytes).unwrap();
        super::super::checksums::write(dir).unwrap();
        file
    }

    fn open(dir: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let folder = Folder::checked(dir, Checksums::read(dir).unwrap()).unwrap();
        folder.get_file_handle(Path::new("file"))
    }

    #[test]
    fn only_blocks_that_are_read_are_compared_and_each_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = index(dir.path());
        let mut bytes = fs::read(&path).unwrap();
        bytes[2 * BLOCK + 5] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let file = open(dir.path()).unwrap();
        let read = |range: Range<usize>| file.read_bytes(range.clone()).map(|read| assert_eq!(*read, bytes[range]));
        read(0..2 * BLOCK).unwrap();
        read(3 * BLOCK..3 * BLOCK + 100).unwrap();
        for range in [2 * BLOCK - 1..2 * BLOCK + 1, 0..3 * BLOCK + 100, 3 * BLOCK - 1..3 * BLOCK] {
            let error = read(range).unwrap_err().to_string();
            assert!(error.contains("tantivy/file is damaged at byte 131072: the 65536 bytes"), "{error}");
        }
    }

    #[test]
    fn another_length_or_no_file_is_an_error_and_not_a_file_that_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        let path = index(dir.path());
        let refused = || match open(dir.path()).unwrap_err() {
            OpenReadError::IoError { io_error, .. } => io_error.to_string(),
            other => panic!("{other}"),
        };
        File::options().write(true).open(&path).unwrap().set_len(BLOCK as u64).unwrap();
        let error = refused();
        assert!(error.contains("damaged at byte 65536: it has 65536 bytes, and 196708 were written"), "{error}");
        fs::remove_file(&path).unwrap();
        assert!(refused().contains("cannot read"));
    }
}

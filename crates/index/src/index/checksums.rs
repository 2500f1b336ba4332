//! `checksums`: what the files of an index were when they were written.
//!
//! Tantivy writes a checksum at the end of each of its files and does not look at it when it reads. A disk that forgets a bit would
//! then give a wrong answer, or a panic. So a finished index gets a list of its files, with their lengths and a checksum of
//! each block, and whoever reads a block compares it first ([`super::folder`]): only what is used is looked at, and opening
//! stays fast however large the index is. Files under `upkeep/` and `pages/` have checksums of their own.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{IndexError, kept, upkeep};
use unhusk_pages::spool::{self, Kind, Packed, PackedWriter};

/// Name of the file.
pub(super) const FILE: &str = "checksums";

/// Bytes that are compared at a time.
pub(super) const BLOCK: usize = 64 << 10;

const KIND: Kind = Kind { magic: *b"unhuskCS", version: 1, name: "list of checksums" };

/// The files of an index, by their names below its folder.
#[derive(Debug)]
pub(super) struct Checksums {
    folder: PathBuf,
    files: HashMap<String, Sums>,
}

/// What a file was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sums {
    pub(super) length: u64,
    blocks: Vec<u64>,
}

/// Writes down what the files of the index in `folder` are.
pub(super) fn write(folder: &Path) -> Result<(), IndexError> {
    let mut list = PackedWriter::create(&folder.join(FILE), KIND)?;
    for name in names(folder)? {
        let path = folder.join(&name);
        let sums = File::open(&path).and_then(Sums::of).map_err(IndexError::io("read", &path))?;
        let record =
            spool::to_bytes(&(name, sums)).map_err(|error| IndexError::io("write", path)(io::Error::other(error)))?;
        list.append(&record)?;
    }
    Ok(list.finish(&())?)
}

/// The files that have no checksums of their own, in the order of their names.
fn names(folder: &Path) -> Result<Vec<String>, IndexError> {
    let apart = [FILE, kept::FOLDER, upkeep::FOLDER].map(|name| folder.join(name));
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let mut names = Vec::new();
    for entry in walk.filter_entry(|entry| !apart.iter().any(|path| path == entry.path())) {
        let entry = entry.map_err(|error| IndexError::io("read", folder)(error.into()))?;
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

impl Checksums {
    /// Reads the list of the index in `folder`.
    pub(super) fn read(folder: &Path) -> Result<Self, IndexError> {
        let list = Packed::open(&folder.join(FILE), KIND)?;
        list.head::<()>()?;
        let mut files = HashMap::new();
        for record in list.records() {
            let (place, record) = record?;
            let (name, sums) = spool::from_bytes(&record).map_err(|error| list.damaged(place, error.to_string()))?;
            files.insert(name, sums);
        }
        Ok(Checksums { folder: folder.to_owned(), files })
    }

    /// What a file was; none where it is no file of the index.
    pub(super) fn of(&self, name: &str) -> Option<&Sums> {
        self.files.get(name)
    }

    /// Reads a small file, all of it.
    pub(super) fn read_file(&self, name: &str) -> Result<Vec<u8>, IndexError> {
        let path = self.folder.join(name);
        let bytes = fs::read(&path).map_err(IndexError::io("read", &path))?;
        self.check(name, &bytes)?;
        Ok(bytes)
    }

    /// Compares all of a file.
    pub(super) fn check(&self, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
        let path = self.folder.join(name);
        let Some(sums) = self.of(name) else {
            return Err(IndexError::damaged(&path, 0, "it is not one of the files the index was built with"));
        };
        sums.check_length(bytes.len() as u64, &path)?;
        (0..).zip(bytes.chunks(BLOCK)).try_for_each(|(number, block)| sums.check_block(number, block, &path))
    }
}

impl Sums {
    fn of(file: File) -> io::Result<Self> {
        let mut sums = Sums { length: 0, blocks: Vec::new() };
        let mut block = Vec::with_capacity(BLOCK);
        loop {
            block.clear();
            (&file).take(BLOCK as u64).read_to_end(&mut block)?;
            if block.is_empty() {
                return Ok(sums);
            }
            sums.length += block.len() as u64;
            sums.blocks.push(xxh3_64(&block));
        }
    }

    /// How many blocks it has.
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Compares the length of a file.
    pub(super) fn check_length(&self, length: u64, path: &Path) -> Result<(), IndexError> {
        if length == self.length {
            return Ok(());
        }
        let why = format!("it has {length} bytes, and {} were written", self.length);
        Err(IndexError::damaged(path, length.min(self.length), why))
    }

    /// Compares a block of the file at `path`.
    pub(super) fn check_block(&self, number: usize, block: &[u8], path: &Path) -> Result<(), IndexError> {
        if self.blocks.get(number) == Some(&xxh3_64(block)) {
            return Ok(());
        }
        let why = format!("the {} bytes from there are not those that were written", block.len());
        Err(IndexError::damaged(path, (number * BLOCK) as u64, why))
    }
}

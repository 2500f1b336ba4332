//! A file of compressed records that stays: a saved model, what an index keeps to be updated.
//!
//! Magic number, format version, number of records, where the head lies, and a checksum over these; then the records, each framed
//! as in a spool and compressed; at last the head, which says what it all is. The head comes last because it holds counts
//! that are known when everything is written. The same records and head give the same bytes.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

use super::frame;

/// Fast, and most of what there is to gain.
const LEVEL: i32 = -4;
/// Magic, version, records, place of the head, checksum.
const PREFIX: usize = 8 + 4 + 8 + 8 + 8;

/// What a packed file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What it begins with.
    pub magic: [u8; 8],
    /// The version of its format.
    pub version: u32,
    /// What people call it.
    pub name: &'static str,
}

/// What can be wrong with a packed file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// It cannot be written or read.
    #[error("cannot {doing} {path}: {source}", path = path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path} is no {name}: it does not begin as one", path = path.display())]
    NotOne {
        /// The file.
        path: PathBuf,
        /// What it should be.
        name: &'static str,
    },
    /// It was written by another version of this program.
    #[error(
        "{path} is a {name} of format {found}, and this program reads format {known}: make it again, or use the program that made it",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// What it is.
        name: &'static str,
        /// Its format.
        found: u32,
        /// The format this program knows.
        known: u32,
    },
    /// It is not as it was written.
    #[error("{path} is damaged at byte {offset}: {why}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong.
        why: String,
    },
}

/// A packed file being written.
pub struct PackedWriter {
    path: PathBuf,
    file: BufWriter<File>,
    /// Setting one up costs as much as packing a page.
    packer: zstd::bulk::Compressor<'static>,
    kind: Kind,
    end: u64,
    records: u64,
}

impl PackedWriter {
    /// Starts a file, which must not exist.
    pub fn create(path: &Path, kind: Kind) -> Result<Self, PackedError> {
        let file = File::create_new(path).map_err(|source| failed("create", path, source))?;
        let packer = zstd::bulk::Compressor::new(LEVEL).map_err(|source| failed("write", path, source))?;
        let mut writer = PackedWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 18, file),
            packer,
            kind,
            end: 0,
            records: 0,
        };
        writer.write(&[0; PREFIX])?;
        Ok(writer)
    }

    /// Adds a record and says where it lies.
    pub fn append(&mut self, record: &[u8]) -> Result<u64, PackedError> {
        let packed = self.packer.compress(record).map_err(|source| self.failed(source))?;
        self.append_raw(&packed)
    }

    /// Adds a record that would not shrink.
    pub fn append_raw(&mut self, record: &[u8]) -> Result<u64, PackedError> {
        let offset = self.end;
        let frame = frame::wrap(record).map_err(|error| self.failed(io::Error::other(error)))?;
        self.write(&frame)?;
        self.records += 1;
        Ok(offset)
    }

    /// Writes the head, and with it the file is complete. Whoever puts it into its place sees to it that it is on disk.
    pub fn finish(mut self, head: &impl Serialize) -> Result<(), PackedError> {
        let (place, records) = (self.end, self.records);
        let head = serde_json::to_vec(head).map_err(|error| self.failed(error.into()))?;
        self.append(&head)?;
        let mut prefix = Vec::with_capacity(PREFIX);
        prefix.extend_from_slice(&self.kind.magic);
        prefix.extend_from_slice(&self.kind.version.to_le_bytes());
        prefix.extend_from_slice(&records.to_le_bytes());
        prefix.extend_from_slice(&place.to_le_bytes());
        prefix.extend_from_slice(&xxh3_64(&prefix).to_le_bytes());
        let complete = |file: &mut BufWriter<File>| -> io::Result<()> {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&prefix)?;
            file.flush()
        };
        complete(&mut self.file).map_err(|source| failed("write", &self.path, source))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), PackedError> {
        self.file.write_all(bytes).map_err(|source| failed("write", &self.path, source))?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// For whoever cannot make a record.
    pub fn failed(&self, source: io::Error) -> PackedError {
        failed("write", &self.path, source)
    }
}

fn failed(doing: &'static str, path: &Path, source: io::Error) -> PackedError {
    PackedError::Io { doing, path: path.to_owned(), source }
}

/// A packed file, open for reading. It is read where it is asked for and not mapped: what is mapped counts as the process's memory as
/// far as it was read, and these files grow with the collection.
#[derive(Debug)]
pub struct Packed {
    path: PathBuf,
    file: File,
    length: u64,
    records: u64,
    head: u64,
}

impl Packed {
    /// Opens a file of that kind.
    pub fn open(path: &Path, kind: Kind) -> Result<Self, PackedError> {
        let read = || -> io::Result<_> {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            let mut prefix = Vec::with_capacity(PREFIX);
            (&file).take(PREFIX as u64).read_to_end(&mut prefix)?;
            Ok((file, length, prefix))
        };
        let (file, length, prefix) = read().map_err(|source| failed("read", path, source))?;
        if prefix.len() < PREFIX || prefix[..8] != kind.magic {
            return Err(PackedError::NotOne { path: path.to_owned(), name: kind.name });
        }
        let found = u32::from_le_bytes(prefix[8..12].try_into().expect("four bytes"));
        if found != kind.version {
            return Err(PackedError::Version { path: path.to_owned(), name: kind.name, found, known: kind.version });
        }
        let long = |at: usize| u64::from_le_bytes(prefix[at..at + 8].try_into().expect("eight bytes"));
        let (records, head, checksum) = (long(12), long(20), long(28));
        if xxh3_64(&prefix[..28]) != checksum {
            let why = "its first bytes are not those that were written, or it was never finished".to_owned();
            return Err(PackedError::Damaged { path: path.to_owned(), offset: 0, why });
        }
        Ok(Packed { path: path.to_owned(), file, length, records, head })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// What it says of itself.
    pub fn head<T: DeserializeOwned>(&self) -> Result<T, PackedError> {
        let (head, end) = self.record(self.head)?;
        if end != self.bytes() {
            return Err(self.damaged(end, "something follows where the file should end"));
        }
        serde_json::from_slice(&head).map_err(|error| self.damaged(self.head, error.to_string()))
    }

    /// The record at a place, and the place behind it.
    pub fn record(&self, offset: u64) -> Result<(Vec<u8>, u64), PackedError> {
        let (packed, end) = self.raw(offset)?;
        let size = zstd::zstd_safe::get_frame_content_size(&packed).ok().flatten().unwrap_or(u64::MAX);
        if size > frame::MAX_PAYLOAD as u64 {
            return Err(self.damaged(offset, "a record cannot be unpacked"));
        }
        let record = zstd::bulk::decompress(&packed, size as usize);
        Ok((record.map_err(|_| self.damaged(offset, "a record cannot be unpacked"))?, end))
    }

    /// The record at a place as it lies there, and the place behind it.
    pub fn raw(&self, offset: u64) -> Result<(Vec<u8>, u64), PackedError> {
        let mut frame = vec![0; frame::HEADER];
        self.fill(&mut frame, offset)?;
        let payload = offset + frame::HEADER as u64;
        let end = payload + frame::length(&frame) as u64;
        // A length that is not what was written must not be believed before there is room for it.
        if end > self.length {
            return Err(self.damaged(offset, frame::FrameError::Truncated.to_string()));
        }
        frame.resize((end - offset) as usize, 0);
        self.fill(&mut frame[frame::HEADER..], payload)?;
        frame::payload(&frame).map_err(|error| self.damaged(offset, error.to_string()))?;
        frame.drain(..frame::HEADER);
        Ok((frame, end))
    }

    fn fill(&self, bytes: &mut [u8], offset: u64) -> Result<(), PackedError> {
        self.file.read_exact_at(bytes, offset).map_err(|source| match source.kind() {
            ErrorKind::UnexpectedEof => self.damaged(offset, frame::FrameError::Truncated.to_string()),
            _ => failed("read", &self.path, source),
        })
    }

    /// All records in order, each with its place.
    pub fn records(&self) -> impl Iterator<Item = Result<(u64, Vec<u8>), PackedError>> + '_ {
        self.each(|place| self.record(place))
    }

    /// All records in order as they lie there, each with its place.
    pub fn raws(&self) -> impl Iterator<Item = Result<(u64, Vec<u8>), PackedError>> + '_ {
        self.each(|place| self.raw(place))
    }

    fn each<'p>(
        &'p self,
        read: impl Fn(u64) -> Result<(Vec<u8>, u64), PackedError> + 'p,
    ) -> impl Iterator<Item = Result<(u64, Vec<u8>), PackedError>> + 'p {
        let mut next = PREFIX as u64;
        (0..self.records).map(move |_| {
            let place = next;
            if place >= self.head {
                return Err(self.damaged(place, "records are missing"));
            }
            let (record, end) = read(place)?;
            next = end;
            Ok((place, record))
        })
    }

    /// For whoever reads a record and finds it wrong.
    pub fn damaged(&self, offset: u64, why: impl Into<String>) -> PackedError {
        PackedError::Damaged { path: self.path.clone(), offset, why: why.into() }
    }
}

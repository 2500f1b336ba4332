//! Which chunks have been taken: a file of lines, one for each chunk that was.
//!
//! A chunk is known by its bytes and where it went, so a sending goes on behind what was taken even when the index has changed in
//! between: chunks that are the same are not sent again.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::bulk::Chunk;

/// What has been taken so far.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    to: String,
    taken: HashSet<String>,
    file: Option<File>,
}

impl Progress {
    /// Reads the file, where there is one.
    pub fn open(path: &Path, to: &str) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // A line that was cut short is of a chunk that was not noted: it is sent again.
        let taken = text.lines().filter(|line| line.len() == 32).map(str::to_owned).collect();
        Ok(Progress { path: path.to_owned(), to: to.to_owned(), taken, file: None })
    }

    fn name(&self, chunk: &Chunk) -> String {
        let mut hash = Xxh3::new();
        hash.update(self.to.as_bytes());
        hash.update(b"\n");
        hash.update(&chunk.bytes);
        format!("{:032x}", hash.digest128())
    }

    /// Whether a chunk was taken before.
    pub fn has(&self, chunk: &Chunk) -> bool {
        self.taken.contains(&self.name(chunk))
    }

    /// Notes that all documents of a chunk were taken.
    pub fn note(&mut self, chunk: &Chunk) -> io::Result<()> {
        let name = self.name(chunk);
        let file = match self.file.take() {
            Some(file) => file,
            None => OpenOptions::new().create(true).append(true).open(&self.path)?,
        };
        let file = self.file.insert(file);
        // A line of its own, whatever a sending that was killed has left.
        writeln!(file, "\n{name}")?;
        file.sync_data()
    }

    /// Nothing is left to be sent.
    pub fn finish(self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

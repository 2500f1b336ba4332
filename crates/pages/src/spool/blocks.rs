//! Packed files of many small values: some make a record.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::frame;
use super::packed::{Kind, Packed, PackedError, PackedWriter};

/// A packed file of values being written.
pub struct BlockWriter<T> {
    packed: PackedWriter,
    size: usize,
    block: Vec<T>,
    places: Vec<u64>,
}

impl<T: Serialize> BlockWriter<T> {
    /// Starts a file, which must not exist; so many values make a record.
    pub fn create(path: &Path, kind: Kind, size: usize) -> Result<Self, PackedError> {
        Ok(BlockWriter { packed: PackedWriter::create(path, kind)?, size, block: Vec::new(), places: Vec::new() })
    }

    /// Adds a value.
    pub fn add(&mut self, value: T) -> Result<(), PackedError> {
        self.block.push(value);
        if self.block.len() == self.size { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), PackedError> {
        let block = frame::to_bytes(&self.block).map_err(|error| self.packed.failed(io::Error::other(error)))?;
        self.places.push(self.packed.append(&block)?);
        self.block.clear();
        Ok(())
    }

    /// Writes the head, and with it the file is complete. Says where each record lies.
    pub fn finish(mut self, head: &impl Serialize) -> Result<Vec<u64>, PackedError> {
        if !self.block.is_empty() {
            self.write()?;
        }
        self.packed.finish(head)?;
        Ok(self.places)
    }
}

impl Packed {
    /// The values in the record at a place.
    pub fn block<T: DeserializeOwned>(&self, place: u64) -> Result<Vec<T>, PackedError> {
        self.values(place, &self.record(place)?.0)
    }

    /// All values in order.
    pub fn all_values<T: DeserializeOwned>(&self) -> Result<Vec<T>, PackedError> {
        let mut all = Vec::new();
        for record in self.records() {
            let (place, record) = record?;
            all.extend(self.values::<T>(place, &record)?);
        }
        Ok(all)
    }

    fn values<T: DeserializeOwned>(&self, place: u64, record: &[u8]) -> Result<Vec<T>, PackedError> {
        frame::from_bytes(record).map_err(|error| self.damaged(place, error.to_string()))
    }
}

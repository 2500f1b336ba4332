//! What foreign bytes reach and no interface leads to, for the fuzz targets and the test that replays their inputs.
//! Nothing here is promised to anybody.

use std::path::Path;

pub use crate::parse::reference::outlines;

use crate::parse::Page;
use crate::spool::{Encoded, Kind, PackedWriter, from_bytes, to_bytes};

/// The page of a record's payload, where it is one and sound.
pub fn decode_page(payload: &[u8]) -> Option<Page> {
    Encoded::again(payload).ok()?;
    from_bytes(payload).ok()
}

/// A page as the payload of a record.
pub fn encode_page(page: &Page) -> Vec<u8> {
    to_bytes(page).unwrap_or_default()
}

/// Writes a packed file whose checksums are right, whatever it says: a fuzzer does not guess them.
pub fn write_packed(path: &Path, magic: [u8; 8], records: &[&[u8]], head: &serde_json::Value) -> bool {
    let write = || {
        let mut packed = PackedWriter::create(path, Kind { magic, version: 1, name: "file" })?;
        for record in records {
            packed.append(record)?;
        }
        packed.finish(head)
    };
    write().is_ok()
}

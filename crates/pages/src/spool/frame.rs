//! How a page becomes bytes and back.
//!
//! A record is its length, a checksum and the payload; the file starts with a magic number and a format
//! version. This is the one module that knows bincode: the crate is no longer maintained, and replacing it
//! touches nothing else.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

use crate::parse::Page;

/// Version of the spool's format.
pub const FORMAT_VERSION: u32 = 3;

const MAGIC: [u8; 8] = *b"unhuskSP";
/// Length and checksum.
pub(super) const HEADER: usize = 4 + 8;
/// The longest payload: a page at the largest page size anybody sets, with its outline. Tests have less, to reach it.
pub(super) const MAX_PAYLOAD: usize = if cfg!(test) { 16 << 20 } else { 1 << 30 };

/// Why bytes are not a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The file ends inside the record.
    #[error("the record is cut short")]
    Truncated,
    /// The checksum is that of other bytes.
    #[error("the checksum does not match")]
    Checksum,
    /// Encoding or decoding failed, or the page is larger than a record may be.
    #[error("the record cannot be coded: {0}")]
    Codec(String),
}

/// Numbers of fixed width make a longer file, but cost half as much to write and read.
fn config() -> Configuration<LittleEndian, Fixint, Limit<MAX_PAYLOAD>> {
    bincode::config::standard().with_fixed_int_encoding().with_limit::<MAX_PAYLOAD>()
}

/// What a spool file starts with.
pub(super) fn file_header() -> [u8; 12] {
    let mut header = [0; 12];
    header[..8].copy_from_slice(&MAGIC);
    header[8..].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header
}

/// Encodes a page as one record.
pub(super) fn encode(page: &Page) -> Result<Vec<u8>, FrameError> {
    let mut frame =
        Vec::with_capacity(HEADER + page.text_bytes() * 2 + page.elements.len() * 20 + page.piece_count() * 40 + 1024);
    frame.resize(HEADER, 0);
    bincode::serde::encode_into_std_write(page, &mut frame, config()).map_err(|e| FrameError::Codec(e.to_string()))?;
    finish(frame)
}

/// Frames bytes that are a payload already.
pub(super) fn wrap(payload: &[u8]) -> Result<Vec<u8>, FrameError> {
    let mut frame = Vec::with_capacity(HEADER + payload.len());
    frame.resize(HEADER, 0);
    frame.extend_from_slice(payload);
    finish(frame)
}

/// Fills in the header in front of a payload.
fn finish(mut frame: Vec<u8>) -> Result<Vec<u8>, FrameError> {
    let payload = &frame[HEADER..];
    if payload.len() > MAX_PAYLOAD {
        return Err(FrameError::Codec(format!("{} bytes are more than a record may have", payload.len())));
    }
    let length = (payload.len() as u32).to_le_bytes();
    let checksum = xxh3_64(payload).to_le_bytes();
    frame[..4].copy_from_slice(&length);
    frame[4..HEADER].copy_from_slice(&checksum);
    Ok(frame)
}

/// Decodes the first fields of the record at the start of `bytes`: `Head` has fields of the types [`Page`] starts with.
/// The checksum would cost a look at the whole record, so it is left to [`decode`]; every page passes there too.
pub(super) fn decode_head<Head: DeserializeOwned>(bytes: &[u8]) -> Result<Head, FrameError> {
    let payload = bytes.get(HEADER..).ok_or(FrameError::Truncated)?;
    let head = bincode::serde::decode_from_slice(payload, config()).map_err(|e| FrameError::Codec(e.to_string()))?;
    Ok(head.0)
}

/// Encodes any value, without a frame.
pub fn to_bytes(value: &impl serde::Serialize) -> Result<Vec<u8>, FrameError> {
    bincode::serde::encode_to_vec(value, config()).map_err(|e| FrameError::Codec(e.to_string()))
}

/// Decodes a value that was encoded with [`to_bytes`].
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, config()).map_err(|e| FrameError::Codec(e.to_string()))?;
    if used != bytes.len() {
        return Err(FrameError::Codec(format!("{} bytes are left over", bytes.len() - used)));
    }
    Ok(value)
}

/// Decodes the record at the start of `bytes`.
pub(super) fn decode(bytes: &[u8]) -> Result<Page, FrameError> {
    from_bytes(payload(bytes)?)
}

/// How long the payload is behind a header.
pub(super) fn length(header: &[u8]) -> usize {
    header.first_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize)
}

/// The payload of the record at the start of `bytes`, once its checksum has been found right.
pub(super) fn payload(bytes: &[u8]) -> Result<&[u8], FrameError> {
    let header = bytes.get(..HEADER).ok_or(FrameError::Truncated)?;
    let checksum = u64::from_le_bytes(header[4..].try_into().expect("eight bytes"));
    let payload = bytes.get(HEADER..HEADER + length(header)).ok_or(FrameError::Truncated)?;
    if xxh3_64(payload) != checksum {
        return Err(FrameError::Checksum);
    }
    Ok(payload)
}

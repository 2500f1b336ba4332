//! `pages/`: what a person looks at, kept beside the index where it was asked for.
//!
//! An index holds what was kept of a page. To show what was dropped and why, and the page itself, its source and its
//! marks have to be somewhere; reading the collection again would need it to be there, and unchanged. So a build may
//! leave a record for each page: its HTML as it was decoded, and its marks as runs of pieces. Parsing the HTML again gives
//! the pieces. The records are no part of the index: nothing is searched in them, and sizes do not count them.
//!
//! `records` has a header, then length, checksum and payload of each; `places` says by a hash of the id where each
//! begins, in the order of the hashes, with a checksum at its end.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::IndexError;
use unhusk_strip::strip::{Mark, Mask, Reason};

/// Name of the folder inside an index.
pub const FOLDER: &str = "pages";

const RECORDS: &str = "records";
const PLACES: &str = "places";
const MAGIC: &[u8; 12] = b"unhuskKP\x02\0\0\0";
/// Length and checksum.
const HEADER: usize = 4 + 8;
/// Hash, offset, length.
const PLACE: usize = 16 + 8 + 4;
/// More than any page has that was read: what claims to be longer is damaged.
const MAX_UNPACKED: usize = 1 << 30;
/// Fast, and most of what there is to gain.
const LEVEL: i32 = 3;

/// The marks of a page, and their reasons in words. Words and not values: a later version may know other reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptMarks {
    /// The reasons, each once.
    pub reasons: Vec<KeptReason>,
    /// Neighbouring pieces with one mark: how many, and the number of the reason they are not content for.
    pub runs: Vec<(u32, Option<u32>)>,
}

/// Why pieces were set aside or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReason {
    /// A sentence.
    pub text: String,
    /// The same for programs.
    pub details: serde_json::Value,
    /// Whether they were set aside, and not dropped.
    pub aside: bool,
}

impl KeptMarks {
    /// The marks of a mask.
    pub fn new(mask: &Mask) -> Self {
        let mut kept = KeptMarks::default();
        let mut seen = Vec::new();
        for &mark in mask.marks() {
            let number = |reason: Reason| {
                seen.iter().position(|known| *known == mark).unwrap_or_else(|| {
                    let details = serde_json::to_value(reason).unwrap_or_default();
                    let aside = matches!(mark, Mark::Aside(_));
                    kept.reasons.push(KeptReason { text: reason.to_string(), details, aside });
                    seen.push(mark);
                    seen.len() - 1
                }) as u32
            };
            let reason = mark.reason().map(number);
            match kept.runs.last_mut() {
                Some((pieces, last)) if *last == reason => *pieces += 1,
                _ => kept.runs.push((1, reason)),
            }
        }
        kept
    }

    /// For each piece the number of the reason it is not content for.
    pub fn pieces(&self) -> Vec<Option<u32>> {
        self.runs.iter().flat_map(|&(pieces, reason)| std::iter::repeat_n(reason, pieces as usize)).collect()
    }
}

/// Packs a page's source, as [`PartWriter::add`] wants it.
pub fn pack(source: &str) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(source.as_bytes(), LEVEL)
}

/// Where a record begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    hash: u128,
    offset: u64,
    length: u32,
}

/// Records of neighbouring pages, being written.
pub struct PartWriter {
    path: PathBuf,
    file: BufWriter<File>,
    end: u64,
    places: Vec<Place>,
}

/// Records of neighbouring pages.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    places: Vec<Place>,
}

impl PartWriter {
    /// Starts a part at `path`.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        let file = File::create_new(path).map_err(IndexError::io("create", path))?;
        Ok(PartWriter { path: path.to_owned(), file: BufWriter::new(file), end: 0, places: Vec::new() })
    }

    /// Adds a page: its id, its packed source and its marks.
    pub fn add(&mut self, id: &str, source: &[u8], marks: &KeptMarks) -> Result<(), IndexError> {
        let record = encode(source, marks).and_then(|record| self.file.write_all(&record).map(|()| record.len()));
        let length = record.map_err(IndexError::io("write", &self.path))?;
        self.places.push(Place { hash: xxh3_128(id.as_bytes()), offset: self.end, length: length as u32 });
        self.end += length as u64;
        Ok(())
    }

    /// Adds a page as another index has it.
    pub fn add_again(&mut self, id: &str, pages: &KeptPages) -> Result<(), IndexError> {
        let Some((_, record)) = pages.record(id)? else { return Ok(()) };
        self.file.write_all(&record).map_err(IndexError::io("write", &self.path))?;
        self.places.push(Place { hash: xxh3_128(id.as_bytes()), offset: self.end, length: record.len() as u32 });
        self.end += record.len() as u64;
        Ok(())
    }

    /// Ends the part.
    pub fn finish(mut self) -> Result<Part, IndexError> {
        self.file.flush().map_err(IndexError::io("write", &self.path))?;
        Ok(Part { path: self.path, places: self.places })
    }
}

fn encode(source: &[u8], marks: &KeptMarks) -> io::Result<Vec<u8>> {
    let marks = zstd::bulk::compress(&serde_json::to_vec(marks)?, LEVEL)?;
    let mut record = vec![0; HEADER];
    record.extend_from_slice(&(marks.len() as u32).to_le_bytes());
    record.extend_from_slice(&marks);
    record.extend_from_slice(source);
    let length = u32::try_from(record.len() - HEADER).map_err(io::Error::other)?;
    let checksum = xxh3_64(&record[HEADER..]);
    record[..4].copy_from_slice(&length.to_le_bytes());
    record[4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    Ok(record)
}

/// Puts parts together, in their order, as the pages of the index in `index`; the parts are removed.
pub fn merge(parts: Vec<Part>, index: &Path) -> Result<(), IndexError> {
    let folder = index.join(FOLDER);
    fs::create_dir(&folder).map_err(IndexError::io("create", &folder))?;
    let path = folder.join(RECORDS);
    let mut records = File::create_new(&path).map_err(IndexError::io("create", &path))?;
    records.write_all(MAGIC).map_err(IndexError::io("write", &path))?;
    let mut end = MAGIC.len() as u64;
    let mut places = Vec::new();
    for part in parts {
        let mut file = File::open(&part.path).map_err(IndexError::io("read", &part.path))?;
        let length = io::copy(&mut file, &mut records).map_err(IndexError::io("write", &path))?;
        fs::remove_file(&part.path).map_err(IndexError::io("remove", &part.path))?;
        places.extend(part.places.into_iter().map(|place| Place { offset: place.offset + end, ..place }));
        end += length;
    }
    places.sort_unstable();
    write_places(&places, &folder.join(PLACES))
}

fn write_places(places: &[Place], path: &Path) -> Result<(), IndexError> {
    let mut bytes = Vec::with_capacity(places.len() * PLACE + 8);
    for place in places {
        bytes.extend_from_slice(&place.hash.to_le_bytes());
        bytes.extend_from_slice(&place.offset.to_le_bytes());
        bytes.extend_from_slice(&place.length.to_le_bytes());
    }
    bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
    fs::write(path, bytes).map_err(IndexError::io("write", path))
}

/// The kept pages of an index, open for reading. Stays readable when another build takes the index's place.
#[derive(Debug)]
pub struct KeptPages {
    path: PathBuf,
    records: File,
    places: Vec<Place>,
}

/// A page as it was when it was indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPage {
    /// Its HTML, as it was decoded, and with an XML declaration where it is XML.
    pub html: String,
    /// What was dropped of it.
    pub marks: KeptMarks,
}

impl KeptPages {
    /// Opens the pages kept beside the index in `index`; none where they were not kept.
    pub fn open(index: &Path) -> Result<Option<Self>, IndexError> {
        let folder = index.join(FOLDER);
        if !folder.is_dir() {
            return Ok(None);
        }
        let path = folder.join(PLACES);
        let bytes = fs::read(&path).map_err(IndexError::io("read", &path))?;
        let places = read_places(&bytes).ok_or_else(|| IndexError::damaged(&path, 0, "the checksum does not match"))?;
        let path = folder.join(RECORDS);
        let mut records = File::open(&path).map_err(IndexError::io("read", &path))?;
        let mut magic = [0; MAGIC.len()];
        records.read_exact(&mut magic).map_err(IndexError::io("read", &path))?;
        if &magic != MAGIC {
            return Err(IndexError::damaged(&path, 0, "it does not begin as kept pages of this format do"));
        }
        Ok(Some(KeptPages { path, records, places }))
    }

    /// Reads a page by its id; none where there is no such page.
    pub fn page(&self, id: &str) -> Result<Option<KeptPage>, IndexError> {
        let Some((offset, record)) = self.record(id)? else { return Ok(None) };
        decode(&record[HEADER..]).map(Some).map_err(|why| IndexError::damaged(&self.path, offset, why))
    }

    /// The record of a page, once it has been found right, and where it begins.
    fn record(&self, id: &str) -> Result<Option<(u64, Vec<u8>)>, IndexError> {
        let hash = xxh3_128(id.as_bytes());
        let Ok(at) = self.places.binary_search_by_key(&hash, |place| place.hash) else { return Ok(None) };
        let Place { offset, length, .. } = self.places[at];
        let mut record = vec![0; length as usize];
        self.records.read_exact_at(&mut record, offset).map_err(IndexError::io("read", &self.path))?;
        check(&record).map_err(|why| IndexError::damaged(&self.path, offset, why))?;
        Ok(Some((offset, record)))
    }
}

fn read_places(bytes: &[u8]) -> Option<Vec<Place>> {
    let (places, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(places) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let place = |bytes: &[u8]| {
        let (hash, rest) = bytes.split_first_chunk()?;
        let (offset, rest) = rest.split_first_chunk()?;
        Some(Place {
            hash: u128::from_le_bytes(*hash),
            offset: u64::from_le_bytes(*offset),
            length: u32::from_le_bytes(rest.try_into().ok()?),
        })
    };
    places.chunks(PLACE).map(place).collect()
}

const SHORT: &str = "a record is cut short";

fn check(record: &[u8]) -> Result<(), &'static str> {
    let (length, rest) = record.split_first_chunk::<4>().ok_or(SHORT)?;
    let (checksum, payload) = rest.split_first_chunk::<8>().ok_or(SHORT)?;
    if payload.len() != u32::from_le_bytes(*length) as usize {
        return Err(SHORT);
    }
    if xxh3_64(payload) != u64::from_le_bytes(*checksum) {
        return Err("the checksum of a record does not match");
    }
    Ok(())
}

fn decode(payload: &[u8]) -> Result<KeptPage, &'static str> {
    let (marks, rest) = payload.split_first_chunk::<4>().ok_or(SHORT)?;
    let (marks, source) = rest.split_at_checked(u32::from_le_bytes(*marks) as usize).ok_or(SHORT)?;
    let marks: KeptMarks =
        serde_json::from_slice(&unpack(marks)?).map_err(|_| "the marks of a record cannot be read")?;
    let html = String::from_utf8(unpack(source)?).map_err(|_| "the source in a record is no text")?;
    // A piece has at least a byte; a few bytes of marks could speak of billions.
    if marks.runs.iter().map(|&(pieces, _)| u64::from(pieces)).sum::<u64>() > html.len() as u64 {
        return Err("the marks of a record are of more pieces than its source has");
    }
    Ok(KeptPage { html, marks })
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, &'static str> {
    const BROKEN: &str = "a record cannot be unpacked";
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten().ok_or(BROKEN)? as usize;
    if size > MAX_UNPACKED {
        return Err(BROKEN);
    }
    zstd::bulk::decompress(packed, size).map_err(|_| BROKEN)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use unhusk_strip::strip::Reason;

    const REASON: Reason = Reason::Chunk { pages: 5, of: 6, threshold: 4 };

    fn marks() -> KeptMarks {
        let mut mask = Mask::keep_all(6);
        mask.drop(0..2, REASON);
        mask.drop(4..5, REASON);
        KeptMarks::new(&mask)
    }

    fn kept(folder: &Path) -> KeptPages {
        let mut parts = Vec::new();
        for names in [&["a", "b"][..], &["c"]] {
            let mut part = PartWriter::create(&folder.join(names.concat())).unwrap();
            for name in names {
                part.add(name, &pack(&format!("<p>{name} is kept")).unwrap(), &marks()).unwrap();
            }
            parts.push(part.finish().unwrap());
        }
        merge(parts, folder).unwrap();
        KeptPages::open(folder).unwrap().unwrap()
    }

    #[test]
    fn marks_are_runs_with_each_reason_once() {
        let marks = marks();
        assert_eq!(marks.runs, [(2, Some(0)), (2, None), (1, Some(0)), (1, None)]);
        assert_eq!(marks.reasons[0].text, REASON.to_string());
        assert_eq!(marks.pieces(), [Some(0), Some(0), None, None, Some(0), None]);
    }

    #[test]
    fn every_page_of_every_part_is_found_by_its_id() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path());
        for name in ["a", "b", "c"] {
            let page = kept.page(name).unwrap().unwrap();
            assert_eq!((page.html, page.marks), (format!("<p>{name} is kept"), marks()));
        }
        assert_eq!(kept.page("d").unwrap(), None);
    }

    #[test]
    fn a_changed_byte_anywhere_is_an_error_or_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        drop(kept(dir.path()));
        for file in [RECORDS, PLACES] {
            let path = dir.path().join(FOLDER).join(file);
            let good = fs::read(&path).unwrap();
            for at in 0..good.len() {
                let mut bad = good.clone();
                bad[at] ^= 0x10;
                fs::write(&path, &bad).unwrap();
                let Ok(Some(kept)) = KeptPages::open(dir.path()) else { continue };
                for name in ["a", "b", "c"] {
                    if let Ok(page) = kept.page(name) {
                        assert_eq!(page.unwrap().html, format!("<p>{name} is kept"));
                    }
                }
            }
            fs::write(&path, &good[..good.len() - 1]).unwrap();
            let kept = KeptPages::open(dir.path()).ok().flatten();
            assert!(kept.is_none_or(|kept| kept.page("c").is_err()));
            fs::write(&path, &good).unwrap();
        }
    }

    #[test]
    fn an_index_without_kept_pages_has_none() {
        let dir = tempfile::tempdir().unwrap();
        assert!(KeptPages::open(dir.path()).unwrap().is_none());
    }
}

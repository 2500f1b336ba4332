//! `upkeep/`: what an index keeps so that it can be updated.
//!
//! | file | holds |
//! |---|---|
//! | `list` | of each page, in the collection's order: id, hash and looks of its source, what was kept of it |
//! | `texts` | of pages whose text the index does not store what would go into it: copies; all of them where it stores none |
//! | `sketches` | of each page what copies are found by ([`unhusk_pages::dedup`]), where they are looked for |
//! | `model` | what its method had seen ([`unhusk_strip::model`]), where the method can be saved |
//!
//! Pages that are copies of others are there too: a copy is a page again when its original goes. Nothing is searched here, and
//! the sizes in the manifest do not count it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::IndexError;
use unhusk_pages::dedup::{Sketch, SketchFile};
use unhusk_pages::field::Fields;
use unhusk_pages::metadata::Reading;
use unhusk_pages::metadata::choose::Choice;
use unhusk_pages::metadata::site::Sample;
use unhusk_pages::read::Stamp;
use unhusk_pages::spool::{self, BlockWriter, Kind, Packed, PackedWriter};

/// Name of the folder inside an index.
pub const FOLDER: &str = "upkeep";

const LIST: &str = "list";
const TEXTS: &str = "texts";
const SKETCHES: &str = "sketches";
const LIST_KIND: Kind = Kind { magic: *b"unhuskUL", version: 4, name: "list of pages" };
const TEXTS_KIND: Kind = Kind { magic: *b"unhuskUT", version: 4, name: "file of texts" };
/// Entries in a record of the list.
const BLOCK: usize = 256;

/// Where the saved model of an index lies.
pub fn model_of(index: &Path) -> PathBuf {
    index.join(FOLDER).join("model")
}

/// How an index's pages were read, and how well its method did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The URL of the collection's root.
    pub base_url: Option<String>,
    /// Larger pages were skipped.
    pub max_page_size: u64,
    /// What the templates did when they were learned.
    pub baseline: Baseline,
    /// What was read of what pages say about themselves.
    pub metadata: Option<Reading>,
    /// Which of it documents have.
    pub choice: Choice,
    /// What was drawn of pages to see what their sites say alike.
    pub sites: Sample,
}

/// How much of their text pages lost when the model was new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The share of its text that the median page lost.
    pub typical: f64,
    /// The share of pages that lost at least half as much: those that the templates explain.
    pub explained: f64,
}

/// A page in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The document id.
    pub id: String,
    /// A hash of what it was parsed from.
    pub hash: u128,
    /// What its file looked like, where it has one of its own.
    pub stamp: Option<Stamp>,
    /// Bytes of HTML.
    pub source_bytes: u64,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// Bytes of text that were kept.
    pub kept_bytes: u64,
    /// Bytes of text that were set aside.
    pub aside_bytes: u64,
    /// Postings that stripping saved.
    pub spared: i64,
    /// Words that are not searched and count as part of its length.
    pub unsearched: u32,
    /// Whether it was there when the model was new.
    pub learned: bool,
    /// Whether the index has it as a copy of another page, or not at all.
    pub is_copy: bool,
    /// Where its text lies; none where the index stores it.
    place: Option<u64>,
}

/// What of a page goes into the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The page's URL.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The text that was kept.
    pub body: String,
    /// The text that was set aside.
    pub aside: String,
    /// What else is known of it.
    pub fields: Fields,
}

impl Entry {
    /// An entry whose text is still to be placed.
    pub fn new(id: String, hash: u128, stamp: Option<Stamp>, source_bytes: u64, text_bytes: u32) -> Self {
        Entry {
            id,
            hash,
            stamp,
            source_bytes,
            text_bytes,
            kept_bytes: 0,
            aside_bytes: 0,
            spared: 0,
            unsearched: 0,
            learned: true,
            is_copy: false,
            place: None,
        }
    }

    /// The share of its text that was dropped; none where there was no text.
    fn dropped(&self) -> Option<f64> {
        let all = f64::from(self.text_bytes);
        (all > 0.0).then(|| (all - (self.kept_bytes + self.aside_bytes) as f64) / all)
    }
}

impl Baseline {
    /// Of pages that lost these shares of their text.
    fn of(mut dropped: Vec<f64>) -> Self {
        dropped.sort_unstable_by(f64::total_cmp);
        let typical = dropped.get(dropped.len() / 2).copied().unwrap_or_default();
        let baseline = Baseline { typical, explained: 1.0 };
        let explained = baseline.share(dropped.into_iter()).unwrap_or(1.0);
        Baseline { explained, ..baseline }
    }

    /// The share of pages that the templates explain, of those that lost these shares of their text.
    fn share(&self, dropped: impl Iterator<Item = f64>) -> Option<f64> {
        let (mut all, mut explained) = (0_u32, 0_u32);
        for share in dropped {
            all += 1;
            explained += u32::from(share >= self.typical / 2.0);
        }
        (all > 0).then(|| f64::from(explained) / f64::from(all))
    }
}

/// Pages in a row, being written.
pub struct PartWriter {
    path: PathBuf,
    list: BlockWriter<Entry>,
    texts: PackedWriter,
}

/// Pages in a row.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
}

fn list_of(path: &Path) -> PathBuf {
    path.with_extension(LIST)
}

fn texts_of(path: &Path) -> PathBuf {
    path.with_extension(TEXTS)
}

impl PartWriter {
    /// Starts a part; `path` without an extension names its files.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        Ok(PartWriter {
            path: path.to_owned(),
            list: BlockWriter::create(&list_of(path), LIST_KIND, BLOCK)?,
            texts: PackedWriter::create(&texts_of(path), TEXTS_KIND)?,
        })
    }

    /// Adds a page; with its text, where the index does not store it.
    pub fn add(&mut self, entry: Entry, text: Option<&Text>) -> Result<(), IndexError> {
        let text = text.map(|text| self.texts.append(&to_bytes(text, &self.path)?).map_err(IndexError::from));
        Ok(self.list.add(Entry { place: text.transpose()?, ..entry })?)
    }

    /// Adds a page of a part, its text as it lies there.
    fn add_again(&mut self, entry: &Entry, part: &Upkeep) -> Result<(), IndexError> {
        let text = entry.place.map(|place| self.texts.append_raw(&part.texts.raw(place)?.0));
        Ok(self.list.add(Entry { place: text.transpose()?, ..entry.clone() })?)
    }

    /// Ends the part.
    pub fn finish(self) -> Result<Part, IndexError> {
        self.list.finish(&())?;
        self.texts.finish(&())?;
        Ok(Part { path: self.path })
    }
}

fn to_bytes(value: &impl Serialize, path: &Path) -> Result<Vec<u8>, IndexError> {
    spool::to_bytes(value).map_err(|error| IndexError::io("write", path)(std::io::Error::other(error)))
}

/// Puts parts together, in their order, as the upkeep of the index in `index`; the parts are removed. The file of sketches becomes
/// part of it. The baseline is taken of these pages where the model is new.
pub fn merge(
    parts: Vec<Part>,
    sketches: Option<&Path>,
    index: &Path,
    mut head: Head,
    is_new: bool,
) -> Result<(), IndexError> {
    let folder = index.join(FOLDER);
    fs::create_dir_all(&folder).map_err(IndexError::io("create", &folder))?;
    if let Some(sketches) = sketches {
        // Some file systems know no links.
        let place = folder.join(SKETCHES);
        let there = fs::hard_link(sketches, &place).or_else(|_| fs::copy(sketches, &place).map(drop));
        there.map_err(IndexError::io("write", place))?;
    }
    let mut whole = PartWriter {
        list: BlockWriter::create(&folder.join(LIST), LIST_KIND, BLOCK)?,
        texts: PackedWriter::create(&folder.join(TEXTS), TEXTS_KIND)?,
        path: folder,
    };
    let mut dropped = Vec::new();
    for part in parts {
        let (list, texts) = (list_of(&part.path), texts_of(&part.path));
        let opened = Upkeep::open_files(&list, &texts)?;
        for entry in &opened.entries {
            whole.add_again(entry, &opened)?;
            dropped.extend(entry.dropped());
        }
        for path in [&list, &texts] {
            fs::remove_file(path).map_err(IndexError::io("remove", path))?;
        }
    }
    if is_new {
        head.baseline = Baseline::of(dropped);
    }
    whole.list.finish(&head)?;
    Ok(whole.texts.finish(&())?)
}

/// The upkeep of an index, open for reading. Stays readable when another index takes its place.
#[derive(Debug)]
pub struct Upkeep {
    list: Packed,
    texts: Packed,
    sketches: Option<SketchFile>,
    entries: Vec<Entry>,
}

impl Upkeep {
    /// Opens the upkeep of the index in `index`.
    pub fn open(index: &Path) -> Result<Self, IndexError> {
        let folder = index.join(FOLDER);
        if !folder.is_dir() {
            return Err(IndexError::NoUpkeep(index.to_owned()));
        }
        let mut upkeep = Self::open_files(&folder.join(LIST), &folder.join(TEXTS))?;
        let sketches = folder.join(SKETCHES);
        upkeep.sketches = sketches.exists().then(|| SketchFile::open(&sketches)).transpose()?;
        Ok(upkeep)
    }

    fn open_files(list: &Path, texts: &Path) -> Result<Self, IndexError> {
        let list = Packed::open(list, LIST_KIND)?;
        let texts = Packed::open(texts, TEXTS_KIND)?;
        let entries = list.all_values()?;
        Ok(Upkeep { list, texts, sketches: None, entries })
    }

    /// How the index was read.
    pub fn head(&self) -> Result<Head, IndexError> {
        Ok(self.list.head()?)
    }

    /// Its pages, in the collection's order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The text of a page; none where the index stores it.
    pub fn text(&self, entry: &Entry) -> Result<Option<Text>, IndexError> {
        let Some(place) = entry.place else { return Ok(None) };
        let (record, _) = self.texts.record(place)?;
        let text = spool::from_bytes::<Text>(&record);
        Ok(Some(text.map_err(|error| self.texts.damaged(place, error.to_string()))?))
    }

    /// The sketch of a page of an index in which copies are looked for.
    pub fn sketch(&self, number: u32) -> Result<Sketch, IndexError> {
        let path = || self.list.path().with_file_name(SKETCHES);
        let sketches = self.sketches.as_ref().ok_or_else(|| IndexError::io("read", path())(ErrorKind::NotFound.into()));
        Ok(sketches?.get(number)?)
    }

    /// The share of pages that came after the model was made and that its templates explain, with their number; none where
    /// there are none.
    pub fn explained_since(&self) -> Result<Option<(f64, u64)>, IndexError> {
        let since = || self.entries.iter().filter(|entry| !entry.learned);
        let share = self.head()?.baseline.share(since().filter_map(Entry::dropped));
        Ok(share.map(|share| (share, since().count() as u64)))
    }
}

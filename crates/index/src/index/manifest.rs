//! `manifest.json`: how an index was made and what is in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::Index;

use super::checksums::Checksums;
use super::folder::Folder;
use super::identity::of_one_build;
use super::schema::{Fields, analysers};
use super::tally::Tally;
use super::words::Language;
use super::{IndexError, TANTIVY_FOLDER, statistics};
use unhusk_pages::dedup::Cut;
use unhusk_pages::parse::Limits;
use unhusk_pages::read::SkipReason;
use unhusk_strip::strip::{Aside, Method};

/// Name of the manifest's file.
pub const FILE: &str = "manifest.json";

/// The index format this program writes and reads.
pub const FORMAT: u32 = 4;

/// How an index was made and what is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The index format.
    pub format: u32,
    /// The program's version.
    pub unhusk: String,
    /// The method that took templates out, with its parameters.
    pub method: Method,
    /// What the method found: peers, templates, limits that were hit.
    pub findings: serde_json::Map<String, serde_json::Value>,
    /// What became of text that the method set aside.
    #[serde(default)]
    pub aside: Aside,
    /// The language words were stemmed for.
    pub language: Language,
    /// Whether the text of body and aside is stored, for snippets.
    pub stored: bool,
    /// When pages counted as duplicates; none where all were kept.
    pub dedup: Option<Cut>,
    /// What was read, as it was named on the command line.
    pub inputs: Vec<String>,
    /// How much structure of a page was read.
    #[serde(default)]
    pub limits: Limits,
    /// What became of the pages.
    pub pages: PageCounts,
    /// Pages that have copies, with the copies that were left out.
    pub aliases: Vec<Copies>,
    /// Bytes of HTML of all pages.
    pub corpus_bytes: u64,
    /// Bytes of visible text of the indexed pages, before anything was taken out.
    pub text_bytes: u64,
    /// Bytes of content: the text of the bodies.
    pub kept_bytes: u64,
    /// Bytes of text that has the field `aside`.
    #[serde(default)]
    pub aside_bytes: u64,
    /// Postings the body would have if nothing had been taken out of it; none where nothing is.
    #[serde(default)]
    pub unstripped_postings: Option<u64>,
    /// Tokens, postings and distinct terms, by field.
    pub fields: BTreeMap<String, FieldStatistics>,
    /// What pages say about themselves.
    pub said: Tally,
    /// Bytes on disk.
    pub sizes: Sizes,
    /// What it cost.
    pub cost: Cost,
}

/// What became of the pages: `read` is the sum of `indexed`, `duplicates` and all `skipped`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCounts {
    /// Pages found.
    pub read: u64,
    /// Pages in the index.
    pub indexed: u64,
    /// Pages left out because another page is the same.
    pub duplicates: u64,
    /// Pages left out, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Records that are no pages: images, requests, error answers. They do not count as read.
    pub ignored: u64,
    /// Places where a file was damaged.
    pub damaged: u64,
    /// Pages among those read that have more structure than [`Manifest::limits`] allow: some of their tags were passed over.
    #[serde(default)]
    pub flattened: u64,
}

/// A page and its copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copies {
    /// The id of the page that is in the index.
    pub page: String,
    /// The ids of its copies.
    pub aliases: Vec<String>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldStatistics {
    /// Words, counted as often as they occur.
    pub tokens: u64,
    /// Pairs of a word and a document it is in.
    pub postings: u64,
    /// Distinct words.
    pub terms: u64,
}

/// Bytes on disk by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// The term dictionary.
    pub terms: u64,
    /// Postings with frequencies.
    pub postings: u64,
    /// Positions of words, for phrases.
    pub positions: u64,
    /// Stored documents.
    pub store: u64,
    /// Field lengths, columns and bookkeeping.
    pub other: u64,
}

/// What building took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds by stage, in the order of the stages.
    pub seconds: Vec<(String, f64)>,
    /// The most memory the process held, in bytes; none where the system does not say.
    pub peak_memory: Option<u64>,
    /// Threads it was allowed.
    pub threads: usize,
}

impl Sizes {
    /// All parts together.
    pub fn total(&self) -> u64 {
        self.terms + self.postings + self.positions + self.store + self.other
    }
}

impl Manifest {
    /// Whether any page has words in the field `aside`.
    pub fn has_aside(&self) -> bool {
        self.fields.get("aside").is_some_and(|aside| aside.tokens > 0)
    }

    /// Postings of all text that is left of the pages, titles not counted.
    pub fn text_postings(&self) -> u64 {
        ["body", "aside"].iter().filter_map(|name| self.fields.get(*name)).map(|field| field.postings).sum()
    }

    /// Fills in what can be counted from the finished index in `folder`.
    pub fn measure(&mut self, folder: &Path) -> Result<(), IndexError> {
        let tantivy = folder.join(TANTIVY_FOLDER);
        let index = Index::open(Folder::new(&tantivy)?)?;
        self.fields = statistics::count(&index, &Fields::new(self.stored, self.aside))?;
        self.sizes = statistics::measure(&tantivy)?;
        Ok(())
    }

    /// Opens the index beside the manifest. What is read of it is compared with what was written.
    pub fn open_index(&self, folder: &Path) -> Result<(Index, Fields), IndexError> {
        let mut index = Index::open(Folder::checked(folder, Checksums::read(folder)?)?)?;
        index.set_tokenizers(analysers(self.language));
        Ok((index, Fields::new(self.stored, self.aside)))
    }

    /// Writes the manifest into an index's folder.
    pub fn write(&self, folder: &Path) -> Result<(), IndexError> {
        let path = folder.join(FILE);
        let mut json = serde_json::to_string_pretty(self).expect("a manifest has only string keys");
        json.push('\n');
        fs::write(&path, json).map_err(IndexError::io("write", &path))
    }

    /// Reads the manifest of the index in `folder`.
    pub fn read(folder: &Path) -> Result<Self, IndexError> {
        if !folder.exists() {
            return Err(IndexError::Missing(folder.to_owned()));
        }
        Ok(of_one_build(folder, || Self::read_once(folder))?.0)
    }

    fn read_once(folder: &Path) -> Result<Self, IndexError> {
        let path = folder.to_owned();
        let not_an_index = |why: String| IndexError::NotAnIndex { path: path.clone(), why: format!("{FILE}: {why}") };
        let json = fs::read(folder.join(FILE)).map_err(|error| not_an_index(error.to_string()))?;
        match serde_json::from_slice(&json) {
            Ok(FormatOnly { format: found }) if found > FORMAT => {
                return Err(IndexError::TooNew { path, found, known: FORMAT });
            }
            Ok(FormatOnly { format: found }) if found < FORMAT => {
                return Err(IndexError::TooOld { path, found, known: FORMAT });
            }
            _ => {}
        }
        Checksums::read(folder)?.check(FILE, &json)?;
        serde_json::from_slice(&json).map_err(|error| not_an_index(error.to_string()))
    }
}

/// Read first: the rest of a later format may mean something else.
#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

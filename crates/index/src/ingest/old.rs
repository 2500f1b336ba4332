//! The pages of an index that is updated.

use std::collections::HashMap;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use crate::index::documents::Documents;
use crate::index::kept::KeptPages;
use crate::index::templates::Templates;
use crate::index::upkeep::{self, Entry, Upkeep};
use crate::index::{IndexError, Manifest};
use unhusk_documents::extract::Document;
use unhusk_pages::dedup::Sketch;
use unhusk_pages::read::Known;

/// An index that is updated: what it has of each page.
#[derive(Debug)]
pub struct Old {
    manifest: Manifest,
    head: upkeep::Head,
    upkeep: Upkeep,
    documents: Documents,
    /// The number each page has in the index, or would have: copies have none.
    places: Vec<u32>,
    kept: Option<KeptPages>,
    templates: Templates,
    /// The number of each page, by the hash of its id.
    numbers: HashMap<u128, u32>,
}

impl Old {
    /// Opens the index in `folder`. It stays readable when another takes its place.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        let manifest = Manifest::read(folder)?;
        let upkeep = Upkeep::open(folder)?;
        let hashes = upkeep.entries().iter().map(|entry| xxh3_128(entry.id.as_bytes()));
        Ok(Old {
            head: upkeep.head()?,
            numbers: hashes.zip(0..).collect(),
            documents: Documents::open(folder, &manifest)?,
            places: places(upkeep.entries()),
            kept: KeptPages::open(folder)?,
            templates: Templates::read(folder)?,
            manifest,
            upkeep,
        })
    }

    /// How it was made.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn head(&self) -> &upkeep::Head {
        &self.head
    }

    pub(super) fn kept(&self) -> Option<&KeptPages> {
        self.kept.as_ref()
    }

    /// Its templates, as parts of so many pages.
    pub(super) fn templates(&self, pages: u64) -> Result<Templates, IndexError> {
        Ok(Templates { pages, ..self.templates.clone() })
    }

    /// How many pages it has, copies too.
    pub(super) fn len(&self) -> u32 {
        self.upkeep.entries().len() as u32
    }

    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.upkeep.entries()[number as usize]
    }

    /// What of a page goes into an index, from where it lies.
    pub(super) fn document(&self, number: u32) -> Result<Document, IndexError> {
        let entry = self.entry(number);
        match self.upkeep.text(entry)? {
            Some(upkeep::Text { url, title, body, aside, fields }) => {
                Ok(Document { id: entry.id.clone(), url, title, body, aside, fields, ..Document::default() })
            }
            None => self.documents.get(self.places[number as usize]),
        }
    }

    pub(super) fn sketch(&self, number: u32) -> Result<Sketch, IndexError> {
        self.upkeep.sketch(number)
    }

    pub(super) fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(&xxh3_128(id.as_bytes())).copied()
    }

    /// The number of a page whose content is the same.
    pub(super) fn same(&self, id: &str, hash: u128) -> Option<u32> {
        self.number(id).filter(|&number| self.entry(number).hash == hash)
    }

    /// What its pages' files looked like.
    pub(super) fn known(&self) -> Known {
        let stamps =
            self.upkeep.entries().iter().filter_map(|entry| Some((xxh3_128(entry.id.as_bytes()), entry.stamp?)));
        Known::new(stamps.collect())
    }
}

/// The number of each page among those that are no copies.
fn places(entries: &[Entry]) -> Vec<u32> {
    let mut next = 0;
    let number = |entry: &Entry| {
        let place = next;
        next += u32::from(!entry.is_copy);
        place
    };
    entries.iter().map(number).collect()
}

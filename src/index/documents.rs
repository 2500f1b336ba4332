//! The documents of an index as it stores them: one after the other, or by number.

use std::path::Path;

use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, Searcher, TantivyDocument};

use super::schema::Fields;
use super::{IndexError, Manifest};
use crate::extract::Document;

/// The stored documents of an index. Stay readable when another index takes its place.
pub struct Documents {
    searcher: Searcher,
    fields: Fields,
}

impl std::fmt::Debug for Documents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Documents").finish_non_exhaustive()
    }
}

impl Documents {
    /// Opens those of the index in `folder`.
    pub fn open(folder: &Path, manifest: &Manifest) -> Result<Self, IndexError> {
        let (index, fields) = manifest.open_index(folder)?;
        Ok(Documents { searcher: index.reader()?.searcher(), fields })
    }

    /// The document with a number in the collection's order; an index is one segment.
    pub fn get(&self, number: u32) -> Result<Document, IndexError> {
        Ok(read(&self.searcher.doc(DocAddress::new(0, number))?, &self.fields))
    }
}

fn read(stored: &TantivyDocument, fields: &Fields) -> Document {
    let all = |field: Field| stored.get_all(field).filter_map(|value| value.as_str()).map(str::to_owned);
    let one = |field: Field| all(field).next().unwrap_or_default();
    Document {
        id: one(fields.id),
        url: one(fields.url),
        title: one(fields.title),
        body: one(fields.body),
        aliases: all(fields.alias).collect(),
    }
}

/// Shows each document of the index in `folder`, in the collection's order. The text must be stored.
pub fn for_each<E: From<IndexError>>(folder: &Path, mut each: impl FnMut(Document) -> Result<(), E>) -> Result<(), E> {
    let manifest = Manifest::read(folder)?;
    if !manifest.stored {
        return Err(IndexError::NotStored(folder.to_owned()).into());
    }
    let (index, fields) = manifest.open_index(folder)?;
    let searcher = index.reader().map_err(IndexError::from)?.searcher();
    for segment in searcher.segment_readers() {
        let store = segment.get_store_reader(1).map_err(|error| IndexError::Tantivy(error.into()))?;
        for stored in store.iter::<TantivyDocument>(segment.alive_bitset()) {
            each(read(&stored.map_err(IndexError::from)?, &fields))?;
        }
    }
    Ok(())
}

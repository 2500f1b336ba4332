//! The documents of an index, one after the other.

use std::path::Path;

use tantivy::TantivyDocument;
use tantivy::schema::{Field, Value};

use super::{IndexError, Manifest};
use crate::extract::Document;

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
            let stored = stored.map_err(IndexError::from)?;
            let all = |field: Field| stored.get_all(field).filter_map(|value| value.as_str()).map(str::to_owned);
            let one = |field: Field| all(field).next().unwrap_or_default();
            each(Document {
                id: one(fields.id),
                url: one(fields.url),
                title: one(fields.title),
                body: one(fields.body),
                aliases: all(fields.alias).collect(),
            })?;
        }
    }
    Ok(())
}

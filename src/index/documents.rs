//! The documents of an index, one after the other.

use std::path::Path;

use tantivy::schema::{Field, Value};
use tantivy::{Searcher, TantivyDocument, TantivyError};

use super::schema::Fields;
use super::{IndexError, Manifest, of_one_build};
use crate::extract::Document;

/// Shows each document of the index in `folder`, in the collection's order. The text must be stored.
pub fn for_each<E: From<IndexError>>(folder: &Path, mut each: impl FnMut(Document) -> Result<(), E>) -> Result<(), E> {
    let ((searcher, fields), _) = of_one_build(folder, || open(folder))?;
    for segment in searcher.segment_readers() {
        let store = segment.get_store_reader(1).map_err(TantivyError::from).map_err(IndexError::from)?;
        // One by one: the iterator of the store does not say which file is damaged.
        for number in 0..segment.max_doc() {
            let stored: TantivyDocument = store.get(number).map_err(IndexError::from)?;
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

fn open(folder: &Path) -> Result<(Searcher, Fields), IndexError> {
    let manifest = Manifest::read(folder)?;
    if !manifest.stored {
        return Err(IndexError::NotStored(folder.to_owned()));
    }
    let (index, fields) = manifest.open_index(folder)?;
    Ok((index.reader()?.searcher(), fields))
}

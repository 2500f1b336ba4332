//! The documents of an index as it stores them: one after the other, or by number.

use std::path::Path;

use tantivy::schema::{Field, Value};
use tantivy::{DocAddress, Index, Searcher, TantivyDocument, TantivyError};

use super::columns;
use super::schema::Fields;
use super::{IndexError, Manifest, of_one_build};
use unhusk_documents::extract::Document;

/// The stored documents of an index. They stay readable when another index takes its place.
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
        Self::of(&index, fields)
    }

    /// Those of an open index.
    pub(super) fn of(index: &Index, fields: Fields) -> Result<Self, IndexError> {
        Ok(Documents { searcher: index.reader()?.searcher(), fields })
    }

    /// The document with a number in the collection's order, which is that of the segments.
    pub fn get(&self, number: u32) -> Result<Document, IndexError> {
        let mut within = number;
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            if within < reader.max_doc() {
                return Ok(self.read(&self.searcher.doc(DocAddress::new(segment as u32, within))?));
            }
            within -= reader.max_doc();
        }
        Err(TantivyError::InvalidArgument(format!("the index has no document {number}")).into())
    }

    fn read(&self, stored: &TantivyDocument) -> Document {
        let all = |field: Field| stored.get_all(field).filter_map(|value| value.as_str()).map(str::to_owned);
        let one = |field: Field| all(field).next().unwrap_or_default();
        Document {
            id: one(self.fields.id),
            url: one(self.fields.url),
            title: one(self.fields.title),
            body: one(self.fields.body),
            aside: one(self.fields.aside),
            aliases: all(self.fields.alias).collect(),
            fields: columns::read(stored, &self.fields),
            ..Document::default()
        }
    }
}

/// Shows each document of the index in `folder`, in the collection's order. The text must be stored.
pub fn for_each<E: From<IndexError>>(folder: &Path, mut each: impl FnMut(Document) -> Result<(), E>) -> Result<(), E> {
    let (documents, _) = of_one_build(folder, || open_stored(folder))?;
    for segment in documents.searcher.segment_readers() {
        let store = segment.get_store_reader(1).map_err(TantivyError::from).map_err(IndexError::from)?;
        // One by one: the iterator of the store does not say which file is damaged.
        for number in 0..segment.max_doc() {
            each(documents.read(&store.get(number).map_err(IndexError::from)?))?;
        }
    }
    Ok(())
}

fn open_stored(folder: &Path) -> Result<Documents, IndexError> {
    let manifest = Manifest::read(folder)?;
    if !manifest.stored {
        return Err(IndexError::NotStored(folder.to_owned()));
    }
    Documents::open(folder, &manifest)
}

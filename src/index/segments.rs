//! Writing: documents into segments, segments into one.
//!
//! Tantivy's own writer spreads documents over its threads as they come, so the files differ from build to build.
//! Here each segment holds the same stretch of the collection whatever the number of threads, and the parts are
//! merged in order: the same input gives the same documents, statistics, sizes and rankings.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::indexer::merge_indices;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use super::IndexError;
use super::folder::Folder;
use super::schema::{Fields, analysers_with};
use super::vocabulary::{LeftOut, Remembering};
use super::words::Language;
use crate::extract::Document;

/// Bytes of visible text that go into one segment: enough to keep merging cheap, and little enough that
/// several threads have work on a site of a few thousand pages.
pub const SEGMENT_TEXT: u64 = 8 << 20;

/// Tantivy sizes its first hash table by this; it does not stop there.
const TABLE_BUDGET: usize = 32 << 20;

/// How an index is written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The fields.
    pub fields: Fields,
    /// The language words are stemmed for.
    pub language: Language,
}

/// One segment being written, in a folder of its own.
pub struct SegmentWriter {
    writer: SingleSegmentIndexWriter<TantivyDocument>,
    words: Remembering,
    fields: Fields,
}

impl SegmentWriter {
    /// Starts a segment in a new folder.
    pub fn create(folder: &Path, layout: &Layout) -> Result<Self, IndexError> {
        fs::create_dir_all(folder).map_err(IndexError::io("create", folder))?;
        Self::create_in(Folder::new(folder)?, layout)
    }

    fn create_in(folder: Folder, layout: &Layout) -> Result<Self, IndexError> {
        let settings = IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() };
        let words = Remembering::new(layout.language);
        let writer = Index::builder()
            .schema(layout.fields.schema())
            .settings(settings)
            .tokenizers(analysers_with(words.clone()))
            .single_segment_index_writer(folder, TABLE_BUDGET)?;
        Ok(SegmentWriter { writer, words, fields: layout.fields.clone() })
    }

    /// Adds a document.
    pub fn add(&mut self, document: &Document) -> Result<(), IndexError> {
        let mut fields = TantivyDocument::new();
        fields.add_text(self.fields.id, &document.id);
        fields.add_text(self.fields.url, &document.url);
        fields.add_text(self.fields.title, &document.title);
        for alias in &document.aliases {
            fields.add_text(self.fields.alias, alias);
        }
        // Tantivy takes the fields by their number, and of those cut into words the body has the largest: `spared` counts
        // on it.
        fields.add_text(self.fields.body, &document.body);
        Ok(self.writer.add_document(fields)?)
    }

    /// How many more postings the body of the document added last would have with what was left out of it.
    pub fn spared(&self, left_out: &LeftOut) -> i64 {
        self.words.spared(left_out)
    }

    /// Writes the segment out.
    pub fn finish(self) -> Result<(), IndexError> {
        self.writer.finalize()?;
        Ok(())
    }
}

/// Merges segments, in the order given, into one index at `target`; the parts are removed.
pub fn merge(parts: &[PathBuf], target: &Path) -> Result<(), IndexError> {
    if let [only] = parts {
        return fs::rename(only, target).map_err(IndexError::io("move", only));
    }
    fs::create_dir_all(target).map_err(IndexError::io("create", target))?;
    merge_into(parts, Folder::new(target)?)?;
    for part in parts {
        fs::remove_dir_all(part).map_err(IndexError::io("remove", part))?;
    }
    Ok(())
}

fn merge_into(parts: &[PathBuf], target: Folder) -> Result<(), IndexError> {
    let indices = parts.iter().map(|part| Ok(Index::open(Folder::in_pieces(part)?)?));
    merge_indices(&indices.collect::<Result<Vec<_>, IndexError>>()?, target)?;
    Ok(())
}

#[cfg(test)]
#[path = "segments_tests.rs"]
mod tests;

//! Writing: documents into parts, parts into segments, segments into an index.
//!
//! Tantivy's own writer spreads documents over its threads as they come, so the files differ from build to build.
//! Here each part holds the same stretch of the collection whatever the number of threads, and neighbouring parts are
//! merged in order: the same input gives the same documents, statistics, sizes and rankings. Each document is merged once,
//! however many there are, so that a page costs the same on a large site.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;
use tantivy::indexer::merge_indices;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use super::IndexError;
use super::columns;
use super::folder::Folder;
use super::schema::{Fields, analysers_with};
use super::vocabulary::{LeftOut, Remembering};
use super::words::Language;
use unhusk_documents::extract::Document;
use unhusk_strip::strip::Aside;

/// Bytes of visible text that go into one part: enough to keep merging cheap, and little enough that
/// several threads have work on a site of a few thousand pages. In tests a handful of pages has several.
pub const PART_TEXT: u64 = if cfg!(test) { 1 << 9 } else { 8 << 20 };

/// Up to so many parts are one segment, however few there are.
const MERGED: usize = 4;

/// Tantivy's lists in its folder: of segments, and of files.
const META: &str = "meta.json";
const MANAGED: &str = ".managed.json";

/// Tantivy sizes its first hash table by this; it does not stop there.
const TABLE_BUDGET: usize = 32 << 20;

/// How an index is written.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The fields.
    pub fields: Fields,
    /// The language words are stemmed for.
    pub language: Language,
    /// What becomes of text that is set aside.
    pub aside: Aside,
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
        let words = Remembering::new(layout);
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
        // Tantivy takes the fields by their number: of those cut into words the body comes last, behind what is aside. `spared`
        // counts on it.
        if !document.aside.is_empty() {
            fields.add_text(self.fields.aside, &document.aside);
        }
        fields.add_text(self.fields.body, &document.body);
        if !document.fields.is_empty() {
            fields.add_bytes(self.fields.known, &columns::stored(&document.fields));
            fields.add_object(self.fields.columns, columns::of(&document.fields));
        }
        self.words.start_document(document);
        Ok(self.writer.add_document(fields)?)
    }

    /// How many words of its page a document does not have.
    pub fn words_left_out(&self, document: &Document, left_out: &LeftOut) -> u32 {
        self.words.words_left_out(document, left_out)
    }

    /// How many postings fewer the document, which was added last, has in body and aside than its whole page would have.
    pub fn spared(&self, document: &Document, left_out: &LeftOut) -> i64 {
        self.words.spared(document, left_out)
    }

    /// Writes the segment out.
    pub fn finish(self) -> Result<(), IndexError> {
        self.writer.finalize()?;
        Ok(())
    }
}

/// Which parts become one segment. There are as many segments as parts in each, so that neither a merge nor a search has many to look
/// into; a site of a few parts is one segment.
pub fn groups(parts: usize) -> Vec<Range<usize>> {
    let groups = parts.div_ceil(MERGED.max(parts.isqrt()));
    (0..groups).map(|n| n * parts / groups..(n + 1) * parts / groups).collect()
}

/// Merges parts, in the order given, into one segment at `target`; the parts are removed.
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

/// Puts segments together, in the order given, as one index at `target`; their own folders are removed.
pub fn join(segments: &[PathBuf], target: &Path) -> Result<(), IndexError> {
    fs::create_dir_all(target).map_err(IndexError::io("create", target))?;
    let mut meta = serde_json::Map::new();
    let mut managed = BTreeSet::new();
    for folder in segments {
        let mut theirs: serde_json::Map<String, Value> = take_list(&folder.join(META))?;
        if let (Some(Value::Array(all)), Some(Value::Array(more))) =
            (meta.get_mut("segments"), theirs.get_mut("segments"))
        {
            all.append(more);
        } else {
            meta = theirs;
        }
        managed.extend(take_list::<BTreeSet<PathBuf>>(&folder.join(MANAGED))?);
        for file in fs::read_dir(folder).map_err(IndexError::io("read", folder))? {
            let file = file.map_err(IndexError::io("read", folder))?;
            fs::rename(file.path(), target.join(file.file_name())).map_err(IndexError::io("move", file.path()))?;
        }
        fs::remove_dir(folder).map_err(IndexError::io("remove", folder))?;
    }
    put_list(&target.join(META), serde_json::to_vec_pretty(&meta))?;
    put_list(&target.join(MANAGED), serde_json::to_vec(&managed))
}

/// Reads one of Tantivy's lists and removes it.
fn take_list<T: DeserializeOwned>(path: &Path) -> Result<T, IndexError> {
    let bytes = fs::read(path).map_err(IndexError::io("read", path))?;
    let list = serde_json::from_slice(&bytes).map_err(|error| IndexError::io("read", path)(error.into()))?;
    fs::remove_file(path).map_err(IndexError::io("remove", path))?;
    Ok(list)
}

/// Writes one of Tantivy's lists as Tantivy does, with a line's end.
fn put_list(path: &Path, list: serde_json::Result<Vec<u8>>) -> Result<(), IndexError> {
    let write = || -> io::Result<()> { fs::write(path, [list?, b"\n".to_vec()].concat()) };
    write().map_err(IndexError::io("write", path))
}

#[cfg(test)]
#[path = "segments_tests.rs"]
mod tests;

//! What is in a finished index, counted from its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tantivy::Index;
use tantivy::schema::Field;

use super::IndexError;
use super::manifest::{FieldStatistics, Sizes};
use super::schema::Fields;

/// Tokens, postings and terms of the searchable fields, by name.
pub(super) fn count(index: &Index, fields: &Fields) -> Result<BTreeMap<String, FieldStatistics>, IndexError> {
    [("title", fields.title), ("body", fields.body)]
        .into_iter()
        .map(|(name, field)| Ok((name.to_owned(), count_field(index, field)?)))
        .collect()
}

fn count_field(index: &Index, field: Field) -> Result<FieldStatistics, IndexError> {
    let mut statistics = FieldStatistics::default();
    for segment in index.reader()?.searcher().segment_readers() {
        let inverted = segment.inverted_index(field)?;
        statistics.tokens += inverted.total_num_tokens();
        statistics.terms += inverted.terms().num_terms() as u64;
        let mut terms = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
        while terms.advance() {
            statistics.postings += u64::from(terms.value().doc_freq);
        }
    }
    Ok(statistics)
}

/// Bytes on disk by part. Tantivy names its files by what they hold.
pub(super) fn measure(folder: &Path) -> Result<Sizes, IndexError> {
    let mut sizes = Sizes::default();
    for entry in fs::read_dir(folder).map_err(IndexError::io("read", folder))? {
        let entry = entry.map_err(IndexError::io("read", folder))?;
        let bytes = entry.metadata().map_err(IndexError::io("read", entry.path()))?.len();
        let path = entry.path();
        let part = match path.extension().and_then(|extension| extension.to_str()) {
            Some("term") => &mut sizes.terms,
            Some("idx") => &mut sizes.postings,
            Some("pos") => &mut sizes.positions,
            Some("store") => &mut sizes.store,
            _ => &mut sizes.other,
        };
        *part += bytes;
    }
    Ok(sizes)
}

//! What is in a finished index, counted from its files.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::termdict::TermMerger;
use tantivy::{DocSet, Index, InvertedIndexReader, Searcher, TERMINATED, TantivyError, Term};

use super::IndexError;
use super::manifest::{FieldStatistics, Sizes};
use super::schema::Fields;

/// Tokens, postings and terms of the searchable fields, by name.
pub(super) fn count(index: &Index, fields: &Fields) -> Result<BTreeMap<String, FieldStatistics>, IndexError> {
    let schema = index.schema();
    [("title", fields.title), ("body", fields.body), ("aside", fields.aside)]
        .into_iter()
        .filter(|(_, field)| schema.get_field_entry(*field).is_indexed())
        .map(|(name, field)| Ok((name.to_owned(), count_field(index, field)?)))
        .collect()
}

fn count_field(index: &Index, field: Field) -> Result<FieldStatistics, IndexError> {
    let searcher = index.reader()?.searcher();
    let mut statistics = FieldStatistics::default();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        statistics.tokens += inverted.total_num_tokens() - unsaid(&inverted, field)?;
    }
    for_each_term(&searcher, field, |_, documents| {
        statistics.terms += 1;
        statistics.postings += u64::from(documents);
        ControlFlow::Continue(())
    })?;
    Ok(statistics)
}

/// Words that are part of the length of texts and not said in them: they are written as the empty term.
fn unsaid(inverted: &InvertedIndexReader, field: Field) -> Result<u64, IndexError> {
    let term = Term::from_field_text(field, "");
    let found = inverted.read_postings(&term, IndexRecordOption::WithFreqs).map_err(TantivyError::from)?;
    let Some(mut postings) = found else { return Ok(0) };
    let mut words = 0;
    while postings.doc() != TERMINATED {
        words += u64::from(postings.term_freq());
        postings.advance();
    }
    Ok(words)
}

/// Shows the terms of a field over all segments, in order, each with the number of documents that have it. The empty one is none.
pub(crate) fn for_each_term(
    searcher: &Searcher,
    field: Field,
    mut each: impl FnMut(&[u8], u32) -> ControlFlow<()>,
) -> Result<(), IndexError> {
    let inverted = searcher.segment_readers().iter().map(|segment| segment.inverted_index(field));
    let inverted = inverted.collect::<Result<Vec<_>, _>>()?;
    let streams = inverted.iter().map(|inverted| inverted.terms().stream()).collect::<Result<Vec<_>, _>>();
    let mut terms = TermMerger::new(streams.map_err(TantivyError::from)?);
    while terms.advance() {
        let documents = terms.current_segment_ords_and_term_infos().map(|(_, term)| term.doc_freq).sum();
        if !terms.key().is_empty() && each(terms.key(), documents).is_break() {
            break;
        }
    }
    Ok(())
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

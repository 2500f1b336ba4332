//! Document ids by Tantivy's document numbers.

use std::sync::OnceLock;

use tantivy::columnar::StrColumn;
use tantivy::{DocAddress, Searcher, TantivyError};

use crate::index::IndexError;

/// Each segment's ids.
pub(super) struct Ids {
    segments: Vec<Segment>,
}

struct Segment {
    column: StrColumn,
    /// All ids of the column in its order, once many are asked for.
    table: OnceLock<Table>,
}

/// Many ids in one buffer.
#[derive(Default)]
struct Table {
    text: String,
    ends: Vec<usize>,
}

impl Ids {
    pub(super) fn open(searcher: &Searcher) -> Result<Self, IndexError> {
        let segments = searcher
            .segment_readers()
            .iter()
            .map(|segment| {
                let column = segment.fast_fields().str("id")?;
                let missing = || TantivyError::SchemaError("the column of document ids is missing".to_owned());
                Ok(Segment { column: column.ok_or_else(missing)?, table: OnceLock::new() })
            })
            .collect::<Result<_, TantivyError>>()?;
        Ok(Ids { segments })
    }

    /// Reads all ids into memory. A single look-up unpacks a block of the column's dictionary: fine for a page of
    /// results, dear for a batch of queries.
    pub(super) fn load(&self) -> Result<(), IndexError> {
        for segment in &self.segments {
            let table = segment.read_table().map_err(TantivyError::from)?;
            // Somebody else may have loaded the same meanwhile.
            let _ = segment.table.set(table);
        }
        Ok(())
    }

    /// A document's id.
    pub(super) fn get(&self, address: DocAddress) -> Result<String, IndexError> {
        let segment = &self.segments[address.segment_ord as usize];
        let Some(ord) = segment.column.term_ords(address.doc_id).next() else { return Ok(String::new()) };
        if let Some(table) = segment.table.get() {
            return Ok(table.get(ord as usize).to_owned());
        }
        let mut id = String::new();
        segment.column.ord_to_str(ord, &mut id).map_err(TantivyError::from)?;
        Ok(id)
    }
}

impl Segment {
    fn read_table(&self) -> std::io::Result<Table> {
        let mut table = Table::default();
        let mut ids = self.column.dictionary().stream()?;
        while ids.advance() {
            table.text.push_str(&String::from_utf8_lossy(ids.key()));
            table.ends.push(table.text.len());
        }
        Ok(table)
    }
}

impl Table {
    fn get(&self, ord: usize) -> &str {
        let start = if ord == 0 { 0 } else { self.ends[ord - 1] };
        &self.text[start..self.ends[ord]]
    }
}

//! Counts of the values that fields have among the documents found.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DateTime, DocId, Score, SegmentOrdinal, SegmentReader};

use super::fields::Columns;
use unhusk_pages::field::Date;

/// The values of a field among documents that were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// The field.
    pub name: String,
    /// Its values, those of most documents first. Dates are counted by year.
    pub values: Vec<FacetValue>,
}

/// A value, and how many of the documents have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FacetValue {
    /// The value.
    pub value: String,
    /// Documents that have it.
    pub pages: u64,
}

/// Counts the values of fields, and the documents.
pub(super) struct Facets<'n> {
    pub(super) names: &'n [String],
}

/// The counts of one segment.
pub(super) struct FacetsOfSegment {
    documents: u64,
    fields: Vec<Counted>,
}

struct Counted {
    columns: Columns,
    /// By the number of the value.
    texts: Vec<u32>,
    others: HashMap<String, u64>,
}

/// How many documents there are, and the counts of each field.
pub(super) type Counts = (u64, Vec<BTreeMap<String, u64>>);

impl Collector for Facets<'_> {
    type Fruit = Counts;
    type Child = FacetsOfSegment;

    fn for_segment(&self, _: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<FacetsOfSegment> {
        let counted = |name: &String| {
            let columns = Columns::open(reader, name)?;
            let values = columns.texts.as_ref().map_or(0, |texts| texts.num_terms());
            Ok(Counted { columns, texts: vec![0; values], others: HashMap::new() })
        };
        Ok(FacetsOfSegment { documents: 0, fields: self.names.iter().map(counted).collect::<tantivy::Result<_>>()? })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, segments: Vec<Counts>) -> tantivy::Result<Counts> {
        let mut merged: Counts = (0, vec![BTreeMap::new(); self.names.len()]);
        for (documents, fields) in segments {
            merged.0 += documents;
            for (into, counts) in merged.1.iter_mut().zip(fields) {
                for (value, count) in counts {
                    *into.entry(value).or_default() += count;
                }
            }
        }
        Ok(merged)
    }
}

impl SegmentCollector for FacetsOfSegment {
    type Fruit = Counts;

    fn collect(&mut self, document: DocId, _: Score) {
        self.documents += 1;
        for field in &mut self.fields {
            if let Some(texts) = &field.columns.texts {
                for ord in texts.ords().values_for_doc(document) {
                    field.texts[ord as usize] += 1;
                }
            }
            if let Some(numbers) = &field.columns.numbers {
                for number in numbers.values_for_doc(document) {
                    *field.others.entry(number.to_string()).or_default() += 1;
                }
            }
            if let Some(dates) = &field.columns.dates {
                for date in dates.values_for_doc(document) {
                    *field.others.entry(year(date).to_string()).or_default() += 1;
                }
            }
        }
    }

    fn harvest(self) -> Counts {
        let fields = self.fields.into_iter().map(|field| {
            let mut counts: BTreeMap<String, u64> = field.others.into_iter().collect();
            if let Some(texts) = &field.columns.texts {
                let mut value = String::new();
                for (ord, count) in field.texts.iter().enumerate().filter(|(_, count)| **count > 0) {
                    value.clear();
                    if texts.ord_to_str(ord as u64, &mut value).unwrap_or(false) {
                        *counts.entry(value.clone()).or_default() += u64::from(*count);
                    }
                }
            }
            counts
        });
        (self.documents, fields.collect())
    }
}

fn year(date: DateTime) -> i32 {
    Date { seconds: date.into_timestamp_secs(), offset: None, has_time: false }.ymd().0
}

/// The counts of fields as they are shown.
pub(super) fn facets(names: &[String], counts: Vec<BTreeMap<String, u64>>) -> Vec<Facet> {
    let facet = |(name, counts): (&String, BTreeMap<String, u64>)| {
        let mut values: Vec<FacetValue> =
            counts.into_iter().map(|(value, pages)| FacetValue { value, pages }).collect();
        // Stable, so that values of as many documents stay in the order of their names.
        values.sort_by_key(|value| std::cmp::Reverse(value.pages));
        Facet { name: name.clone(), values }
    };
    names.iter().zip(counts).map(facet).collect()
}

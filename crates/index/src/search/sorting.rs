//! Documents in the order of a field.

use std::cmp::Ordering;
use std::str::FromStr;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use super::fields::Columns;

/// What documents are sorted by: `published`, or `-published` with the last first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The field.
    pub name: String,
    /// The largest first.
    pub descending: bool,
}

impl FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (descending, name) = text.strip_prefix('-').map_or((false, text), |name| (true, name));
        if name.is_empty() {
            Err("name a field to sort by".to_owned())
        } else {
            Ok(Sort { name: name.to_owned(), descending })
        }
    }
}

/// What a document is sorted by: those without a value come last, in either order.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(super) enum Key {
    Number(f64),
    Text(String),
    None,
}

/// Collects all documents with what they are sorted by.
pub(super) struct Sorted<'s> {
    pub(super) sort: &'s Sort,
    pub(super) limit: usize,
}

/// The documents of one segment.
pub(super) struct SortedOfSegment {
    segment: SegmentOrdinal,
    columns: Columns,
    descending: bool,
    limit: usize,
    found: Vec<(Rank, Score, DocId)>,
}

/// A key within a segment: a number, or the number of a text.
type Rank = (u8, f64);

impl Collector for Sorted<'_> {
    type Fruit = Vec<(Key, Score, DocAddress)>;
    type Child = SortedOfSegment;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SortedOfSegment> {
        let columns = Columns::open(reader, &self.sort.name)?;
        let Sorted { sort, limit } = self;
        Ok(SortedOfSegment { segment, columns, descending: sort.descending, limit: *limit, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, segments: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        Ok(segments.into_iter().flatten().collect())
    }
}

impl SegmentCollector for SortedOfSegment {
    type Fruit = Vec<(Key, Score, DocAddress)>;

    fn collect(&mut self, document: DocId, score: Score) {
        let of_dates = self.columns.dates.iter().flat_map(|dates| dates.values_for_doc(document));
        let of_dates = of_dates.map(|date| (0, date.into_timestamp_secs() as f64));
        let of_numbers =
            self.columns.numbers.iter().flat_map(|numbers| numbers.values_for_doc(document)).map(|number| (0, number));
        let of_texts = self
            .columns
            .texts
            .iter()
            .flat_map(|texts| texts.ords().values_for_doc(document))
            .map(|ord| (1, ord as f64));
        let ranks = of_dates.chain(of_numbers).chain(of_texts);
        let order = |a: &Rank, b: &Rank| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        let rank = if self.descending { ranks.max_by(order) } else { ranks.min_by(order) };
        self.found.push((rank.unwrap_or((2, 0.0)), score, document));
    }

    fn harvest(mut self) -> Self::Fruit {
        // Only the first of a segment can be among the first of all; those that tie with the last stay, for their ids decide.
        let descending = self.descending;
        let order = |a: &(Rank, Score, DocId), b: &(Rank, Score, DocId)| compare(a.0, b.0, descending);
        self.found.sort_by(order);
        if let Some(last) = self.found.get(self.limit.saturating_sub(1)).copied() {
            let end = self.found.partition_point(|found| order(found, &last).is_le());
            self.found.truncate(end);
        }
        let key = |rank: Rank| match rank {
            (0, number) => Key::Number(number),
            (1, ord) => {
                let mut text = String::new();
                let texts = self.columns.texts.as_ref();
                texts.map(|texts| texts.ord_to_str(ord as u64, &mut text));
                Key::Text(text)
            }
            _ => Key::None,
        };
        let address = |document| DocAddress::new(self.segment, document);
        self.found.iter().map(|(rank, score, document)| (key(*rank), *score, address(*document))).collect()
    }
}

fn compare(a: Rank, b: Rank, descending: bool) -> Ordering {
    let values = || if descending { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) };
    // What has no value is last.
    a.0.cmp(&b.0).then_with(values)
}

/// Orders what was collected.
pub(super) fn order(a: &Key, b: &Key, descending: bool) -> Ordering {
    let rank = |key: &Key| match key {
        Key::Number(_) => 0,
        Key::Text(_) => 1,
        Key::None => 2,
    };
    let values = match descending {
        true => b.partial_cmp(a),
        false => a.partial_cmp(b),
    };
    rank(a).cmp(&rank(b)).then(values.unwrap_or(Ordering::Equal))
}

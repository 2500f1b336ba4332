//! Searching by what is known of pages: conditions, counts and order, all over the columns of an index.
//!
//! A condition on text looks at the distinct values of a column once and then at the documents' numbers for them; nothing is looked up in the
//! inverted index, so fields cost no postings.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{BitSet, DateTime, DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use super::places::Filter;
use crate::index::IndexError;
use crate::index::columns::name_of;
use crate::index::schema::COLUMNS;
use crate::index::words::Words;
use unhusk_pages::field::Date;

/// What is asked beside words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// What must hold of documents: all of it.
    pub filters: Vec<Condition>,
    /// Fields whose values are counted among the documents found.
    pub facets: Vec<String>,
    /// What documents are sorted by; by score where there is nothing.
    pub sort: Option<Sort>,
}

impl Asked {
    /// The fields it names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let filters = self.filters.iter().map(|filter| filter.name.as_str());
        filters.chain(self.facets.iter().map(String::as_str)).chain(self.sort.iter().map(|sort| sort.name.as_str()))
    }
}

/// A condition on a field: `published>=2024-01-01`, `author:"Jane Doe"`, `-type:video`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The field.
    pub name: String,
    /// How its values are compared.
    pub test: Test,
    /// What they are compared with, as it was typed.
    pub operand: String,
    /// Whether it must not hold.
    pub negated: bool,
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// It has these words, is this number, or is in this year, month or day.
    Has,
    /// It is this text, case folded.
    Is,
    /// It is less.
    Less,
    /// It is less, or the same.
    AtMost,
    /// It is more.
    More,
    /// It is more, or the same.
    AtLeast,
}

/// A condition that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no condition: write name:value, name:\"whole value\", or name>=value with <, <=, > or >=; values of < and > are numbers or dates (2024, 2024-05, 2024-05-01)"
)]
pub struct NoCondition(String);

impl FromStr for Condition {
    type Err = NoCondition;

    fn from_str(text: &str) -> Result<Self, NoCondition> {
        let no = || NoCondition(text.to_owned());
        let (negated, rest) = text.trim().strip_prefix('-').map_or((false, text.trim()), |rest| (true, rest));
        let at = rest.find([':', '<', '>', '=']).ok_or_else(no)?;
        let (name, operation) = rest.split_at(at);
        let condition = Condition::read(name.trim(), operation.trim_start_matches(':'), negated).ok_or_else(no)?;
        if condition.name.is_empty() { Err(no()) } else { Ok(condition) }
    }
}

impl Condition {
    /// A condition on a field, of what stands behind its name: `>=5`, `"Jane Doe"`, `doe`.
    pub fn read(name: &str, operation: &str, negated: bool) -> Option<Self> {
        const SIGNS: [(&str, Test); 5] =
            [("<=", Test::AtMost), (">=", Test::AtLeast), ("<", Test::Less), (">", Test::More), ("=", Test::Is)];
        let found = SIGNS.iter().find_map(|(sign, test)| Some((*test, operation.strip_prefix(sign)?)));
        let (test, operand) = found.unwrap_or((Test::Has, operation));
        let operand = operand.trim();
        let quoted = operand.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
        let (test, operand) = match (test, quoted) {
            (Test::Has | Test::Is, Some(inside)) => (Test::Is, inside),
            (test, _) => (test, operand),
        };
        let is_ordered = matches!(test, Test::Less | Test::AtMost | Test::More | Test::AtLeast);
        let is_readable = !is_ordered || dates(operand).is_some() || number(operand).is_some();
        (!operand.is_empty() && is_readable).then(|| Condition {
            name: name.to_owned(),
            test,
            operand: operand.to_owned(),
            negated,
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.test {
            Test::Has | Test::Is => ":",
            Test::Less => "<",
            Test::AtMost => "<=",
            Test::More => ">",
            Test::AtLeast => ">=",
        };
        let quote = if self.test == Test::Is { "\"" } else { "" };
        write!(f, "{}{}{sign}{quote}{}{quote}", if self.negated { "-" } else { "" }, self.name, self.operand)
    }
}

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

/// The number a text is.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The seconds a year, month or day begins with, and those the next begins with.
fn dates(text: &str) -> Option<(i64, i64)> {
    let parts: Vec<&str> = text.split('-').collect();
    if parts.first()?.len() != 4 {
        return None;
    }
    let numbers = parts.iter().map(|part| part.parse().ok()).collect::<Option<Vec<i32>>>()?;
    let day = |year: i32, month: i32, day: i32| Date::day(year, month as u32, day as u32).map(|date| date.seconds);
    match numbers[..] {
        [year] => Some((day(year, 1, 1)?, day(year + 1, 1, 1)?)),
        [year, 12] => Some((day(year, 12, 1)?, day(year + 1, 1, 1)?)),
        [year, month] => Some((day(year, month, 1)?, day(year, month + 1, 1)?)),
        [year, month, of] => day(year, month, of).map(|start| (start, start + 86_400)),
        _ => None,
    }
}

/// The columns of a field in a segment.
struct Columns {
    texts: Option<StrColumn>,
    numbers: Option<Column<f64>>,
    dates: Option<Column<DateTime>>,
}

impl Columns {
    fn open(reader: &SegmentReader, name: &str) -> tantivy::Result<Self> {
        let path = format!("{COLUMNS}.{}", name_of(name));
        let fast = reader.fast_fields();
        Ok(Columns { texts: fast.str(&path)?, numbers: fast.column_opt(&path)?, dates: fast.column_opt(&path)? })
    }
}

/// The documents for which all conditions hold.
pub(super) fn filter(
    segments: &[SegmentReader],
    conditions: &[Condition],
    words: &Words,
) -> Result<Filter, IndexError> {
    let mut of_segments = HashMap::new();
    for reader in segments {
        let mut documents = BitSet::with_max_value_and_full(reader.max_doc());
        for condition in conditions {
            documents.intersect_update(&(&matching(reader, condition, words)?).into());
        }
        of_segments.insert(reader.segment_id(), documents);
    }
    Ok(Filter(Arc::new(of_segments)))
}

fn matching(reader: &SegmentReader, condition: &Condition, words: &Words) -> Result<BitSet, IndexError> {
    let columns = Columns::open(reader, &condition.name)?;
    let mut found = BitSet::with_max_value(reader.max_doc());
    if let Some(texts) = &columns.texts {
        let fits = fitting_values(texts, condition, words)?;
        let ords = texts.ords();
        for document in 0..reader.max_doc() {
            if ords.values_for_doc(document).any(|ord| fits.contains(ord as u32)) {
                found.insert(document);
            }
        }
    }
    if let (Some(numbers), Some(operand)) = (&columns.numbers, number(&condition.operand)) {
        let holds = |value: f64| condition.test.holds(value.partial_cmp(&operand), value.partial_cmp(&operand));
        insert(&mut found, reader, |document| numbers.values_for_doc(document).any(holds));
    }
    if let (Some(dates_of), Some((start, end))) = (&columns.dates, dates(&condition.operand)) {
        let holds = |value: DateTime| {
            let seconds = value.into_timestamp_secs();
            // Of a whole year all days are the same.
            let last = if seconds >= end { Ordering::Greater } else { Ordering::Equal };
            let first = if seconds < start { Ordering::Less } else { last };
            condition.test.holds(Some(first), Some(first))
        };
        insert(&mut found, reader, |document| dates_of.values_for_doc(document).any(holds));
    }
    if condition.negated {
        let mut others = BitSet::with_max_value_and_full(reader.max_doc());
        (0..reader.max_doc()).filter(|document| found.contains(*document)).for_each(|document| others.remove(document));
        return Ok(others);
    }
    Ok(found)
}

fn insert(found: &mut BitSet, reader: &SegmentReader, holds: impl Fn(DocId) -> bool) {
    for document in (0..reader.max_doc()).filter(|document| holds(*document)) {
        found.insert(document);
    }
}

impl Test {
    fn holds(self, low: Option<Ordering>, high: Option<Ordering>) -> bool {
        match self {
            Test::Has | Test::Is => low == Some(Ordering::Equal),
            Test::Less => low == Some(Ordering::Less),
            Test::AtMost => matches!(high, Some(Ordering::Less | Ordering::Equal)),
            Test::More => high == Some(Ordering::Greater),
            Test::AtLeast => matches!(low, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// The values of a column for which a condition holds, by their numbers.
fn fitting_values(texts: &StrColumn, condition: &Condition, words: &Words) -> Result<BitSet, IndexError> {
    let mut fits = BitSet::with_max_value(texts.num_terms() as u32);
    let terms = |text: &str| -> Vec<String> { words.terms(text).into_iter().map(|(_, term)| term).collect() };
    let folded = condition.operand.to_lowercase();
    let wanted = terms(&condition.operand);
    let mut values = texts.dictionary().stream().map_err(tantivy::TantivyError::from)?;
    let mut ord = 0;
    while values.advance() {
        let value = String::from_utf8_lossy(values.key());
        let holds = match condition.test {
            Test::Is => value.to_lowercase() == folded,
            Test::Has if wanted.is_empty() => value.to_lowercase() == folded,
            Test::Has => {
                let there = terms(&value);
                wanted.iter().all(|word| there.contains(word))
            }
            // Text has no order that people mean.
            _ => false,
        };
        if holds {
            fits.insert(ord);
        }
        ord += 1;
    }
    Ok(fits)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn conditions_are_read_and_written_back() {
        for text in [
            "published>=2024-01-01",
            "author:\"Jane Doe\"",
            "price<20",
            "-type:video",
            "published:2024",
            "price<=3.5",
            "a>1",
        ] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
        }
        assert_eq!("price:<20".parse::<Condition>(), "price<20".parse());
        for text in ["", "author", ":x", "price<cheap", "author:", ">5"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_year_a_month_and_a_day_have_their_ends() {
        assert_eq!(dates("1970"), Some((0, 365 * 86_400)));
        assert_eq!(dates("1970-01"), Some((0, 31 * 86_400)));
        assert_eq!(dates("1970-12"), Some((334 * 86_400, 365 * 86_400)));
        assert_eq!(dates("1970-01-02"), Some((86_400, 2 * 86_400)));
        assert_eq!(dates("20"), None);
        assert_eq!(dates("1970-13"), None);
    }
}

//! Searching by what is known of pages: conditions over the columns of an index. `facets` counts and `sorting` sorts by the same columns.
//!
//! A condition on text looks at the distinct values of a column once and then at the documents' numbers for them; nothing is looked up in the
//! inverted index, so fields cost no postings.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tantivy::columnar::{Column, StrColumn};
use tantivy::{BitSet, DateTime, DocId, SegmentReader};

use super::places::Filter;
use super::sorting::Sort;
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
pub(super) struct Columns {
    pub(super) texts: Option<StrColumn>,
    pub(super) numbers: Option<Column<f64>>,
    pub(super) dates: Option<Column<DateTime>>,
}

impl Columns {
    pub(super) fn open(reader: &SegmentReader, name: &str) -> tantivy::Result<Self> {
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

//! How well wrappers fit pages: predicted where nothing is labelled (section 10.3.3), measured where there are labels (section 9.5.1.2).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::extract::{NEIGHBOURS, THRESHOLD, extract_within};
use crate::fields::{Fields, Host};
use crate::labels::{Labels, Record, is_same};
use crate::library::Found;
use crate::tree::Tree;

/// The distance up to which a record counts as a perfect match: no attribute is missing, and at most a stray node in ten.
const PERFECT: f64 = 0.1;
/// The distance up to which a page that is one record counts as what was labelled.
const PERFECT_PAGE: f64 = 0.5;

/// What is to be expected of wrappers on pages without labels.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outlook {
    /// Pages looked at.
    pub pages: u64,
    /// Pages on which no wrapper finds a record.
    pub without: u64,
    /// Records found.
    pub records: u64,
    /// Records that fit a wrapper without a difference.
    pub perfect: u64,
    /// Predicted recall: records that fit perfectly, of those that should be there.
    pub recall: f64,
    /// Predicted precision, of records that fit perfectly.
    pub precision: f64,
    /// By attribute.
    pub attributes: BTreeMap<String, Presence>,
}

/// How often an attribute is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Presence {
    /// The share of labelled records that have it.
    pub labelled: f64,
    /// The share of found records that have it.
    pub found: f64,
}

/// Predicts how well a host's fields do on pages of it.
pub fn predict(trees: &[Tree], host: &Host) -> Outlook {
    let mut outlook = Outlook { pages: trees.len() as u64, precision: 1.0, ..Outlook::default() };
    let mut expected = 0.0;
    let mut having: BTreeMap<String, u64> = BTreeMap::new();
    for tree in trees {
        let found = extract_within(tree, host, THRESHOLD);
        let perfect = found.iter().filter(|record| is_perfect(record, host)).count() as u64;
        outlook.without += u64::from(found.is_empty());
        outlook.records += found.len() as u64;
        outlook.perfect += perfect;
        // Pages have as many records as labelled ones, on average; where some are found, the page itself says how many it has.
        expected += if found.is_empty() { host.mean_records().max(1.0) } else { found.len() as f64 };
        for name in found.iter().flat_map(|record| record.values.keys()) {
            *having.entry(name.clone()).or_default() += 1;
        }
    }
    outlook.recall = if expected > 0.0 { (outlook.perfect as f64 / expected).min(1.0) } else { 0.0 };
    let share = |count: u64, of: u64| if of == 0 { 0.0 } else { count as f64 / of as f64 };
    for (name, facts) in &host.attributes {
        let found = share(having.get(name).copied().unwrap_or(0), outlook.records);
        outlook.attributes.insert(name.clone(), Presence { labelled: share(facts.records, host.records), found });
    }
    outlook
}

/// Whether a record is as those that were labelled: no difference, and every attribute that all of them have.
fn is_perfect(record: &Found, host: &Host) -> bool {
    let most = if record.wrapper == NEIGHBOURS { PERFECT_PAGE } else { PERFECT };
    let complete =
        host.attributes.iter().all(|(name, facts)| facts.records < host.records || record.values.contains_key(name));
    record.distance <= most && complete
}

/// Precision, recall and F1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// Of what was found, the share that is right.
    pub precision: f64,
    /// Of what is there, the share that was found.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Measured {
    fn new(precision: f64, recall: f64) -> Self {
        let f1 = if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
        Measured { precision, recall, f1 }
    }
}

/// How well fields do on labelled pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Labelled pages.
    pub pages: u64,
    /// Labelled records.
    pub records: u64,
    /// Records found on them.
    pub found: u64,
    /// By attribute, over records.
    pub attributes: BTreeMap<String, Measured>,
    /// Over records: attribute level times record level.
    pub by_record: Measured,
}

#[derive(Default)]
struct Count {
    right: u64,
    found: u64,
    there: u64,
}

/// Measures fields on labelled pages. Pages without labels are passed over.
pub fn measure(trees: &[Tree], fields: &Fields, labels: &Labels) -> Report {
    let mut report = Report::default();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let (mut precision, mut recall, mut aligned) = (0.0, 0.0, 0u64);
    for tree in trees {
        let Some(truth) = labels.pages.get(&tree.id) else { continue };
        let truth: Vec<&Record> = truth.iter().filter(|record| !record.is_empty()).collect();
        let found = crate::extract::extract(tree, fields);
        report.pages += 1;
        report.records += truth.len() as u64;
        report.found += found.len() as u64;
        let pairs = pair(&truth, &found);
        for (number, record) in truth.iter().enumerate() {
            let own = pairs.iter().find(|&&(at, _)| at == number).map(|&(_, at)| &found[at]);
            count(record, own, &mut counts);
            if let Some(own) = own {
                let right = right_of(record, own) as f64;
                precision += right / known(record, own).max(1) as f64;
                recall += right / record.values().filter(|values| !values.is_empty()).count().max(1) as f64;
                aligned += 1;
            }
        }
        for (_, extra) in found.iter().enumerate().filter(|(at, _)| !pairs.iter().any(|(_, own)| own == at)) {
            extra.values.keys().for_each(|name| counts.entry(name.clone()).or_default().found += 1);
        }
    }
    let share = |part: f64, of: u64| if of == 0 { 0.0 } else { part / of as f64 };
    let rate =
        |count: &Count| Measured::new(share(count.right as f64, count.found), share(count.right as f64, count.there));
    report.attributes = counts.iter().map(|(name, count)| (name.clone(), rate(count))).collect();
    let precision = share(precision, aligned) * share(aligned as f64, report.found);
    report.by_record = Measured::new(precision, share(recall, aligned) * share(aligned as f64, report.records));
    report
}

fn count(record: &Record, own: Option<&Found>, counts: &mut BTreeMap<String, Count>) {
    for (name, values) in record {
        let count = counts.entry(name.clone()).or_default();
        let got = own.and_then(|own| own.values.get(name));
        count.there += u64::from(!values.is_empty());
        count.found += u64::from(got.is_some());
        count.right += u64::from(is_right(values, own, name));
    }
}

/// Attributes of a found record that the label speaks of. What it does not speak of is unknown, not wrong.
fn known(record: &Record, own: &Found) -> usize {
    own.values.keys().filter(|name| record.contains_key(*name)).count()
}

fn is_right(values: &[String], own: Option<&Found>, name: &str) -> bool {
    let got = own.and_then(|own| own.values.get(name)).and_then(|got| got.first());
    got.is_some_and(|got| values.iter().any(|value| is_same(value, &got.text)))
}

fn right_of(record: &Record, own: &Found) -> usize {
    record.iter().filter(|(name, values)| is_right(values, Some(own), name)).count()
}

/// Pairs true records with found ones, in page order, such that most values agree.
pub fn pair(truth: &[&Record], found: &[Found]) -> Vec<(usize, usize)> {
    let agree: Vec<Vec<usize>> =
        truth.iter().map(|record| found.iter().map(|own| right_of(record, own)).collect()).collect();
    let (rows, columns) = (truth.len(), found.len());
    let mut best = vec![vec![0; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let both = agree[row][column] + best[row + 1][column + 1];
            best[row][column] = both.max(best[row + 1][column]).max(best[row][column + 1]);
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut pairs = Vec::new();
    while row < rows && column < columns {
        let own = agree[row][column];
        if own > 0 && best[row][column] == own + best[row + 1][column + 1] {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if best[row][column] == best[row + 1][column] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

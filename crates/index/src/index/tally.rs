//! How many pages say what about themselves, and who tells: counted while an index is built.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use unhusk_pages::field::{Counts, Fields, Kind, LeftOut, Source};
use unhusk_pages::metadata::choose::Chosen;

/// What pages say about themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The fields there are.
    pub fields: BTreeMap<String, Coverage>,
    /// What pages said and is in no field, by reason, of pages that were parsed for this build.
    pub left_out: BTreeMap<LeftOut, u64>,
    /// What sites say on their pages alike, by field: so many values are in no field, of pages that were parsed for this build.
    pub sites: BTreeMap<String, u64>,
}

/// On how many pages a field is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Pages that have it.
    pub pages: u64,
    /// Values, all pages together.
    pub values: u64,
    /// Pages by who tells.
    pub sources: BTreeMap<Source, u64>,
    /// Values by their kind.
    pub kinds: BTreeMap<Kind, u64>,
}

impl Tally {
    /// Counts the fields of a document.
    pub fn add(&mut self, fields: &Fields) {
        for (name, values) in fields.iter() {
            let coverage = match self.fields.get_mut(name) {
                Some(coverage) => coverage,
                None => self.fields.entry(name.to_owned()).or_default(),
            };
            coverage.pages += 1;
            coverage.values += values.len() as u64;
            for value in values {
                *coverage.kinds.entry(value.content.kind()).or_default() += 1;
            }
            let mut sources: Vec<Source> = values.iter().map(|value| value.source).collect();
            sources.sort_unstable();
            sources.dedup();
            for source in sources {
                *coverage.sources.entry(source).or_default() += 1;
            }
        }
    }

    /// Counts what a page says and its document does not have.
    pub fn left_out(&mut self, counts: &Counts, chosen: &Chosen) {
        for (why, count) in counts {
            *self.left_out.entry(*why).or_default() += u64::from(*count);
        }
        for (name, ..) in &chosen.sites {
            *self.sites.entry(name.clone()).or_default() += 1;
        }
    }

    /// Counts what was counted elsewhere.
    pub fn merge(&mut self, other: Tally) {
        for (name, more) in other.fields {
            let coverage = self.fields.entry(name).or_default();
            coverage.pages += more.pages;
            coverage.values += more.values;
            sum(&mut coverage.sources, more.sources);
            sum(&mut coverage.kinds, more.kinds);
        }
        sum(&mut self.left_out, other.left_out);
        sum(&mut self.sites, other.sites);
    }
}

fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (key, count) in from {
        *into.entry(key).or_default() += count;
    }
}

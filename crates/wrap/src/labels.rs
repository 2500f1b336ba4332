//! Labels: which records a person marked on a page, and where their values stand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::tree::Tree;

/// The labelled records of one page, by number.
pub type Records = Vec<Record>;

/// A record: values by attribute. An attribute without values is known to be missing.
pub type Record = BTreeMap<String, Vec<String>>;

/// The labelled pages by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Their records.
    pub pages: BTreeMap<String, Records>,
}

/// Why labels cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A line is no label.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong and what to write.
        problem: String,
    },
    /// There is no label at all.
    #[error("{}: no labels; write id<TAB>record<TAB>attribute<TAB>value, or JSON lines {{\"id\": …, \"records\": [{{…}}]}}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Labels of pages that are not there.
    #[error(
        "{count} labelled pages are not in the collection, the first is {id}; ids are as `unhusk extract` prints them"
    )]
    NoSuchPage {
        /// The first of them.
        id: String,
        /// How many.
        count: usize,
    },
    /// A value stands nowhere on its page.
    #[error(
        "page {id}, record {record}, attribute {attribute}: the value {value:?} is nowhere on the page, neither as text nor as href, src, datetime or content; write it as it stands there"
    )]
    NowhereOnPage {
        /// The page.
        id: String,
        /// The record's number.
        record: usize,
        /// The attribute.
        attribute: String,
        /// The value.
        value: String,
    },
}

/// A page's line of JSON.
#[derive(Deserialize)]
struct Line {
    id: String,
    records: Vec<BTreeMap<String, Value>>,
}

impl Labels {
    /// Reads a file of labels, tab-separated or JSON lines.
    pub fn read(path: &Path) -> Result<Self, LabelError> {
        let bytes = std::fs::read(path).map_err(|source| LabelError::Io { path: path.to_owned(), source })?;
        Self::parse(&bytes, path)
    }

    /// Reads labels; `path` is what errors call them.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, LabelError> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut labels = Labels::default();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let read = if line.starts_with('{') { labels.json(line) } else { labels.tabs(line) };
            read.map_err(|problem| LabelError::Line { path: path.to_owned(), line: number + 1, problem })?;
        }
        if labels.attributes().is_empty() {
            return Err(LabelError::Empty { path: path.to_owned() });
        }
        Ok(labels)
    }

    fn tabs(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[id, record, attribute, value] = fields.as_slice() else {
            return Err(format!("{} fields; write id<TAB>record<TAB>attribute<TAB>value", fields.len()));
        };
        let number: usize = match record.trim().parse() {
            Ok(number) if number < MOST_RECORDS => number,
            _ => return Err(format!("the record {record:?} is no number from 0 to {}", MOST_RECORDS - 1)),
        };
        let records = self.pages.entry(id.to_owned()).or_default();
        if number >= records.len() {
            records.resize_with(number + 1, Record::new);
        }
        add(&mut records[number], attribute, value)
    }

    fn json(&mut self, line: &str) -> Result<(), String> {
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if self.pages.contains_key(&line.id) {
            return Err(format!("page {} was labelled before; put its records into one line", line.id));
        }
        let mut records = Records::new();
        for given in line.records {
            let mut record = Record::new();
            for (attribute, value) in given {
                match value {
                    Value::Array(values) if values.is_empty() => add(&mut record, &attribute, "")?,
                    Value::Array(values) => {
                        values.iter().try_for_each(|value| add(&mut record, &attribute, &plain(value)?))?;
                    }
                    value => add(&mut record, &attribute, &plain(&value)?)?,
                }
            }
            records.push(record);
        }
        self.pages.insert(line.id, records);
        Ok(())
    }

    /// All attributes, in the order of their names.
    pub fn attributes(&self) -> BTreeSet<&str> {
        self.pages.values().flatten().flat_map(|record| record.keys().map(String::as_str)).collect()
    }

    /// How many records are labelled.
    pub fn record_count(&self) -> usize {
        self.pages.values().map(|records| records.iter().filter(|record| !record.is_empty()).count()).sum()
    }

    /// An error where labelled pages are missing.
    pub fn check_pages<'i>(&self, ids: impl IntoIterator<Item = &'i str>) -> Result<(), LabelError> {
        let known: BTreeSet<&str> = ids.into_iter().collect();
        let missing: Vec<&String> = self.pages.keys().filter(|id| !known.contains(id.as_str())).collect();
        match missing.first() {
            Some(&id) => Err(LabelError::NoSuchPage { id: id.clone(), count: missing.len() }),
            None => Ok(()),
        }
    }
}

/// Records of a page beyond which a number is a mistake.
const MOST_RECORDS: usize = 1_000_000;

/// Adds a value. Nothing means that the record has none, which contradicts any value.
fn add(record: &mut Record, attribute: &str, value: &str) -> Result<(), String> {
    let attribute = attribute.trim();
    if attribute.is_empty() {
        return Err("the attribute has no name".to_owned());
    }
    let value = folded(value);
    let known = record.contains_key(attribute);
    let values = record.entry(attribute.to_owned()).or_default();
    if known && (values.is_empty() || value.is_empty()) && !(values.is_empty() && value.is_empty()) {
        return Err(format!("{attribute} has a value and is missing at once (an empty value says that it is missing)"));
    }
    if !value.is_empty() && !values.contains(&value) {
        values.push(value);
    }
    Ok(())
}

fn plain(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null => Ok(String::new()),
        _ => Err(format!(
            "the value {value} is no text; write \"attribute\": \"value\" or \"attribute\": [\"value\", …]"
        )),
    }
}

/// Text with white space folded to single spaces, as trees have it; zero-width characters do not count.
pub fn folded(text: &str) -> String {
    let shown: String =
        text.chars().filter(|c| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{2060}')).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A place that a value may be read from: a node, and what stands before and behind the value in its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The node.
    pub node: u32,
    /// Text of the node before the value.
    pub before: String,
    /// Text of the node behind it.
    pub after: String,
}

/// Text of inner nodes that is looked at: values that are longer are not found in parts.
const LONGEST_INNER: usize = 20_000;

/// Where a value stands on a page. Whole texts and attributes come first; where there are none, elements whose whole text it is, the
/// lowest; where there are none, texts and elements that it is part of.
pub fn places(tree: &Tree, value: &str) -> Vec<Place> {
    let nodes = 0..tree.nodes.len() as u32;
    let whole = |node: u32| Place { node, before: String::new(), after: String::new() };
    let leaves = nodes.clone().filter(|&node| tree.is_leaf(node) && !tree.leaf_text(node).is_empty());
    let found: Vec<Place> = leaves.clone().filter(|&leaf| is_same(tree.leaf_text(leaf), value)).map(whole).collect();
    if !found.is_empty() {
        return found;
    }
    let inner = nodes.filter(|&node| !tree.is_leaf(node));
    let fits = |node: u32| {
        let bytes = tree.text_bytes(node);
        bytes + 64 >= value.len() / 2 && bytes <= LONGEST_INNER
    };
    let holding: Vec<(u32, String)> = inner
        .filter(|&node| fits(node))
        .map(|node| (node, folded(&tree.text(node))))
        .filter(|(_, text)| has(text, value))
        .collect();
    let equal: Vec<u32> = holding.iter().filter(|(_, text)| is_same(text, value)).map(|&(node, _)| node).collect();
    if !equal.is_empty() {
        return lowest(tree, &equal).into_iter().map(whole).collect();
    }
    let parts: Vec<Place> = leaves.filter_map(|leaf| part(leaf, &folded(tree.leaf_text(leaf)), value)).collect();
    if !parts.is_empty() {
        return parts;
    }
    let low = lowest(tree, &holding.iter().map(|&(node, _)| node).collect::<Vec<_>>());
    let holding = holding.into_iter().filter(|(node, _)| low.contains(node));
    holding.filter_map(|(node, text)| part(node, &text, value)).collect()
}

/// Those that no other of them is inside of.
fn lowest(tree: &Tree, nodes: &[u32]) -> Vec<u32> {
    let mut low: Vec<u32> = nodes.to_vec();
    low.retain(|&node| !nodes.iter().any(|other| tree.inside(node).contains(other)));
    low
}

fn has(text: &str, value: &str) -> bool {
    text.contains(value) || is_same(text, value)
}

/// Whether two texts are the same but for white space and case.
pub fn is_same(a: &str, b: &str) -> bool {
    a == b || (a.len().abs_diff(b.len()) < 64 && folded(a).to_lowercase() == folded(b).to_lowercase())
}

/// The place of a value inside a text, at the edges of words.
fn part(node: u32, text: &str, value: &str) -> Option<Place> {
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(value).find_map(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = &rest[value.len()..];
        let cut = (word(before.chars().next_back()) && word(value.chars().next()))
            || (word(value.chars().next_back()) && word(after.chars().next()));
        (!cut).then(|| Place { node, before: before.to_owned(), after: after.to_owned() })
    })
}

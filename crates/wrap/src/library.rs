//! A library of wrappers by tag path, and how records are found with it (section 9.3, algorithm 8).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::align::{Alignment, PageSide, align};
use crate::cut::Reading;
use crate::tree::{TEXT, Tree};
use crate::wrapper::Wrapper;

/// A wrapper and the tag path it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Tags from the root to the boundary node, joined by `/`; empty for wrappers of whole pages.
    pub stick: String,
    /// Labelled records that refined it.
    pub level: u32,
    /// Labelled records that it stands for.
    pub members: u32,
    /// Whether several labelled records have one boundary node.
    #[serde(default)]
    pub beside: bool,
    /// The head.
    pub head: Wrapper,
}

/// A value, where it stands and what found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The value.
    pub text: String,
    /// Its node.
    pub node: u32,
}

/// A record that was found.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Found {
    /// Values by attribute, in page order.
    pub values: BTreeMap<String, Vec<Value>>,
    /// The wrapper, by its place in the library.
    pub wrapper: usize,
    /// Its distance.
    pub distance: f64,
    /// Where it begins.
    pub start: u32,
    /// Whether the bound of the alignment was hit.
    pub bounded: bool,
}

/// Roots of a window beyond those of the wrapper.
const SPARE: usize = 8;

/// Finds all records of a page whose distance is at most the threshold, in page order, none twice.
pub fn extract(tree: &Tree, entries: &[Entry], readings: &BTreeMap<String, Reading>, threshold: f64) -> Vec<Found> {
    let mut directory: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        directory.entry(&entry.stick).or_default().push(number);
    }
    let mut taken = vec![false; tree.nodes.len()];
    let mut records = Vec::new();
    for (stick, wrappers) in directory {
        let boundaries = boundaries(tree, stick);
        let one_each = boundaries.len() > 1 && !wrappers.iter().any(|&number| entries[number].beside);
        for boundary in boundaries {
            let mut finder =
                Finder { tree, entries, wrappers: &wrappers, readings, threshold, one_each, taken: &mut taken };
            finder.from(boundary, stick.is_empty(), &mut records);
        }
    }
    records.sort_by_key(|record| record.start);
    records
}

/// The nodes that a path of tags leads to. The empty path leads to the page itself.
pub fn boundaries(tree: &Tree, stick: &str) -> Vec<u32> {
    let mut nodes = vec![0];
    for (depth, tag) in stick.split('/').filter(|tag| !tag.is_empty()).enumerate() {
        let fits = |node: &u32| tree.name(*node).tag == tag;
        nodes = match depth {
            0 => nodes.into_iter().filter(fits).collect(),
            _ => nodes.iter().flat_map(|&node| tree.children(node)).filter(fits).collect(),
        };
    }
    nodes
}

struct Finder<'f> {
    tree: &'f Tree,
    entries: &'f [Entry],
    wrappers: &'f [usize],
    readings: &'f BTreeMap<String, Reading>,
    threshold: f64,
    /// Whether a boundary node has one record.
    one_each: bool,
    taken: &'f mut [bool],
}

impl Finder<'_> {
    fn from(&mut self, boundary: u32, whole: bool, records: &mut Vec<Found>) {
        if whole {
            if let Some((found, alignment)) = self.best(&[0]) {
                self.take(found, &alignment, records);
            }
            return;
        }
        let children: Vec<u32> = self.tree.children(boundary).collect();
        let mut at = 0;
        while at < children.len() {
            let Some((wrapper, alignment)) = self.best(&children[at..]) else {
                at += 1;
                continue;
            };
            // Another start inside this window may fit better, as where a heading looks like a record's first part.
            let distance = self.distance(wrapper, &alignment);
            let better = (at + 1..at + alignment.consumed).find(|&later| {
                distance > 0.0 && self.best(&children[later..]).is_some_and(|(w, a)| self.distance(w, &a) < distance)
            });
            if let Some(later) = better {
                at = later;
                continue;
            }
            let shared = self.take(wrapper, &alignment, records);
            if self.one_each {
                return;
            }
            if !shared {
                at += alignment.consumed.max(1);
            }
        }
    }

    fn distance(&self, wrapper: usize, alignment: &Alignment) -> f64 {
        alignment.distance(self.entries[wrapper].head.weight())
    }

    /// The wrapper that fits the roots best, where one fits.
    fn best(&self, roots: &[u32]) -> Option<(usize, Alignment)> {
        let mut best: Option<(usize, Alignment, f64)> = None;
        for &number in self.wrappers {
            let head = &self.entries[number].head;
            let tops: Vec<u32> = head.tops().collect();
            let repeats = tops.iter().any(|&top| head.nodes[top as usize].sign.repeats());
            let most = if repeats { roots.len() } else { (2 * tops.len() + SPARE).min(roots.len()) };
            let first = self.tree.name(*roots.first()?).tag_hash;
            let starts =
                |&top: &u32| head.nodes[top as usize].tag_hash == first || head.nodes[top as usize].tag == "()";
            if !tops.iter().any(starts) {
                continue;
            }
            let side = PageSide { tree: self.tree, taken: self.taken };
            let free: Vec<u32> = roots[..most].iter().copied().filter(|&root| !self.taken[root as usize]).collect();
            if free.first() != roots.first() {
                continue;
            }
            let alignment = align(head, &side, &free, true);
            let labelled = alignment.pairs.iter().any(|&(node, _)| !head.nodes[node as usize].labels.is_empty());
            let distance = alignment.distance(head.weight());
            if labelled && distance <= self.threshold && best.as_ref().is_none_or(|(_, _, known)| distance < *known) {
                best = Some((number, alignment, distance));
            }
        }
        best.map(|(number, alignment, _)| (number, alignment))
    }

    /// Writes a record down and takes its nodes. Returns whether another record may share some of them.
    fn take(&mut self, wrapper: usize, alignment: &Alignment, records: &mut Vec<Found>) -> bool {
        let head = &self.entries[wrapper].head;
        let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut shared = false;
        let mut filled = vec![false; head.nodes.len()];
        for &(node, own) in &alignment.pairs {
            filled[node as usize] = true;
            let of = &head.nodes[node as usize];
            shared |= of.shared;
            if !of.shared || !of.labels.is_empty() {
                self.taken[own as usize] = true;
            }
            for label in &of.labels {
                let text = self.read(label, &self.tree.text(own));
                if !text.is_empty() {
                    values.entry(label.clone()).or_default().push(Value { text, node: own });
                }
            }
        }
        self.nearby(head, alignment, &filled, &mut values);
        let start = alignment.pairs.iter().map(|&(_, own)| own).min().unwrap_or(0);
        let distance = self.distance(wrapper, alignment);
        records.push(Found { values, wrapper, distance, start, bounded: alignment.bounded });
        shared
    }

    fn read(&self, label: &str, text: &str) -> String {
        self.readings.get(label).map_or_else(|| Reading::default().value(text), |reading| reading.value(text))
    }

    /// A labelled text that was not found where its parent was: the parent's text, if it has but one. Emphasis and links come and go.
    fn nearby(
        &self,
        head: &Wrapper,
        alignment: &Alignment,
        filled: &[bool],
        values: &mut BTreeMap<String, Vec<Value>>,
    ) {
        let partner: BTreeMap<u32, u32> = alignment.pairs.iter().copied().collect();
        let mut open: Vec<u32> = Vec::new();
        for (number, node) in head.nodes.iter().enumerate() {
            open.truncate(node.depth as usize);
            if !node.labels.is_empty() && node.tag == TEXT && !filled[number] {
                // The lowest node around it that was found.
                let around = open.iter().rev().find_map(|parent| partner.get(parent));
                for label in &node.labels {
                    let Some(&around) = around.filter(|_| !values.contains_key(label)) else { continue };
                    let mut texts = self.tree.inside(around).filter(|&leaf| self.tree.is_text(leaf));
                    if let (Some(only), None) = (texts.next(), texts.next()) {
                        let text = self.read(label, self.tree.leaf_text(only));
                        values.insert(label.clone(), vec![Value { text, node: only }]);
                    }
                }
            }
            open.push(number as u32);
        }
    }
}

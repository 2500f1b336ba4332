//! Brooms: a record is a head, the sub-trees that hold its values, and a stick, the tag path to them (section 9.2, algorithm 7).

use std::collections::{BTreeMap, BTreeSet};

use crate::texts::{Texts, paths};
use crate::tree::Tree;
use crate::wrapper::Wrapper;

/// The labelled nodes of one record: node and attribute.
pub type Marked = BTreeMap<u32, Vec<String>>;

/// A record cut out of its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broom {
    /// Tags from the root to the boundary node.
    pub stick: Vec<String>,
    /// The record region, repeated parts not yet combined.
    pub head: Wrapper,
}

/// The node whose sub-tree covers a record and no smaller one does, and whose children the region is made of.
pub fn boundary(tree: &Tree, record: &Marked) -> Option<u32> {
    let (&first, _) = record.first_key_value()?;
    let (&last, _) = record.last_key_value()?;
    let common = tree.common(first, last);
    // A record of one value: its region is that node.
    Some(if record.contains_key(&common) { tree.nodes[common as usize].parent } else { common })
}

/// The children of the boundary node that the record region is made of.
pub fn region(tree: &Tree, boundary: u32, record: &Marked) -> Vec<u32> {
    let children: Vec<u32> = tree.children(boundary).collect();
    let holds = |child: &u32| record.range(*child..tree.nodes[*child as usize].end).next().is_some();
    let (Some(first), Some(last)) = (children.iter().position(holds), children.iter().rposition(holds)) else {
        return Vec::new();
    };
    children[first..=last].to_vec()
}

/// Cuts records out of a page, algorithm 7 for each of them.
pub fn brooms(tree: &Tree, records: &[Marked], texts: &Texts) -> Vec<Option<Broom>> {
    let known = known_texts(tree, texts);
    records
        .iter()
        .enumerate()
        .map(|(number, record)| {
            let boundary = boundary(tree, record)?;
            let others: BTreeSet<u32> = records
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != number)
                .flat_map(|(_, marked)| marked.keys().copied())
                .collect();
            let mut cutter = Cutter { tree, record, others, known: &known, head: Wrapper::default() };
            for top in region(tree, boundary, record) {
                cutter.copy(top, 0);
            }
            let mut stick: Vec<String> = tree.ancestors(boundary).map(|node| tree.name(node).tag.clone()).collect();
            stick.reverse();
            let mut head = cutter.head;
            head.measure();
            Some(Broom { stick, head })
        })
        .collect()
}

/// A whole page as a wrapper of one record or several: page level (section 8.2).
pub fn whole(tree: &Tree, records: &[Marked], texts: &Texts) -> Wrapper {
    let known = known_texts(tree, texts);
    let mut all = Marked::new();
    for record in records {
        for (&node, labels) in record {
            let known: &mut Vec<String> = all.entry(node).or_default();
            known.extend(labels.iter().filter(|label| !known.contains(label)).cloned().collect::<Vec<_>>());
        }
    }
    let mut cutter = Cutter { tree, record: &all, others: BTreeSet::new(), known: &known, head: Wrapper::default() };
    cutter.copy(0, 0);
    cutter.head.measure();
    cutter.head
}

/// For each node whether its text is known to be said in that place: on most pages, or several times on this one.
fn known_texts(tree: &Tree, texts: &Texts) -> Vec<bool> {
    let paths = paths(tree);
    let mut times: BTreeMap<(u64, &str), u32> = BTreeMap::new();
    let mut of_path: BTreeMap<u64, u32> = BTreeMap::new();
    let leaves: Vec<u32> = (0..tree.nodes.len() as u32).filter(|&node| tree.is_text(node)).collect();
    for &leaf in &leaves {
        *times.entry((paths[leaf as usize], tree.leaf_text(leaf))).or_default() += 1;
        *of_path.entry(paths[leaf as usize]).or_default() += 1;
    }
    let mut known = vec![false; tree.nodes.len()];
    for leaf in leaves {
        let (path, text) = (paths[leaf as usize], tree.leaf_text(leaf));
        let here = times[&(path, text)];
        let often = here >= 3 && f64::from(here) >= REPEATED * f64::from(of_path[&path]);
        known[leaf as usize] = if texts.pages() > 2 { texts.holds(path, text) } else { often };
    }
    known
}

/// The share of the texts of a path that a text must be to be known, where there is but a page or two.
const REPEATED: f64 = 0.08;

struct Cutter<'t> {
    tree: &'t Tree,
    record: &'t Marked,
    /// Labelled nodes of other records.
    others: BTreeSet<u32>,
    known: &'t [bool],
    head: Wrapper,
}

impl Cutter<'_> {
    /// `SelectivelyCopyOneSubtree`.
    fn copy(&mut self, top: u32, depth: u32) {
        let end = self.tree.nodes[top as usize].end;
        let own = self.record.range(top..end).next().is_some();
        let foreign = self.others.range(top..end).next().is_some();
        if !own && foreign {
            return;
        }
        let at = self.push(top, depth);
        self.head.nodes[at].shared = foreign;
        let children: Vec<u32> = self.tree.children(top).collect();
        for child in children {
            self.copy(child, depth + 1);
        }
    }

    fn push(&mut self, node: u32, depth: u32) -> usize {
        let labels = self.record.get(&node).cloned().unwrap_or_default();
        let at = self.head.push(self.tree, node, depth, labels);
        if !self.known[node as usize] {
            self.head.nodes[at].text = None;
        }
        at
    }
}

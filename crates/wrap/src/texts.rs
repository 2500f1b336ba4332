//! The texts that places hold: what many pages of a site say in the same place is no value, but tells what stands beside it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::tree::{Tree, hash};

/// What places of a site say, by tag path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Listing", into = "Listing")]
pub struct Texts {
    listing: Listing,
    known: HashSet<u64>,
}

/// Texts by tag path, and the pages they were seen on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Listing {
    pages: u32,
    texts: BTreeMap<String, BTreeSet<String>>,
}

/// The share of pages on which a place holds a text for it to be known.
const SHARE: f64 = 0.3;
/// Longer texts are no labels.
const LONGEST: usize = 200;

/// What a text in a place is known by: hash of path and text.
fn key(path: u64, text: &str) -> u64 {
    path ^ hash(text).rotate_left(17)
}

fn below(path: u64, tag: u64) -> u64 {
    path.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(5) ^ tag
}

/// The hash of the tag path of every node.
pub fn paths(tree: &Tree) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(tree.nodes.len());
    for (number, node) in tree.nodes.iter().enumerate() {
        let above = if number == 0 { 0 } else { paths[node.parent as usize] };
        paths.push(below(above, tree.names[node.name as usize].tag_hash));
    }
    paths
}

impl Texts {
    /// What the places of these pages say.
    pub fn new<'t>(trees: impl IntoIterator<Item = &'t Tree> + Clone) -> Self {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        let mut pages = 0;
        for tree in trees.clone() {
            let paths = paths(tree);
            let seen: HashSet<u64> = short(tree).map(|leaf| key(paths[leaf as usize], tree.leaf_text(leaf))).collect();
            seen.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
            pages += 1;
        }
        let least = (SHARE * f64::from(pages)).max(2.0);
        counts.retain(|_, count| f64::from(*count) >= least);
        let mut listing = Listing { pages, texts: BTreeMap::new() };
        for tree in trees {
            let paths = paths(tree);
            for leaf in short(tree) {
                let text = tree.leaf_text(leaf);
                if counts.remove(&key(paths[leaf as usize], text)).is_some() {
                    listing.texts.entry(tree.path(leaf)).or_default().insert(text.to_owned());
                }
            }
        }
        listing.into()
    }

    /// Whether this path is known to hold this text.
    pub fn holds(&self, path: u64, text: &str) -> bool {
        !self.known.is_empty() && self.known.contains(&key(path, text))
    }

    /// How many pages were read.
    pub fn pages(&self) -> u32 {
        self.listing.pages
    }

    /// How many texts are known.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// What either knows.
    pub fn join(&mut self, other: &Texts) {
        self.listing.pages += other.listing.pages;
        for (path, texts) in &other.listing.texts {
            self.listing.texts.entry(path.clone()).or_default().extend(texts.iter().cloned());
        }
        self.known.extend(&other.known);
    }
}

fn short(tree: &Tree) -> impl Iterator<Item = u32> + '_ {
    (0..tree.nodes.len() as u32).filter(|&node| tree.is_text(node) && tree.leaf_text(node).len() <= LONGEST)
}

impl From<Listing> for Texts {
    fn from(listing: Listing) -> Self {
        let mut known = HashSet::new();
        for (path, texts) in &listing.texts {
            let path = path.split('/').fold(0, |above, tag| below(above, hash(tag)));
            known.extend(texts.iter().map(|text| key(path, text)));
        }
        Texts { listing, known }
    }
}

impl From<Texts> for Listing {
    fn from(texts: Texts) -> Self {
        texts.listing
    }
}

//! Where a value stands, told by what is around it: path, class names, labels before it and behind it, its place among neighbours.
//!
//! Tags alone are too weak for pages that vary. Here every leaf has a few traits; how much a trait tells is the share of labelled
//! values that have it against the share of all the site's leaves that do. What the site's unlabelled pages show refines it: where the
//! best leaf stands out clearly, it counts as a weaker label (expectation maximisation, a fixed number of rounds).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unhusk_pages::hashed::HashedMap;

use crate::texts::{Texts, paths};
use crate::tree::{Tree, hash};

/// The traits of a leaf.
pub const TRAITS: usize = 15;

/// What a trait is called, how many unseen values are expected (the more, the less a missing one says), and how much it counts.
const KINDS: [(&str, f64, f64); TRAITS] = [
    ("path", 0.30, 0.5),
    ("classes", 0.30, 0.5),
    ("classes close by", 0.20, 0.6),
    ("below a class", 0.20, 0.6),
    ("numbered path", 1.00, 0.5),
    ("number", 0.60, 0.5),
    ("label before", 0.15, 1.0),
    ("label and gap", 0.30, 0.8),
    ("label behind", 0.50, 0.6),
    ("text before", 1.00, 0.5),
    ("shape", 0.80, 0.6),
    ("two labels before", 0.60, 0.5),
    ("kind", 0.30, 0.6),
    ("siblings", 0.40, 0.5),
    ("text behind", 1.00, 0.4),
];

/// The share of the best score that a leaf must have.
pub const THRESHOLD: f64 = 0.15;
/// How often the site's pages are looked at again.
const ROUNDS: usize = 3;
/// What a page counts whose best leaf is found and not labelled.
const UNLABELLED: f64 = 0.2;
/// Known values of a trait that are kept.
const MOST_KNOWN: usize = 64;
/// Elements of more nodes than this are no values.
const LARGEST_INNER: u32 = 60;

/// A node that a value may be read from, and its traits.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The node.
    pub node: u32,
    /// Hashes of its traits.
    pub traits: [u64; TRAITS],
}

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// What is known of each node from the way to it.
struct Ways {
    paths: Vec<u64>,
    marked: Vec<u64>,
    numbered: Vec<u64>,
    below: Vec<u64>,
    number: Vec<u32>,
    siblings: Vec<u64>,
}

impl Ways {
    fn new(tree: &Tree) -> Self {
        let count = tree.nodes.len();
        let zeros = || vec![0u64; count];
        let mut ways = Ways {
            paths: paths(tree),
            marked: zeros(),
            numbered: zeros(),
            below: zeros(),
            number: vec![0; count],
            siblings: zeros(),
        };
        let mut seen: HashedMap<u32> = HashedMap::default();
        // The last child of each node so far: what it is, and which.
        let mut last: Vec<(u64, u32)> = vec![(0, u32::MAX); count];
        for (at, node) in tree.nodes.iter().enumerate() {
            let name = &tree.names[node.name as usize];
            let parent = node.parent as usize;
            let own = mix(name.tag_hash, name.mark_hash);
            let above = |way: &[u64]| if at == 0 { 0 } else { way[parent] };
            let nth = seen.entry(mix(name.tag_hash, u64::from(node.parent))).or_default();
            ways.number[at] = *nth;
            *nth += 1;
            ways.marked[at] = mix(above(&ways.marked), own);
            ways.numbered[at] = mix(above(&ways.numbered), mix(name.tag_hash, u64::from(ways.number[at])));
            ways.below[at] = if name.mark.is_empty() { mix(above(&ways.below), name.tag_hash) } else { own };
            if at > 0 {
                let (before, which) = last[parent];
                ways.siblings[at] = before;
                if let Some(siblings) = ways.siblings.get_mut(which as usize) {
                    *siblings = mix(*siblings, name.tag_hash);
                }
                last[parent] = (own, at as u32);
            }
        }
        ways
    }
}

/// What the leaves of a page say, in order.
struct Row<'t> {
    nodes: Vec<u32>,
    hashes: Vec<u64>,
    labels: Vec<bool>,
    /// The label behind each.
    behind: Vec<u64>,
    /// The label before each, the one before that, and the leaves between.
    before: Vec<(u64, u64, u64)>,
    title: String,
    tree: &'t Tree,
}

impl<'t> Row<'t> {
    fn new(tree: &'t Tree, texts: &Texts, paths: &[u64]) -> Self {
        let count = tree.nodes.len() as u32;
        let nodes: Vec<u32> =
            (0..count).filter(|&node| tree.is_leaf(node) && !tree.leaf_text(node).is_empty()).collect();
        let hashes: Vec<u64> = nodes.iter().map(|&leaf| hash(tree.leaf_text(leaf))).collect();
        let is_label = |&leaf: &u32| tree.is_text(leaf) && texts.holds(paths[leaf as usize], tree.leaf_text(leaf));
        let labels: Vec<bool> = nodes.iter().map(is_label).collect();
        let mut behind = vec![0; nodes.len()];
        let mut next = 0;
        for at in (0..nodes.len()).rev() {
            behind[at] = next;
            if labels[at] {
                next = hashes[at];
            }
        }
        let mut before = Vec::with_capacity(nodes.len());
        let (mut last, mut second, mut gap) = (0, 0, 0);
        for (&label, &hash) in labels.iter().zip(&hashes) {
            before.push((last, second, gap));
            (second, last, gap) = if label { (last, hash, 0) } else { (second, last, gap + 1) };
        }
        let title = nodes.iter().find(|&&leaf| tree.name(tree.nodes[leaf as usize].parent).tag == "title");
        let title = title.map_or(String::new(), |&leaf| tree.leaf_text(leaf).to_lowercase());
        Row { nodes, hashes, labels, behind, before, title, tree }
    }

    /// The traits of a node that holds the leaves from `first` to `last`.
    fn leaf(&self, ways: &Ways, node: u32, first: usize, last: usize) -> Leaf {
        let tree = self.tree;
        let parent = tree.nodes[node as usize].parent as usize;
        let grand = tree.nodes[parent].parent as usize;
        let sign = |node: usize| {
            let name = &tree.names[tree.nodes[node].name as usize];
            mix(name.tag_hash, name.mark_hash)
        };
        let at = node as usize;
        let local = mix(u64::from(ways.number[at]), mix(u64::from(ways.number[parent]), u64::from(ways.number[grand])));
        let (before, second, gap) = self.before[first];
        let text = tree.leaf_text(self.nodes[first]);
        Leaf {
            node,
            traits: [
                ways.paths[at],
                ways.marked[at],
                mix(tree.name(node).tag_hash, mix(sign(parent), sign(grand))),
                ways.below[at],
                ways.numbered[at],
                local,
                before,
                mix(before, gap.min(6)),
                self.behind[last],
                first.checked_sub(1).map_or(0, |at| self.hashes[at]),
                shape(text),
                mix(second, before),
                self.kind(first, text),
                mix(ways.siblings[at], ways.siblings[parent]),
                self.hashes.get(last + 1).copied().unwrap_or(0),
            ],
        }
    }

    /// Whether it is a label itself, and whether the title has it.
    fn kind(&self, at: usize, text: &str) -> u64 {
        let in_title = (3..=self.title.len()).contains(&text.len()) && self.title.contains(&text.to_lowercase());
        u64::from(self.labels[at]) | u64::from(in_title) << 1
    }
}

/// The leaves of a page with their traits; or its small elements, where values are more than a text.
pub fn leaves(tree: &Tree, texts: &Texts, inner: bool) -> Vec<Leaf> {
    let ways = Ways::new(tree);
    let row = Row::new(tree, texts, &ways.paths);
    if !inner {
        return row.nodes.iter().enumerate().map(|(at, &node)| row.leaf(&ways, node, at, at)).collect();
    }
    let mut out = Vec::new();
    for node in 0..tree.nodes.len() as u32 {
        if tree.is_leaf(node) || tree.weight(node) > LARGEST_INNER {
            continue;
        }
        let first = row.nodes.partition_point(|&leaf| leaf < node);
        let end = row.nodes.partition_point(|&leaf| leaf < tree.nodes[node as usize].end);
        if first < end {
            out.push(row.leaf(&ways, node, first, end - 1));
        }
    }
    out
}

/// What a value looks like: runs of letters and digits as one character, the first few.
fn shape(text: &str) -> u64 {
    let mut shape = String::new();
    let mut last = '\0';
    for c in text.chars() {
        let class = match c {
            c if c.is_ascii_digit() => '9',
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        // A word is a word, with a capital or without.
        if class == last || (class == 'a' && last == 'A') {
            continue;
        }
        last = class;
        shape.push(class);
        if shape.len() >= 12 {
            break;
        }
    }
    hash(&shape)
}

/// How often traits occur among all leaves of the site.
#[derive(Clone, Debug)]
pub struct Background {
    counts: Vec<HashedMap<u32>>,
    leaves: u32,
}

impl Background {
    /// Counts the traits of a site's leaves.
    pub fn new(pages: &[Vec<Leaf>]) -> Self {
        let mut all = Background { counts: (0..TRAITS).map(|_| HashedMap::default()).collect(), leaves: 0 };
        for leaf in pages.iter().flatten() {
            all.leaves += 1;
            for (counts, value) in all.counts.iter_mut().zip(leaf.traits) {
                *counts.entry(value).or_default() += 1;
            }
        }
        all
    }

    fn share(&self, kind: usize, value: u64) -> f64 {
        let count = self.counts[kind].get(&value).copied().unwrap_or(0).max(1);
        f64::from(count) / f64::from(self.leaves.max(1))
    }
}

/// What tells the values of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Profile {
    /// Whether values are elements and not single texts.
    pub inner: bool,
    /// The best score that any leaf could have.
    pub best: f64,
    /// By trait.
    traits: Vec<Weights>,
}

/// What values of a trait count.
#[derive(Clone, Debug, Default, PartialEq)]
struct Weights {
    known: HashedMap<f64>,
    /// What a value counts that was not seen.
    other: f64,
}

/// A profile in a file.
#[derive(Clone, Serialize, Deserialize)]
struct Saved {
    inner: bool,
    best: f64,
    traits: BTreeMap<String, SavedWeights>,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedWeights {
    /// Weights by the hash of the value.
    known: BTreeMap<String, f64>,
    other: f64,
}

impl From<Profile> for Saved {
    fn from(profile: Profile) -> Self {
        let weights = |weights: Weights| SavedWeights {
            known: weights.known.iter().map(|(value, &weight)| (format!("{value:016x}"), weight)).collect(),
            other: weights.other,
        };
        let names = KINDS.iter().map(|(name, ..)| (*name).to_owned());
        let traits = names.zip(profile.traits.into_iter().map(weights)).collect();
        Saved { inner: profile.inner, best: profile.best, traits }
    }
}

impl TryFrom<Saved> for Profile {
    type Error = String;

    fn try_from(mut saved: Saved) -> Result<Self, String> {
        let mut traits = Vec::with_capacity(TRAITS);
        for (name, ..) in KINDS {
            let SavedWeights { known, other } =
                saved.traits.remove(name).ok_or_else(|| format!("no trait {name:?}"))?;
            let known = known.into_iter().map(|(value, weight)| Some((u64::from_str_radix(&value, 16).ok()?, weight)));
            let known =
                known.collect::<Option<_>>().ok_or_else(|| format!("trait {name:?} has a key that is no hash"))?;
            traits.push(Weights { known, other });
        }
        Ok(Profile { inner: saved.inner, best: saved.best, traits })
    }
}

/// Weighted sightings of traits.
struct Seen {
    counts: Vec<HashedMap<f64>>,
    total: f64,
}

impl Seen {
    fn new() -> Self {
        Seen { counts: (0..TRAITS).map(|_| HashedMap::default()).collect(), total: 0.0 }
    }

    fn add(&mut self, leaf: &Leaf, weight: f64) {
        for (counts, value) in self.counts.iter_mut().zip(leaf.traits) {
            *counts.entry(value).or_default() += weight;
        }
        self.total += weight;
    }

    fn profile(&self, background: &Background, inner: bool) -> Profile {
        let mut profile = Profile { inner, ..Profile::default() };
        for (kind, counts) in self.counts.iter().enumerate() {
            let (_, unseen, weight) = KINDS[kind];
            let n = self.total + unseen;
            let log = |ratio: f64| (weight * libm::log(ratio / n) * 1000.0).round() / 1000.0;
            let mut kept: Vec<(u64, f64)> = counts.iter().map(|(&value, &count)| (value, count)).collect();
            kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            kept.truncate(MOST_KNOWN);
            let known =
                kept.into_iter().map(|(value, count)| (value, log(count / background.share(kind, value) + unseen)));
            let weights = Weights { known: known.collect(), other: log(unseen) };
            profile.best += weights.known.values().copied().fold(0.0, f64::max);
            profile.traits.push(weights);
        }
        profile
    }
}

impl Profile {
    /// How well a leaf fits.
    pub fn score(&self, leaf: &Leaf) -> f64 {
        let one = |(weights, value): (&Weights, &u64)| weights.known.get(value).copied().unwrap_or(weights.other);
        self.traits.iter().zip(&leaf.traits).map(one).sum()
    }

    /// The leaf that fits best and how well, as a share of the best possible; the first of equals. None where none fits.
    pub fn find<'l>(&self, leaves: &'l [Leaf]) -> Option<(&'l Leaf, f64)> {
        let mut best: Option<(&Leaf, f64)> = None;
        for leaf in leaves {
            let score = self.score(leaf);
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((leaf, score));
            }
        }
        let (leaf, score) = best?;
        (score > THRESHOLD * self.best && self.best > 0.0).then(|| (leaf, (score / self.best).min(1.0)))
    }

    /// What either profile knows.
    pub fn join(&mut self, other: &Profile) {
        for (own, other) in self.traits.iter_mut().zip(&other.traits) {
            for (&value, &weight) in &other.known {
                let known = own.known.entry(value).or_insert(weight);
                *known = known.max(weight);
            }
            own.other = own.other.max(other.other);
        }
        self.best = self.traits.iter().map(|weights| weights.known.values().copied().fold(0.0, f64::max)).sum();
    }
}

/// Learns where an attribute stands. `labelled` has for each value the leaves it may stand in; `pages` are all pages' leaves.
pub fn learn(labelled: &[Vec<Leaf>], pages: &[Vec<Leaf>], background: &Background, inner: bool) -> Profile {
    let mut seen = Seen::new();
    for places in labelled {
        places.iter().for_each(|place| seen.add(place, 1.0 / places.len() as f64));
    }
    let mut profile = seen.profile(background, inner);
    for _ in 0..ROUNDS {
        let mut seen = Seen::new();
        for places in labelled {
            for (leaf, share) in shared_out(places, &profile) {
                seen.add(leaf, share);
            }
        }
        for (leaf, fit) in pages.iter().filter_map(|page| profile.find(page)) {
            seen.add(leaf, UNLABELLED * fit);
        }
        profile = seen.profile(background, inner);
    }
    profile
}

/// A label shared out among the places it may mean.
pub fn shared_out<'l>(places: &'l [Leaf], profile: &Profile) -> Vec<(&'l Leaf, f64)> {
    let scores: Vec<f64> = places.iter().map(|leaf| profile.score(leaf)).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| libm::exp((score - most) / 2.0)).collect();
    let sum: f64 = shares.iter().sum();
    places.iter().zip(shares).map(|(leaf, share)| (leaf, share / sum)).collect()
}

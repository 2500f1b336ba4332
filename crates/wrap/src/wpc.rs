//! Wrapper-oriented page clustering: what looks alike shares a wrapper, and the wrapper says what looks alike (figure 8.5).

use crate::align::{Other, align};
use crate::induce::induce;
use crate::repeat::combine;
use crate::wrapper::Wrapper;

/// The distance below which a tree refines a wrapper.
pub const THRESHOLD: f64 = 0.3;

/// A labelled tree that is still as it was on its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// What the choice of the first tree goes by: the same trees give the same wrappers.
    pub key: u64,
    /// The tree, nothing combined.
    pub tree: Wrapper,
}

/// A wrapper and how many trees it was learned of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// Its level: the trees that refined it.
    pub level: u32,
    /// All trees that it stands for.
    pub members: u32,
}

/// A labelled tree as what a wrapper is aligned with: nodes of a wrapper take several neighbours, and labels must agree.
pub struct TreeSide<'w>(pub &'w Wrapper);

impl Other for TreeSide<'_> {
    fn row(&self, node: u32) -> Vec<u32> {
        self.0.children(node).collect()
    }

    fn weight(&self, node: u32) -> u32 {
        self.0.nodes[node as usize].weight
    }

    fn match_with(&self, wrapper: &Wrapper, node: u32, own: u32) -> Option<u32> {
        self.0.match_with(wrapper, node, own)
    }

    fn is_parentheses(&self, _: u32) -> bool {
        false
    }

    const REPEATS: bool = true;
}

/// The distance Ψ between a wrapper and a labelled tree.
pub fn distance(wrapper: &Wrapper, tree: &Wrapper) -> f64 {
    let tops: Vec<u32> = tree.tops().collect();
    let alignment = align(wrapper, &TreeSide(tree), &tops, false);
    let distance = alignment.distance(wrapper.weight());
    let news = alignment
        .pairs
        .iter()
        .any(|&(node, own)| wrapper.nodes[node as usize].labels != tree.nodes[own as usize].labels);
    // A tree with a label that the wrapper does not know has something to tell, however well it fits.
    if news { distance.max(f64::MIN_POSITIVE) } else { distance }
}

/// The distance between two wrappers.
pub fn distance_between(a: &Wrapper, b: &Wrapper) -> f64 {
    let tops: Vec<u32> = b.tops().collect();
    align(a, b, &tops, false).distance(a.weight())
}

/// Clusters trees and learns a wrapper of each cluster. The tree of the smallest key starts a cluster, and of the trees that are near
/// enough the nearest refines it.
pub fn wpc(mut trees: Vec<Labelled>, threshold: f64) -> Vec<Cluster> {
    trees.sort_by_key(|tree| tree.key);
    let mut clusters = Vec::new();
    while !trees.is_empty() {
        let first = trees.remove(0);
        let mut cluster = Cluster { wrapper: combine(&first.tree), level: 1, members: 1 };
        loop {
            let distances: Vec<f64> = trees.iter().map(|tree| distance(&cluster.wrapper, &tree.tree)).collect();
            let mut kept = distances.iter();
            let before = trees.len();
            trees.retain(|_| kept.next().is_some_and(|&distance| distance > 0.0));
            cluster.members += (before - trees.len()) as u32;
            let left: Vec<f64> = distances.into_iter().filter(|&distance| distance > 0.0).collect();
            let nearest = left.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
            let Some((at, _)) = nearest.filter(|&(_, &distance)| distance < threshold) else { break };
            let tree = trees.remove(at);
            cluster.wrapper = induce(&cluster.wrapper, &combine(&tree.tree));
            cluster.level += 1;
            cluster.members += 1;
        }
        clusters.push(cluster);
    }
    clusters
}

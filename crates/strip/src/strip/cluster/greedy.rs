//! TEXT-MDL and TEXT-HASH: of all pairs, merge the one that saves most, until none saves anything.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A cluster that knows its cost.
pub(super) trait Mergeable: Sized {
    /// Its cost.
    fn cost(&self) -> f64;

    /// The cost of both together.
    fn merged_cost(&self, other: &Self) -> f64;

    /// Both together.
    fn merge(self, other: Self) -> Self;

    /// What merging saves.
    fn saving(&self, other: &Self) -> f64 {
        self.cost() + other.cost() - self.merged_cost(other)
    }
}

/// Which cluster each page is in, and what the clusters cost together as far as the method knows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clustered {
    /// For each page, the first page of its cluster.
    pub(super) of: Vec<u32>,
    pub(super) cost: f64,
}

/// A pair of clusters and what merging them saves. The greatest is the one to merge first: the most saved, then the
/// smallest numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) saving: f64,
    pub(super) one: u32,
    pub(super) other: u32,
}

impl Eq for Pair {}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = (other.one, other.other).cmp(&(self.one, self.other));
        self.saving.total_cmp(&other.saving).then(numbers)
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Merges the best pair again and again. What merging a pair saves does not depend on the other clusters, so pairs stay in the
/// heap until one of the two is gone.
pub(super) fn merge_best<C: Mergeable>(pages: Vec<C>) -> Clustered {
    let mut first: Vec<u32> = (0..pages.len() as u32).collect();
    let mut of: Vec<u32> = first.clone();
    let mut clusters: Vec<Option<C>> = pages.into_iter().map(Some).collect();
    let mut heap = BinaryHeap::new();
    for other in 0..clusters.len() {
        heap.extend(pairs_with(&clusters[..other], clusters[other].as_ref(), other));
    }
    while let Some(Pair { one, other, .. }) = heap.pop() {
        let (one, other) = (one as usize, other as usize);
        if clusters[one].is_none() || clusters[other].is_none() {
            continue;
        }
        let (Some(left), Some(right)) = (clusters[one].take(), clusters[other].take()) else { continue };
        let keeps = first[one].min(first[other]);
        of[first[one].max(first[other]) as usize] = keeps;
        let merged = left.merge(right);
        heap.extend(pairs_with(&clusters, Some(&merged), clusters.len()));
        clusters.push(Some(merged));
        first.push(keeps);
    }
    let cost = clusters.iter().flatten().map(C::cost).sum();
    Clustered { of: roots(of), cost }
}

/// The pairs of a cluster with those before it that save something.
fn pairs_with<C: Mergeable>(clusters: &[Option<C>], cluster: Option<&C>, number: usize) -> Vec<Pair> {
    let Some(cluster) = cluster else { return Vec::new() };
    let pair = |(one, other): (usize, &Option<C>)| {
        let saving = other.as_ref()?.saving(cluster);
        (saving > 0.0).then_some(Pair { saving, one: one as u32, other: number as u32 })
    };
    clusters.iter().enumerate().filter_map(pair).collect()
}

/// Follows each page to the first page of its cluster, which leads to itself. Pages lead to earlier pages.
pub(super) fn roots(mut of: Vec<u32>) -> Vec<u32> {
    for page in 0..of.len() {
        of[page] = of[of[page] as usize];
    }
    of
}

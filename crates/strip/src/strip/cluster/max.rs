//! TEXT-MAX: the partner of a cluster is sought only among those whose signature agrees with its own in most entries.
//!
//! The signature space: for each entry, clusters in the order of their rank there, so that those with the same rank, a
//! *bucket*, lie side by side. A cluster's candidates are what lies in its buckets; those met in most of them have the
//! highest estimated Jaccard coefficient. A bucket of a large template is as long as the collection, so no more than
//! [`LOOK`] clusters are taken from it; as they merge, others come to the front.

use std::collections::BinaryHeap;

use super::greedy::{Clustered, Mergeable, Pair, roots};
use super::signature::Signature;

/// Clusters that are looked at in a bucket.
const LOOK: usize = 8;

/// A pair is merged when what it saves is at least this share of what the next pair promises. Savings shrink while clusters
/// grow, and a pair that goes back into the heap has lost a tenth at least: so it does so a bounded number of times.
const NEARLY: f64 = 0.9;

/// Merges each cluster with its nearest, the pair that saves most first.
pub(super) fn merge_nearest(signatures: Vec<Signature>) -> Clustered {
    let mut space = Space::new(signatures);
    let mut heap: BinaryHeap<(Pair, u32)> = (0..space.of.len() as u32).filter_map(|page| space.nearest(page)).collect();
    while let Some((Pair { one, other, .. }, version)) = heap.pop() {
        if space.root(one) != one || space.versions[one as usize] != version {
            continue;
        }
        let other = space.root(other);
        let saving = space.saving(one, other);
        let next = heap.peek().map_or(0.0, |(next, _)| next.saving);
        if saving <= 0.0 {
            heap.extend(space.nearest(one));
        } else if saving >= NEARLY * next {
            let merged = space.merge(one, other);
            heap.extend(space.nearest(merged));
        } else {
            heap.push((Pair { saving, one, other }, version));
        }
    }
    let cost = space.clusters.iter().flatten().map(Signature::cost).sum();
    Clustered { of: roots(space.of), cost }
}

/// The signature space.
struct Space {
    /// A cluster is called by its first page; the others' places are empty.
    clusters: Vec<Option<Signature>>,
    /// An earlier page of the same cluster, or the page itself.
    of: Vec<u32>,
    /// How often a cluster has grown: what was said of it before is out of date.
    versions: Vec<u32>,
    /// For each entry of a signature, the clusters by rank. Ranks are replaced by where their bucket starts.
    order: Vec<Vec<u32>>,
    /// For each entry, where a bucket starts: how long it still is.
    lengths: Vec<Vec<u32>>,
    /// Buckets in which a cluster was met; all 0 between two searches.
    met: Vec<u32>,
}

impl Space {
    fn new(mut signatures: Vec<Signature>) -> Self {
        let pages = signatures.len();
        let entries = signatures.first().map_or(0, |signature| signature.ranks.len());
        let mut space = Space {
            clusters: Vec::new(),
            of: (0..pages as u32).collect(),
            versions: vec![0; pages],
            order: Vec::with_capacity(entries),
            lengths: Vec::with_capacity(entries),
            met: vec![0; pages],
        };
        for entry in 0..entries {
            let mut order: Vec<(u32, u32)> = (0..).zip(&signatures).map(|(n, s)| (s.ranks[entry], n)).collect();
            order.sort_unstable();
            let mut lengths = vec![0; pages];
            let mut start = 0;
            for bucket in order.chunk_by(|a, b| a.0 == b.0) {
                lengths[start as usize] = bucket.len() as u32;
                for &(_, page) in bucket {
                    signatures[page as usize].ranks[entry] = start;
                }
                start += bucket.len() as u32;
            }
            space.order.push(order.into_iter().map(|(_, page)| page).collect());
            space.lengths.push(lengths);
        }
        space.clusters = signatures.into_iter().map(Some).collect();
        space
    }

    /// The cluster a page is in, by its first page. Shortens the way for the next time.
    fn root(&mut self, page: u32) -> u32 {
        let mut page = page;
        while self.of[page as usize] != page {
            let above = self.of[self.of[page as usize] as usize];
            self.of[page as usize] = above;
            page = above;
        }
        page
    }

    fn saving(&self, one: u32, other: u32) -> f64 {
        match (&self.clusters[one as usize], &self.clusters[other as usize]) {
            (Some(a), Some(b)) if one != other => a.saving(b),
            _ => 0.0,
        }
    }

    fn merge(&mut self, one: u32, other: u32) -> u32 {
        let (keeps, gives) = (one.min(other), one.max(other));
        if let (Some(a), Some(b)) = (self.clusters[keeps as usize].take(), self.clusters[gives as usize].take()) {
            self.clusters[keeps as usize] = Some(a.merge(b));
        }
        self.of[gives as usize] = keeps;
        self.versions[keeps as usize] += 1;
        keeps
    }

    /// The best of the clusters that are met in most buckets, if merging with it saves anything.
    fn nearest(&mut self, cluster: u32) -> Option<(Pair, u32)> {
        let mut met: Vec<u32> = Vec::new();
        for entry in 0..self.order.len() {
            self.look(entry, cluster, &mut met);
        }
        let most = met.iter().map(|&other| self.met[other as usize]).max()?;
        let mut best: Option<Pair> = None;
        for &other in &met {
            if std::mem::take(&mut self.met[other as usize]) == most {
                let pair = Pair { saving: self.saving(cluster, other), one: cluster, other };
                best = best.max(Some(pair));
            }
        }
        best.filter(|pair| pair.saving > 0.0).map(|pair| (pair, self.versions[cluster as usize]))
    }

    /// Counts the clusters at the front of one of a cluster's buckets. What has left the bucket, or is there twice
    /// because two of its clusters are one now, is taken out of it.
    fn look(&mut self, entry: usize, cluster: u32, met: &mut Vec<u32>) {
        let Some(rank) = self.clusters[cluster as usize].as_ref().map(|signature| signature.ranks[entry]) else {
            return;
        };
        let start = rank as usize;
        let mut seen = [0; LOOK];
        let mut at = 0;
        while at < LOOK && (at as u32) < self.lengths[entry][start] {
            let other = self.root(self.order[entry][start + at]);
            let there = self.clusters[other as usize].as_ref().is_some_and(|signature| signature.ranks[entry] == rank);
            if !there || seen[..at].contains(&other) {
                self.lengths[entry][start] -= 1;
                let last = start + self.lengths[entry][start] as usize;
                self.order[entry].swap(start + at, last);
                continue;
            }
            self.order[entry][start + at] = other;
            seen[at] = other;
            at += 1;
            if other != cluster {
                if self.met[other as usize] == 0 {
                    met.push(other);
                }
                self.met[other as usize] += 1;
            }
        }
    }
}

//! MinHash signatures, extended so that a cluster's signature tells its cost.
//!
//! An entry of a cluster's signature is the smallest rank that a path of the cluster has in one random order of all
//! paths, and the number of pages that have this path. It is a random path of the union, so the shares of the counts
//! estimate the shares of the supports; and the union's size follows from the number of paths of all pages together.

use super::cost::path_cost;
use super::greedy::Mergeable;
use unhusk_pages::random::Rng;

/// Random orders of all paths: as many as a signature has entries.
#[derive(Clone, Debug)]
pub(super) struct Orders(Vec<(u64, u64)>);

impl Orders {
    pub(super) fn new(length: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Orders((0..length).map(|_| (rng.bits() | 1, rng.bits())).collect())
    }

    /// The signature of one page, by the hashes of its essential paths.
    pub(super) fn sign(&self, paths: impl Iterator<Item = u64>) -> Signature {
        let mut ranks = vec![u32::MAX; self.0.len()];
        let mut size = 0;
        for path in paths {
            size += 1;
            for (rank, &(factor, term)) in ranks.iter_mut().zip(&self.0) {
                // Multiply and shift: paths are hashes already.
                *rank = (*rank).min((path.wrapping_mul(factor).wrapping_add(term) >> 32) as u32);
            }
        }
        let mut signature = Signature { pages: 1, size, counts: vec![1; ranks.len()], ranks, cost: 0.0 };
        signature.cost = signature.estimate(signature.counts.iter().copied(), 1, size);
        signature
    }
}

/// A cluster by its signature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signature {
    pub(super) pages: u32,
    /// Essential paths of all pages together.
    size: u64,
    /// The smallest rank in each order.
    pub(super) ranks: Vec<u32>,
    /// How many pages have the path of that rank.
    counts: Vec<u32>,
    cost: f64,
}

impl Signature {
    /// With ξ(m) the share of the entries whose count is m, the union has size / Σ m·ξ(m) paths, and each costs what its
    /// support says.
    fn estimate(&self, counts: impl Iterator<Item = u32>, pages: u32, size: u64) -> f64 {
        let (mut costs, mut supports) = (0, 0);
        for count in counts {
            costs += path_cost(count, pages);
            supports += u64::from(count);
        }
        if supports == 0 { 0.0 } else { size as f64 * costs as f64 / supports as f64 }
    }

    /// The counts that both together would have.
    fn merged_counts(&self, other: &Self) -> impl Iterator<Item = u32> {
        let ours = self.ranks.iter().zip(&self.counts);
        ours.zip(other.ranks.iter().zip(&other.counts))
            .map(|((a, &m), (b, &k))| u32::from(a <= b) * m + u32::from(b <= a) * k)
    }
}

impl Mergeable for Signature {
    fn cost(&self) -> f64 {
        self.cost
    }

    fn merged_cost(&self, other: &Self) -> f64 {
        self.estimate(self.merged_counts(other), self.pages + other.pages, self.size + other.size)
    }

    fn merge(self, other: Self) -> Self {
        let counts: Vec<u32> = self.merged_counts(&other).collect();
        let ranks = self.ranks.iter().zip(&other.ranks).map(|(&a, &b)| a.min(b)).collect();
        let cost = self.merged_cost(&other);
        Signature { pages: self.pages + other.pages, size: self.size + other.size, ranks, counts, cost }
    }
}

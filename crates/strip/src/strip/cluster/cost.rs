//! What a clustering costs: the ones of its templates and where the pages differ from them.
//!
//! A page set is a matrix of paths by pages, and a clustering is a product of two matrices (templates by clusters,
//! clusters by pages) and a matrix of differences. The matrices are sparse, so the bits they take are proportional to the
//! entries that are not zero; the matrix of members takes the same for every clustering. What is left to count: with n
//! pages, s of which have a path, the path costs 1 + (n − s) in the template and s outside, whichever is less.

use super::greedy::Mergeable;

/// Whether a path that `support` of a cluster's pages have belongs in its template.
pub(super) fn in_template(support: u32, pages: u32) -> bool {
    u64::from(support) * 2 > u64::from(pages)
}

/// What one path adds to the cost of a cluster.
pub(super) fn path_cost(support: u32, pages: u32) -> u64 {
    u64::from(support.min(pages + 1 - support))
}

/// How many pages of a cluster have each path among their essential ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pages: u32,
    /// Paths in order, each with its support.
    counts: Vec<(u32, u32)>,
    cost: u64,
}

impl Tally {
    /// A cluster of one page, by its essential paths in order.
    pub fn of_page(paths: &[u32]) -> Self {
        let counts: Vec<(u32, u32)> = paths.iter().map(|&path| (path, 1)).collect();
        Tally { pages: 1, cost: counts.len() as u64, counts }
    }

    /// A cluster of several pages.
    pub fn of_pages<'p>(pages: impl Iterator<Item = &'p [u32]>) -> Self {
        let mut number = 0;
        let mut all: Vec<u32> = Vec::new();
        for page in pages {
            number += 1;
            all.extend_from_slice(page);
        }
        all.sort_unstable();
        let counts: Vec<(u32, u32)> = all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect();
        let cost = counts.iter().map(|&(_, support)| path_cost(support, number)).sum();
        Tally { pages: number, counts, cost }
    }

    /// How many pages it has.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// All paths and how many of the pages have them.
    pub fn counts(&self) -> &[(u32, u32)] {
        &self.counts
    }

    /// The template that costs least: path and support.
    pub fn template(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.counts.iter().copied().filter(|&(_, support)| in_template(support, self.pages))
    }

    /// The cost with that template.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Both, path by path: a path and its support in each.
    fn zip(&self, other: &Self, mut each: impl FnMut(u32, u32)) {
        let (mut left, mut right) = (self.counts.as_slice(), other.counts.as_slice());
        while let (Some((&(a, s), more_left)), Some((&(b, t), more_right))) = (left.split_first(), right.split_first())
        {
            each(a.min(b), if a <= b { s } else { 0 } + if b <= a { t } else { 0 });
            left = if a <= b { more_left } else { left };
            right = if b <= a { more_right } else { right };
        }
        left.iter().chain(right).for_each(|&(path, support)| each(path, support));
    }
}

impl Mergeable for Tally {
    fn cost(&self) -> f64 {
        self.cost as f64
    }

    fn merged_cost(&self, other: &Self) -> f64 {
        let pages = self.pages + other.pages;
        let mut cost = 0;
        self.zip(other, |_, support| cost += path_cost(support, pages));
        cost as f64
    }

    fn merge(self, other: Self) -> Self {
        let pages = self.pages + other.pages;
        let mut counts = Vec::with_capacity(self.counts.len().max(other.counts.len()));
        let mut cost = 0;
        self.zip(&other, |path, support| {
            counts.push((path, support));
            cost += path_cost(support, pages);
        });
        Tally { pages, counts, cost }
    }
}

/// The entries of a clustering's matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matrices {
    /// Rows: distinct paths of all pages.
    pub paths: u64,
    /// Columns: pages.
    pub pages: u64,
    /// Ones in the matrix of templates.
    pub template: u64,
    /// Minus ones in the matrix of differences: a template path that a page does not have.
    pub missing: u64,
    /// Ones there: a path of a page that is not in its template.
    pub extra: u64,
}

/// Bits that a clustering takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bits {
    /// L(M_T): the templates.
    pub template: f64,
    /// L(M_D): which page is in which cluster.
    pub members: f64,
    /// L(M_Δ): where pages differ from their template.
    pub difference: f64,
}

impl Matrices {
    /// The matrices of a clustering of pages that have so many distinct paths.
    pub fn of(paths: usize, clusters: &[Tally]) -> Self {
        let mut matrices = Matrices { paths: paths as u64, ..Matrices::default() };
        for tally in clusters {
            matrices.pages += u64::from(tally.pages);
            for &(_, support) in &tally.counts {
                if in_template(support, tally.pages) {
                    matrices.template += 1;
                    matrices.missing += u64::from(tally.pages - support);
                } else {
                    matrices.extra += u64::from(support);
                }
            }
        }
        matrices
    }

    /// The cost that is compared: entries that are not zero.
    pub fn cost(&self) -> u64 {
        self.template + self.missing + self.extra
    }

    /// The description's length by the entropy of each matrix.
    pub fn bits(&self) -> Bits {
        let cells = self.paths * self.pages;
        let pages = self.pages as f64;
        Bits {
            template: bits(cells, &[self.template]),
            members: if self.pages == 0 { 0.0 } else { pages * pages.log2() },
            difference: bits(cells, &[self.missing, self.extra]),
        }
    }
}

impl Bits {
    /// L(C): all of it.
    pub fn total(&self) -> f64 {
        self.template + self.members + self.difference
    }
}

/// |M| · H(X) of a matrix that has so many entries of each value, and zeros.
fn bits(cells: u64, values: &[u64]) -> f64 {
    let zeros = cells - values.iter().sum::<u64>();
    let part = |count: u64| {
        let share = count as f64 / cells as f64;
        if count == 0 { 0.0 } else { -(count as f64) * share.log2() }
    };
    values.iter().copied().map(part).sum::<f64>() + part(zeros)
}

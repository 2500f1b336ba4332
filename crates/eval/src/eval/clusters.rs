//! Clusters that were found, against clusters that are true.
//!
//! As the source of `cluster` does: a cluster is compared with the true one that is closest to it, and precision and
//! recall are averaged over the clusters found. That rewards many small clusters with precision and one large with recall, so
//! the adjusted Rand index stands beside them, which looks at all pairs of pages.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::Serialize;

/// Which true cluster each page is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    clusters: HashMap<String, u32>,
}

/// Why the truth could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TruthError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read true clusters from {}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line is not a page and its cluster.
    #[error("{}:{line}: expected a page's id, a tab and the name of its cluster, found `{found}`", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// A page is in two clusters.
    #[error("{}:{line}: the page `{page}` has a cluster further up; keep one of the two", file.display())]
    Twice {
        /// The file.
        file: PathBuf,
        /// The line of the second, from 1.
        line: usize,
        /// The page.
        page: String,
    },
}

/// How well clusters agree with the true ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusterScores {
    /// Clusters found.
    pub clusters: usize,
    /// Mean over the clusters found: the share of its pages that are in the closest true cluster.
    pub precision: f64,
    /// Mean over the clusters found: the share of the closest true cluster that it has.
    pub recall: f64,
    /// The adjusted Rand index over all pairs of pages: 1 is equal, 0 is chance.
    pub adjusted_rand: f64,
}

impl Truth {
    /// Reads a file with a line a page: id, tab, the name of its cluster.
    pub fn open(file: &Path) -> Result<Self, TruthError> {
        let text = std::fs::read_to_string(file).map_err(|source| TruthError::Read { file: file.into(), source })?;
        Self::parse(&text, file)
    }

    /// Reads lines; `file` is the name that errors give.
    pub fn parse(text: &str, file: &Path) -> Result<Self, TruthError> {
        let mut truth = Truth::default();
        let mut names: HashMap<&str, u32> = HashMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (file, line_number) = (PathBuf::from(file), number + 1);
            let Some((page, name)) = line.split_once('\t').filter(|(_, name)| !name.trim().is_empty()) else {
                return Err(TruthError::Malformed { file, line: line_number, found: line.to_owned() });
            };
            let next = names.len() as u32;
            let cluster = *names.entry(name.trim()).or_insert(next);
            if truth.clusters.insert(page.to_owned(), cluster).is_some() {
                return Err(TruthError::Twice { file, line: line_number, page: page.to_owned() });
            }
        }
        Ok(truth)
    }

    /// The true cluster of a page.
    pub fn of(&self, page: &str) -> Option<u32> {
        self.clusters.get(page).copied()
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.clusters.values().max().map_or(0, |&last| last as usize + 1)
    }
}

/// Compares two clusterings of the same pages, each the cluster of page 0, 1 and so on.
pub fn score(found: &[u32], truth: &[u32]) -> ClusterScores {
    let mut both: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let (mut of_found, mut of_truth) = (BTreeMap::new(), BTreeMap::new());
    for (&one, &other) in found.iter().zip(truth) {
        *both.entry((one, other)).or_default() += 1;
        *of_found.entry(one).or_insert(0u64) += 1;
        *of_truth.entry(other).or_insert(0u64) += 1;
    }
    let (mut precision, mut recall) = (0.0, 0.0);
    for (&cluster, &pages) in &of_found {
        // The closest shares most of what the two have together.
        let shares = both.range((cluster, 0)..=(cluster, u32::MAX)).map(|(&(_, other), &common)| {
            let size = of_truth[&other];
            (common as f64 / (pages + size - common) as f64, common as f64 / size as f64, common as f64 / pages as f64)
        });
        let (_, found_of_truth, true_of_found) = shares.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        recall += found_of_truth;
        precision += true_of_found;
    }
    let clusters = of_found.len();
    let mean = |sum: f64| if clusters == 0 { 0.0 } else { sum / clusters as f64 };
    ClusterScores {
        clusters,
        precision: mean(precision),
        recall: mean(recall),
        adjusted_rand: adjusted_rand(
            both.values().copied(),
            of_found.values().copied(),
            of_truth.values().copied(),
            found.len(),
        ),
    }
}

/// Hubert and Arabie's index, from the sizes of the overlaps and of the clusters on both sides.
fn adjusted_rand(
    both: impl Iterator<Item = u64>,
    found: impl Iterator<Item = u64>,
    truth: impl Iterator<Item = u64>,
    pages: usize,
) -> f64 {
    let pairs = |n: u64| n as f64 * (n as f64 - 1.0) / 2.0;
    let (both, found, truth): (f64, f64, f64) = (both.map(pairs).sum(), found.map(pairs).sum(), truth.map(pairs).sum());
    let all = pairs(pages as u64);
    if all == 0.0 {
        return 1.0;
    }
    let (chance, most) = (found * truth / all, (found + truth) / 2.0);
    if most == chance { 1.0 } else { (both - chance) / (most - chance) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_same_clusters_under_other_names_are_perfect() {
        let scores = score(&[7, 7, 3, 3, 3], &[0, 0, 1, 1, 1]);
        assert_eq!(scores, ClusterScores { clusters: 2, precision: 1.0, recall: 1.0, adjusted_rand: 1.0 });
    }

    #[test]
    fn clusters_that_are_cut_up_keep_their_precision_and_clusters_thrown_together_their_recall() {
        let cut = score(&[0, 1, 2, 2], &[0, 0, 1, 1]);
        assert_eq!((cut.clusters, cut.precision, cut.recall), (3, 1.0, (0.5 + 0.5 + 1.0) / 3.0));
        let thrown = score(&[0, 0, 0, 0], &[0, 0, 1, 1]);
        assert_eq!((thrown.clusters, thrown.precision, thrown.recall), (1, 0.5, 1.0));
        assert_eq!(thrown.adjusted_rand, 0.0);
    }

    #[test]
    fn the_rand_index_is_the_published_one() {
        // Two examples of scikit-learn's documentation of adjusted_rand_score.
        assert!((score(&[0, 0, 1, 1], &[0, 0, 1, 2]).adjusted_rand - 0.571_428_571).abs() < 1e-6);
        assert!((score(&[0, 0, 1, 2], &[0, 0, 1, 1]).adjusted_rand - 0.571_428_571).abs() < 1e-6);
        assert_eq!(score(&[0, 0, 0, 0], &[0, 1, 2, 3]).adjusted_rand, 0.0);
    }

    #[test]
    fn truth_is_read_and_its_mistakes_are_named_with_their_line() {
        let read = |text: &str| Truth::parse(text, Path::new("t.tsv"));
        let truth = read("a.html\tred\nb.html\tblue\n\nc.html\tred\n").unwrap();
        assert_eq!((truth.of("a.html"), truth.of("c.html"), truth.of("x")), (Some(0), Some(0), None));
        assert_eq!(truth.clusters(), 2);
        assert!(read("a.html red\n").unwrap_err().to_string().starts_with("t.tsv:1: expected"));
        assert!(read("a\t1\na\t2\n").unwrap_err().to_string().starts_with("t.tsv:2: the page `a`"));
    }
}

//! Pages outside the sample join the cluster that this costs least, and count towards its template.

use super::Essentials;
use super::cost::Tally;
use super::essential::threshold;
use super::paths;
use crate::strip::{Pages, StripError};
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// A path may become template when this share of the sampled pages of its cluster has it: one in so many. Half of all
/// pages have to have it in the end.
const CANDIDATES: u32 = 4;

/// A cluster that still grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) members: Vec<PageNo>,
    /// Essential paths of all members together.
    pub(super) size: u64,
    /// Paths that may be template, in order: number, support, and the first page that has it.
    pub(super) counts: Vec<(u32, u32, PageNo)>,
}

impl Draft {
    /// A cluster of the sample.
    pub(super) fn new(members: &[usize], tally: &Tally, essentials: &Essentials) -> Self {
        let candidates = tally.counts().iter().filter(|(_, support)| support * CANDIDATES >= tally.pages());
        let mut counts: Vec<(u32, u32, PageNo)> =
            candidates.map(|&(path, support)| (path, support, PageNo(u32::MAX))).collect();
        let mut missing = counts.len();
        for &page in members {
            if missing == 0 {
                break;
            }
            for path in &essentials.pages[page] {
                let Ok(at) = counts.binary_search_by_key(path, |&(path, ..)| path) else { continue };
                if counts[at].2 == PageNo(u32::MAX) {
                    counts[at].2 = essentials.numbers[page];
                    missing -= 1;
                }
            }
        }
        Draft {
            members: members.iter().map(|&page| essentials.numbers[page]).collect(),
            size: tally.counts().iter().map(|&(_, support)| u64::from(support)).sum(),
            counts,
        }
    }
}

/// What pages are compared with.
pub(super) struct Joiner<'e> {
    essentials: &'e Essentials,
    /// Paths in each cluster's template.
    templates: Vec<u32>,
    /// For each path, where its clusters start in `holders`; and where those of the last one end.
    starts: Vec<u32>,
    /// The clusters that have a path in their template.
    holders: Vec<u32>,
}

/// What one thread has seen.
struct Seen {
    pages: Vec<Joined>,
    /// For each cluster, the supports of its candidates.
    supports: Vec<Vec<u32>>,
    /// For each cluster, how much of its template the page at hand has; all 0 between two pages.
    shared: Vec<u32>,
}

/// A page and the cluster it joins.
struct Joined {
    page: PageNo,
    cluster: Option<u32>,
    size: u32,
}

impl<'e> Joiner<'e> {
    pub(super) fn new(essentials: &'e Essentials, tallies: &[(Vec<usize>, Tally)]) -> Self {
        let mut pairs: Vec<(u32, u32)> = (0..)
            .zip(tallies)
            .flat_map(|(cluster, (_, tally))| tally.template().map(move |(path, _)| (path, cluster)))
            .collect();
        pairs.sort_unstable();
        let starts = (0..=essentials.hashes.len() as u32)
            .scan(0, |at, path| {
                while pairs.get(*at).is_some_and(|pair| pair.0 < path) {
                    *at += 1;
                }
                Some(*at as u32)
            })
            .collect();
        Joiner {
            essentials,
            templates: tallies.iter().map(|(_, tally)| tally.template().count() as u32).collect(),
            starts,
            holders: pairs.into_iter().map(|(_, cluster)| cluster).collect(),
        }
    }

    /// Lets pages join. A page that no cluster saves anything for stays alone, in a cluster of its own.
    pub(super) fn join(
        &self,
        pages: &Pages<'_>,
        mut drafts: Vec<Draft>,
        threads: usize,
    ) -> Result<Vec<Draft>, StripError> {
        let new = || Seen {
            pages: Vec::new(),
            supports: drafts.iter().map(|draft| vec![0; draft.counts.len()]).collect(),
            shared: vec![0; drafts.len()],
        };
        let seen = pages.observe(threads, new, |seen, number, page| {
            self.see(seen, &drafts, number, page);
            Ok(())
        })?;
        let mut joined: Vec<Joined> = Vec::new();
        for seen in seen {
            joined.extend(seen.pages);
            for (draft, supports) in drafts.iter_mut().zip(&seen.supports) {
                draft.counts.iter_mut().zip(supports).for_each(|(count, more)| count.1 += more);
            }
        }
        joined.sort_unstable_by_key(|joined| joined.page);
        for Joined { page, cluster, size } in joined {
            match cluster.and_then(|cluster| drafts.get_mut(cluster as usize)) {
                Some(draft) => {
                    draft.members.push(page);
                    draft.size += u64::from(size);
                }
                None => drafts.push(Draft { members: vec![page], size: u64::from(size), counts: Vec::new() }),
            }
        }
        Ok(drafts)
    }

    fn see(&self, seen: &mut Seen, drafts: &[Draft], number: PageNo, page: &Page) {
        let (essential, size) = self.essential(page);
        let cluster = self.cheapest(&essential, &mut seen.shared);
        seen.pages.push(Joined { page: number, cluster, size });
        let Some(cluster) = cluster.map(|cluster| cluster as usize) else { return };
        let (candidates, supports) = (&drafts[cluster].counts, &mut seen.supports[cluster]);
        for path in &essential {
            if let Ok(at) = candidates.binary_search_by_key(path, |&(path, ..)| path) {
                supports[at] += 1;
            }
        }
    }

    /// A page's essential paths that the sample has, in order, and how many it has in all. Supports are those in the sample and
    /// the page itself.
    fn essential(&self, page: &Page) -> (Vec<u32>, u32) {
        let paths = paths::distinct(page);
        let known = |path: &u64| self.essentials.known.get(path).copied();
        let support = |path: &u64| known(path).map_or(0, |known| known.support) + 1;
        let threshold = threshold(paths.iter().map(support));
        let essential = || paths.iter().filter(|path| support(path) >= threshold);
        (essential().filter_map(known).map(|known| known.number).collect(), essential().count() as u32)
    }

    /// Joining costs the template's paths that the page does not have, and saves those that it has.
    fn cheapest(&self, essential: &[u32], shared: &mut [u32]) -> Option<u32> {
        let holders = |path: &u32| {
            let at = *path as usize;
            &self.holders[self.starts[at] as usize..self.starts[at + 1] as usize]
        };
        let mut met: Vec<u32> = Vec::new();
        for &cluster in essential.iter().flat_map(holders) {
            if shared[cluster as usize] == 0 {
                met.push(cluster);
            }
            shared[cluster as usize] += 1;
        }
        let cost = |&cluster: &u32| {
            let cluster = cluster as usize;
            i64::from(self.templates[cluster]) - 2 * i64::from(shared[cluster])
        };
        let best = met.iter().map(|cluster| (cost(cluster), *cluster)).min();
        met.iter().for_each(|&cluster| shared[cluster as usize] = 0);
        best.filter(|&(cost, _)| cost < 0).map(|(_, cluster)| cluster)
    }
}

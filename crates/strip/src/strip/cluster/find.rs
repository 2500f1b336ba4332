//! From pages to layouts: clusters with their templates.
//!
//! A collection of a few thousand pages is clustered whole. A larger one is taken host by host; of a host with more pages
//! than that a sample is clustered, and the others join (`join`). Between two hosts only templates and a number a page
//! stay in memory.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::cost::in_template;
use super::join::{Draft, Joiner};
use super::{Cluster, Essentials};
use crate::strip::scope::Scope;
use crate::strip::table::{Sample, draw};
use crate::strip::{Pages, StripError};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::spool::PageNo;

/// Pages below which a second thread does not pay.
const FEW: usize = 64;

/// Example pages that are kept of a layout.
const EXAMPLES: usize = 3;

/// No layout.
const NONE: u32 = u32::MAX;

/// A cluster of pages and what they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// How many pages it has.
    pub pages: u32,
    /// The first pages of it.
    pub examples: Vec<PageNo>,
    /// The paths of its template. A page alone has none.
    pub template: Vec<TemplatePath>,
}

/// A path in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplatePath {
    /// Its hash.
    pub path: u64,
    /// Pages of the cluster that have it among their essential paths.
    pub pages: u32,
    /// A page that has it: the first of those that were clustered.
    pub first: PageNo,
}

/// What a clustering costs, in entries of its matrices that are not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Of the pages that were clustered, as the method believes.
    pub estimated: f64,
    /// Of the pages that were clustered, in truth.
    pub clustered: u64,
    /// Of all pages.
    pub all: u64,
    /// Seconds it took to cluster, paths being known.
    pub seconds: f64,
}

/// The layouts of a collection.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// For each page of the spool, its layout.
    of: Vec<u32>,
    /// Largest first.
    pub layouts: Vec<Layout>,
    /// Pages that were clustered; the others joined.
    pub clustered: u64,
    /// Hosts that were taken one by one, or 1.
    pub groups: u64,
    /// What it costs.
    pub costs: Costs,
}

impl Layouts {
    /// The layout of a page, as an index into [`Layouts::layouts`].
    pub fn of(&self, page: PageNo) -> Option<usize> {
        self.of.get(page.index()).filter(|&&layout| layout != NONE).map(|&layout| layout as usize)
    }

    pub(super) fn findings(&self) -> Map<String, Value> {
        let alone = self.layouts.iter().filter(|layout| layout.pages == 1).count();
        let paths: usize = self.layouts.iter().map(|layout| layout.template.len()).sum();
        let pages: u64 = self.layouts.iter().map(|layout| u64::from(layout.pages)).sum();
        let findings = json!({
            "clusters": self.layouts.len() - alone,
            "pages_alone": alone,
            "pages_clustered": self.clustered,
            "pages_joined": pages - self.clustered,
            "hosts_apart": self.groups,
            "template_paths": paths,
            "cost_estimated": self.costs.estimated.round(),
            "cost_clustered": self.costs.clustered,
            "cost": self.costs.all,
        });
        match findings {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    /// Takes a cluster in.
    fn add(&mut self, draft: &Draft, essentials: &Essentials) {
        let number = self.layouts.len() as u32;
        let pages = draft.members.len() as u32;
        let mut template: Vec<TemplatePath> = Vec::new();
        let mut cost = draft.size as i64;
        for &(path, support, first) in draft.counts.iter().filter(|&&(_, support, _)| in_template(support, pages)) {
            // Out of the differences, into the template.
            cost += 1 + i64::from(pages) - 2 * i64::from(support);
            if pages > 1 {
                template.push(TemplatePath { path: essentials.hashes[path as usize], pages: support, first });
            }
        }
        self.costs.all += cost as u64;
        for &page in &draft.members {
            self.of[page.index()] = number;
        }
        self.layouts.push(Layout { pages, examples: Vec::new(), template });
    }

    /// Numbers the layouts by size, those of the same size by their first page, and names example pages.
    fn arrange(&mut self) {
        let mut firsts: Vec<Option<u32>> = vec![None; self.layouts.len()];
        for (page, &layout) in self.of.iter().enumerate().filter(|(_, layout)| **layout != NONE) {
            firsts[layout as usize].get_or_insert(page as u32);
            let examples = &mut self.layouts[layout as usize].examples;
            if examples.len() < EXAMPLES {
                examples.push(PageNo(page as u32));
            }
        }
        let mut order: Vec<usize> = (0..self.layouts.len()).collect();
        order.sort_by_key(|&layout| (std::cmp::Reverse(self.layouts[layout].pages), firsts[layout]));
        let mut numbers = vec![0; order.len()];
        for (number, &layout) in order.iter().enumerate() {
            numbers[layout] = number as u32;
        }
        self.layouts = order.iter().map(|&layout| std::mem::take(&mut self.layouts[layout])).collect();
        for layout in self.of.iter_mut().filter(|layout| **layout != NONE) {
            *layout = numbers[*layout as usize];
        }
    }
}

impl Cluster {
    /// Finds the layouts of pages. The result does not depend on the number of threads.
    pub fn find(&self, pages: &Pages<'_>, threads: usize) -> Result<Layouts, StripError> {
        let mut found = Layouts { of: vec![NONE; pages.spool().len()], ..Layouts::default() };
        if pages.numbers().len() <= self.sample as usize {
            self.find_together(pages, threads, &mut found)?;
        } else {
            for host in by_host(pages)? {
                self.find_together(&pages.only(host), threads, &mut found)?;
            }
        }
        found.arrange();
        Ok(found)
    }

    fn find_together(&self, pages: &Pages<'_>, threads: usize, found: &mut Layouts) -> Result<(), StripError> {
        let threads = threads.min(pages.numbers().len().div_ceil(FEW)).max(1);
        let sample = pages.only(draw(pages.numbers(), Sample { pages: self.sample as usize, seed: self.seed }));
        let essentials = Essentials::read(&sample, threads)?;
        let start = Instant::now();
        let clustered = self.cluster(&essentials);
        found.costs.seconds += start.elapsed().as_secs_f64();
        found.costs.estimated += clustered.cost;
        found.clustered += essentials.len() as u64;
        found.groups += 1;

        let tallies = essentials.members(&clustered.of);
        found.costs.clustered += tallies.iter().map(|(_, tally)| tally.cost()).sum::<u64>();
        let mut drafts: Vec<Draft> =
            tallies.iter().map(|(members, tally)| Draft::new(members, tally, &essentials)).collect();
        let rest: Vec<PageNo> =
            pages.numbers().iter().copied().filter(|page| essentials.numbers.binary_search(page).is_err()).collect();
        if !rest.is_empty() {
            let joiner = Joiner::new(&essentials, &tallies);
            drafts = joiner.join(&pages.only(rest), drafts, threads)?;
        }
        drafts.iter().for_each(|draft| found.add(draft, &essentials));
        Ok(())
    }
}

fn by_host(pages: &Pages<'_>) -> Result<Vec<Vec<PageNo>>, StripError> {
    let mut places: HashedMap<usize> = HashedMap::default();
    let mut hosts: Vec<Vec<PageNo>> = Vec::new();
    pages.for_each_name(|number, name| {
        let place = *places.entry(Scope::Host.of(&name.url)).or_insert(hosts.len());
        if place == hosts.len() {
            hosts.push(Vec::new());
        }
        hosts[place].push(number);
    })?;
    Ok(hosts)
}

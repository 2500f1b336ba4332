//! `cluster`: pages of one layout are found by their structure, and what most of them have in the same place is template.
//!
//! TEXT (C. Kim and K. Shim, *TEXT: automatic template extraction from heterogeneous web pages*, IEEE TKDE 23(4), 2011),
//! as K. P. Chaudhari and P. R. Dholi, *Template extraction from heterogeneous web pages*, describe and measure it. For collections whose
//! pages come from several templates that nobody knows: pages are clustered so that the templates and what the pages
//! have beside them can be written down in the fewest bits, and each cluster's template comes with it.
//!
//! | part | file |
//! |---|---|
//! | pages as sets of paths | `paths` |
//! | the paths that count | `essential` |
//! | what a clustering costs, and the best template | [`cost`] |
//! | TEXT-MDL and TEXT-HASH: all pairs, the best first | `greedy` |
//! | signatures that tell the cost of a merge | `signature` |
//! | TEXT-MAX: pairs found through the signatures | `max` |
//! | large collections: a sample, then the others | `find`, `join` |
//! | the templates for people | `listing` |
//!
//! One thing is not in the papers: a cluster of one page has no template. By the formula all of its paths would be.

pub mod cost;
mod essential;
mod find;
mod greedy;
mod join;
mod listing;
mod max;
mod paths;
mod signature;
#[cfg(test)]
mod tests;

pub use essential::Essentials;
pub use find::{Costs, Layout, Layouts, TemplatePath};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{Mask, Means, Model, Pages, Reason, StripError, Template};
use cost::Tally;
use greedy::{Clustered, merge_best};
use max::merge_nearest;
use signature::{Orders, Signature};
use unhusk_pages::hashed::HashedMap;
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// How pairs of clusters are found and compared.
    pub with: With,
    /// Entries of a signature.
    pub signature: u32,
    /// What signatures and samples are drawn by.
    pub seed: u64,
    /// Pages that are clustered together; the others of a larger collection join the clusters.
    pub sample: u32,
}

/// How pairs of clusters are found and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum With {
    /// TEXT-MDL: all pairs, by their cost
    Mdl,
    /// TEXT-HASH: all pairs, by the cost that their signatures tell
    Hash,
    /// TEXT-MAX: pairs whose signatures agree most
    #[default]
    Max,
}

impl Default for Cluster {
    fn default() -> Self {
        Cluster { with: With::default(), signature: 50, seed: 1, sample: 3000 }
    }
}

impl Cluster {
    /// Finds the clusters and keeps their templates.
    pub(super) fn learn(&self, pages: &Pages<'_>, means: Means<'_>) -> Result<ClusterModel, StripError> {
        let layouts = self.find(pages, means.threads)?;
        let listed = listing::list(pages, &layouts)?;
        let templates = layouts
            .layouts
            .iter()
            .map(|layout| layout.template.iter().map(|path| (path.path, path.pages)).collect::<HashedMap<u32>>());
        Ok(ClusterModel { templates: templates.collect(), listed, layouts })
    }

    /// Clusters pages. Gives the first page of each page's cluster, and what the method believes the clusters to cost.
    fn cluster(&self, essentials: &Essentials) -> Clustered {
        match self.with {
            With::Mdl => merge_best(essentials.pages.iter().map(|page| Tally::of_page(page)).collect()),
            With::Hash => merge_best(self.signatures(essentials)),
            With::Max => merge_nearest(self.signatures(essentials)),
        }
    }

    fn signatures(&self, essentials: &Essentials) -> Vec<Signature> {
        let orders = Orders::new(self.signature as usize, self.seed);
        let hashes = |page: &Vec<u32>| orders.sign(page.iter().map(|&path| essentials.hashes[path as usize]));
        essentials.pages.iter().map(hashes).collect()
    }
}

/// The layouts of a collection's pages.
pub(super) struct ClusterModel {
    layouts: Layouts,
    /// For each layout, its template: on how many pages a path is.
    templates: Vec<HashedMap<u32>>,
    listed: Vec<Template>,
}

impl Model for ClusterModel {
    fn mark(&self, number: PageNo, page: &Page) -> Result<Mask, StripError> {
        let mut mask = Mask::keep_all(page.piece_count());
        let Some(cluster) = self.layouts.of(number) else { return Ok(mask) };
        let (layout, template) = (&self.layouts.layouts[cluster], &self.templates[cluster]);
        if template.is_empty() {
            return Ok(mask);
        }
        for text in paths::of_texts(page, &paths::of_elements(page)) {
            if let Some(&pages) = template.get(&text.path) {
                mask.drop(text.pieces, Reason::Path { cluster: cluster as u32 + 1, pages, of: layout.pages });
            }
        }
        Ok(mask)
    }

    fn templates(&self) -> &[Template] {
        &self.listed
    }

    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        self.layouts.findings()
    }
}

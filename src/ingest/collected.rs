//! A collection that has been read: spooled, its duplicates known.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::sources::Sources;
use super::{Clock, Gathering, IngestError, Stage, Work, gather};
use crate::dedup::{Cut, Duplicates};
use crate::index::IndexError;
use crate::index::manifest::{Copies, PageCounts};
use crate::read::Collection;
use crate::spool::{PageNo, Spool};
use crate::strip::Pages;

/// A collection that has been read once, for as many passes as are wanted.
pub struct Collected {
    pub(super) spool: Spool,
    pub(super) originals: Vec<PageNo>,
    /// Pages that have copies, and the copies' ids.
    pub(super) aliases: BTreeMap<PageNo, Copies>,
    pub(super) counts: PageCounts,
    pub(super) inputs: Vec<String>,
    pub(super) dedup: Option<Cut>,
    pub(super) corpus_bytes: u64,
    pub(super) seconds: Vec<(String, f64)>,
    /// Packed sources, where pages are kept.
    pub(super) sources: Option<Sources>,
}

impl Collected {
    /// Reads all collections into a spool in a new `folder`, which must outlive what is returned.
    pub fn gather(
        collections: &[Collection],
        folder: &Path,
        gathering: &Gathering,
        work: Work<'_>,
    ) -> Result<Self, IngestError> {
        let mut clock = Clock::default();
        fs::create_dir_all(folder).map_err(IndexError::io("create", folder))?;
        work.watch.begin(Stage::Read, None);
        let mut gathered = gather::gather(collections, folder, gathering, work)?;
        if gathered.spool.is_empty() {
            return Err(gather::nothing_found(collections, &gathered));
        }
        clock.stage(Stage::Read);

        work.watch.begin(Stage::Dedup, None);
        let duplicates = match (gathered.sketches.take(), gathering.dedup) {
            (Some(sketches), Some(cut)) => sketches.find(cut)?,
            _ => Duplicates::none(gathered.spool.len()),
        };
        let aliases = aliases(&gathered.spool, &duplicates)?;
        let originals: Vec<PageNo> = duplicates.originals().collect();
        clock.stage(Stage::Dedup);

        let mut counts = gathered.counts();
        counts.indexed = originals.len() as u64;
        counts.duplicates = gathered.spool.len() as u64 - counts.indexed;
        Ok(Collected {
            originals,
            aliases,
            counts,
            inputs: collections.iter().map(ToString::to_string).collect(),
            dedup: gathering.dedup,
            corpus_bytes: gathered.corpus_bytes,
            seconds: clock.seconds,
            sources: gathered.sources,
            spool: gathered.spool,
        })
    }

    /// The pages that are indexed.
    pub fn pages(&self) -> Pages<'_> {
        Pages::new(&self.spool, self.originals.clone())
    }

    /// Ids of the pages that are copies of this one.
    pub fn copies(&self, original: PageNo) -> &[String] {
        self.aliases.get(&original).map_or(&[], |copies| &copies.aliases)
    }
}

fn aliases(spool: &Spool, duplicates: &Duplicates) -> Result<BTreeMap<PageNo, Copies>, IngestError> {
    let mut aliases: BTreeMap<PageNo, Copies> = BTreeMap::new();
    for (copy, original) in duplicates.copies() {
        let copies = match aliases.entry(original) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(Copies { page: spool.page(original)?.id, aliases: Vec::new() })
            }
        };
        copies.aliases.push(spool.page(copy)?.id);
    }
    Ok(aliases)
}

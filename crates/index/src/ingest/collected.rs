//! A collection that has been read: spooled, its duplicates known.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::gather::{self, Gathered, Turn};
use super::prints::Prints;
use super::sources::Sources;
use super::{Clock, Gathering, IngestError, Old, Stage, Work, memory};
use crate::index::IndexError;
use crate::index::manifest::{Copies, PageCounts};
use unhusk_pages::dedup::{Cut, Duplicates, Sketch, Sketches};
use unhusk_pages::metadata::site::Sample;
use unhusk_pages::read::{Collection, Stamp};
use unhusk_pages::spool::{PageNo, Spool};
use unhusk_strip::strip::Pages;
use unhusk_strip::strip::scope::Scope;

/// A collection that has been read once, for as many passes as are wanted.
pub struct Collected {
    pub(super) spool: Spool,
    /// All pages in the collection's order, of an index that is updated too.
    pub(super) turns: Vec<Turn>,
    /// Which of them are no copies, by their place in that order.
    pub(super) originals: Vec<PageNo>,
    /// Pages that have copies, by their place, and the copies' ids.
    pub(super) aliases: BTreeMap<PageNo, Copies>,
    pub(super) counts: PageCounts,
    pub(super) inputs: Vec<String>,
    pub(super) dedup: Option<Cut>,
    pub(super) corpus_bytes: u64,
    pub(super) seconds: Vec<(String, f64)>,
    /// Packed sources, where pages are kept.
    pub(super) sources: Option<Sources>,
    /// What the pages in the spool were parsed from.
    pub(super) prints: Prints,
    /// What the files of pages look like now that the updated index has as they are.
    pub(super) stamps: HashMap<u32, Stamp>,
    /// The file of all pages' sketches, where copies were looked for.
    pub(super) sketches: Option<PathBuf>,
    /// The index that is updated.
    pub(super) old: Option<Arc<Old>>,
    pub(super) gathering: Gathering,
    /// What is drawn of pages that are no copies, to see what is the site's.
    pub(super) sites: Sample,
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
        let gathered = read(collections, folder, gathering, work)?;
        if gathered.turns.is_empty() {
            return Err(gather::nothing_found(collections, &gathered));
        }
        clock.stage(Stage::Read);
        let inputs = collections.iter().map(ToString::to_string).collect();
        Self::line_up(gathered, inputs, folder, gathering, clock, work)
    }

    /// Finds copies among the pages that were found.
    pub(super) fn line_up(
        mut gathered: Gathered,
        inputs: Vec<String>,
        folder: &Path,
        gathering: &Gathering,
        mut clock: Clock,
        work: Work<'_>,
    ) -> Result<Self, IngestError> {
        work.watch.begin(Stage::Dedup, None);
        let (sketches, counts) = (gathered.sketches.take(), gathered.counts());
        let mut collected = Collected {
            spool: gathered.spool,
            turns: gathered.turns,
            originals: Vec::new(),
            aliases: BTreeMap::new(),
            counts,
            inputs,
            dedup: gathering.dedup,
            corpus_bytes: gathered.source_bytes,
            seconds: Vec::new(),
            sources: gathered.sources,
            prints: gathered.prints,
            stamps: gathered.stamps,
            sketches: gathering.dedup.map(|_| folder.join(gather::SKETCHES)),
            old: gathering.old.clone(),
            gathering: gathering.clone(),
            sites: gathered.sites,
        };
        let duplicates = match (sketches, gathering.dedup) {
            (Some(sketches), Some(cut)) => sketches.find(cut)?,
            (None, Some(cut)) => collected.sketch(&folder.join(gather::SKETCHES))?.find(cut)?,
            (_, None) => Duplicates::none(collected.turns.len()),
        };
        collected.aliases = collected.aliases(&duplicates)?;
        collected.draw_originals(&duplicates)?;
        collected.originals = duplicates.originals().collect();
        collected.corpus_bytes += collected.old_bytes();
        // An updated index has pages that were not found this time.
        collected.counts.read = collected.turns.len() as u64 + collected.counts.skipped.values().sum::<u64>();
        collected.counts.indexed = collected.originals.len() as u64;
        collected.counts.duplicates = collected.turns.len() as u64 - collected.counts.indexed;
        drop(duplicates);
        memory::give_back();
        clock.stage(Stage::Dedup);
        collected.seconds = clock.seconds;
        Ok(collected)
    }

    /// The pages that were parsed and are indexed: all that are, unless an index is updated.
    pub fn pages(&self) -> Pages<'_> {
        let fresh = self.originals.iter().filter_map(|place| match self.turns[place.index()] {
            Turn::Fresh(number) => Some(number),
            Turn::Old(..) => None,
        });
        Pages::new(&self.spool, fresh.collect())
    }

    /// Ids of the pages that are copies of this one, where no index is updated.
    pub fn copies(&self, original: PageNo) -> &[String] {
        self.aliases.get(&original).map_or(&[], |copies| &copies.aliases)
    }

    /// Sketches of all pages, those of the index that is updated too.
    fn sketch(&self, path: &Path) -> Result<Sketches, IngestError> {
        let mut sketches = Sketches::create(path)?;
        for turn in &self.turns {
            let sketch = match (turn, &self.old) {
                (Turn::Old(number), Some(old)) => old.sketch(*number)?,
                (Turn::Fresh(number), _) => Sketch::of(&self.spool.page(*number)?),
                (Turn::Old(..), None) => Sketch::default(),
            };
            sketches.add(&sketch)?;
        }
        Ok(sketches)
    }

    /// Bytes of HTML of the pages that the updated index has.
    fn old_bytes(&self) -> u64 {
        let Some(old) = &self.old else { return 0 };
        let bytes = |turn: &Turn| match turn {
            Turn::Fresh(..) => 0,
            Turn::Old(number) => old.entry(*number).source_bytes,
        };
        self.turns.iter().map(bytes).sum()
    }

    /// Bytes of visible text of the page at a place.
    pub(super) fn text_bytes(&self, place: PageNo) -> u32 {
        match self.turns[place.index()] {
            Turn::Fresh(number) => self.spool.text_bytes(number),
            Turn::Old(number) => self.old.as_ref().map_or(0, |old| old.entry(number).text_bytes),
        }
    }

    fn id(&self, place: PageNo) -> Result<String, IngestError> {
        Ok(match (self.turns[place.index()], &self.old) {
            (Turn::Old(number), Some(old)) => old.entry(number).id.clone(),
            (Turn::Fresh(number), _) => self.spool.window(number, number.next())?.name(number)?.id,
            (Turn::Old(..), None) => String::new(),
        })
    }

    /// Takes copies out of the sample: they would make what one page says the site's.
    fn draw_originals(&mut self, duplicates: &Duplicates) -> Result<(), IngestError> {
        for (copy, _) in duplicates.copies() {
            if let Turn::Fresh(number) = self.turns[copy.index()] {
                let name = self.spool.window(number, number.next())?.name(number)?;
                self.sites.remove(Scope::Host.of(&name.url), &name.id);
            }
        }
        Ok(())
    }

    /// What is drawn of its pages to see what is the site's.
    pub fn sites(&self) -> &Sample {
        &self.sites
    }

    fn aliases(&self, duplicates: &Duplicates) -> Result<BTreeMap<PageNo, Copies>, IngestError> {
        let mut aliases: BTreeMap<PageNo, Copies> = BTreeMap::new();
        for (copy, original) in duplicates.copies() {
            let copies = match aliases.entry(original) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(Copies { page: self.id(original)?, aliases: Vec::new() })
                }
            };
            copies.aliases.push(self.id(copy)?);
        }
        Ok(aliases)
    }
}

/// The first pass: all collections into a spool in a new folder.
pub(super) fn read(
    collections: &[Collection],
    folder: &Path,
    gathering: &Gathering,
    work: Work<'_>,
) -> Result<Gathered, IngestError> {
    fs::create_dir_all(folder).map_err(IndexError::io("create", folder))?;
    work.watch.begin(Stage::Read, None);
    gather::gather(collections, folder, gathering, work)
}

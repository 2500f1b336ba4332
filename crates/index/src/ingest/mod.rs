//! The way from a collection to an index: read, parse, spool, strip, extract, index.
//!
//! Pages are parsed once, on the way in (`gather`); everything after reads the spool (`feed`). Both halves work on
//! several threads, and neither lets the result depend on how many.

mod collected;
mod feed;
mod gate;
mod gather;
mod learned;
mod memory;
mod old;
mod prints;
mod sources;
mod update;

pub use collected::Collected;
pub use old::Old;
pub use update::{Drift, Fallen, Updated, Updating, update};

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::index::manifest::{self, Cost, Manifest};
use crate::index::schema::Fields;
use crate::index::segments::Layout;
use crate::index::templates::Templates;
use crate::index::upkeep;
use crate::index::words::Language;
use crate::index::{IndexError, Site, TANTIVY_FOLDER, kept};
use unhusk_pages::dedup::{Cut, DedupError};
use unhusk_pages::metadata::Reading;
use unhusk_pages::metadata::choose::Choice;
use unhusk_pages::metadata::site::Sample;
use unhusk_pages::parse::Limits;
use unhusk_pages::read::{Collection, Origin, ReadError, ReadOptions, SkipReason};
use unhusk_pages::spool::SpoolError;
use unhusk_strip::model::ModelError;
use unhusk_strip::strip::{Aside, Means, Method, StripError};

/// How to read a collection; by itself, with every page counting and none kept.
#[derive(Clone, Debug, Default)]
pub struct Gathering {
    /// How to read.
    pub read: ReadOptions,
    /// How much structure of a page is read.
    pub limits: Limits,
    /// What is read of what pages say about themselves; none where they are not asked.
    pub metadata: Option<Reading>,
    /// Wrappers whose values pages get as fields; none to find none.
    pub wrappers: Option<Arc<unhusk_wrap::fields::Fields>>,
    /// When pages are duplicates; none to keep them all.
    pub dedup: Option<Cut>,
    /// Stop at the first page that is skipped or damaged.
    pub strict: bool,
    /// Keep the pages beside the index, to look at: their source, and what is dropped of it.
    pub keep_pages: bool,
    /// The pages of an index that is updated: those that have not changed are not parsed.
    pub old: Option<Arc<Old>>,
}

impl Gathering {
    /// Whether pages are sketched while they are read. The sketches of an updated index's pages are in the index.
    fn sketches(&self) -> bool {
        self.dedup.is_some() && self.old.is_none()
    }
}

/// How to build an index.
#[derive(Clone, Debug)]
pub struct Building {
    /// What takes templates out.
    pub method: Method,
    /// What becomes of text that the method sets aside.
    pub aside: Aside,
    /// The language words are stemmed for.
    pub language: Language,
    /// Which of what pages say about themselves their documents have.
    pub choice: Choice,
    /// Whether to store the text of body and aside.
    pub store: bool,
    /// A saved model to mark pages with, instead of learning from them. It must be one of the method.
    pub model: Option<PathBuf>,
    /// Keep what an update needs.
    pub updatable: bool,
}

/// What is the same for all of the work.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    /// Threads to use, at least one.
    pub threads: usize,
    /// Who wants to know how far it is.
    pub watch: &'w dyn Watch,
    /// A request to stop.
    pub interrupt: &'w Interrupt,
}

/// A part of the work, for progress and costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Read, parse and spool.
    Read,
    /// Find duplicates.
    Dedup,
    /// Learn what the pages share.
    Learn,
    /// Mark, extract, index and merge.
    Index,
    /// Put the segments together and count.
    Finish,
}

impl Stage {
    /// What the manifest calls it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Dedup => "dedup",
            Stage::Learn => "learn",
            Stage::Index => "index",
            Stage::Finish => "finish",
        }
    }
}

/// Who wants to know how far the work is. Called from several threads.
pub trait Watch: Sync {
    /// A stage begins; with the number of pages it will see, where that is known.
    fn begin(&self, _stage: Stage, _pages: Option<u64>) {}
    /// So many pages more are done.
    fn advance(&self, _pages: u64) {}
    /// A page was left out.
    fn skipped(&self, _id: &str, _origin: &Origin, _reason: SkipReason, _detail: &str) {}
    /// A page has more structure than is read: some of its tags were passed over.
    fn flattened(&self, _id: &str, _origin: &Origin) {}
    /// A file is damaged.
    fn damaged(&self, _origin: &Origin, _message: &str) {}
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// A request to stop, shared with whoever may make it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// The flag itself, for a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Whether to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error where it is time to stop.
    pub fn check(&self) -> Result<(), IngestError> {
        if self.is_set() { Err(IngestError::Interrupted) } else { Ok(()) }
    }
}

/// What can stop a build.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The collection cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The spool failed.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// Duplicates cannot be found.
    #[error(transparent)]
    Dedup(#[from] DedupError),
    /// The method failed.
    #[error(transparent)]
    Strip(#[from] StripError),
    /// The saved model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The method has no saved model, so it cannot take pages in one by one.
    #[error("{0} cannot be updated page by page: {1}; --relearn builds it again from the collection")]
    NoModel(PathBuf, String),
    /// Pages would be lost.
    #[error(
        "{0} pages of the index are not in the collection, and --relearn needs the source of all: name their \
         collections too, or let them go with --prune"
    )]
    Unsourced(u64),
    /// No page was found.
    #[error("no page to index in {0}: {1}")]
    Empty(String, String),
    /// A page was skipped or a file damaged, and that was not to be.
    #[error("{0} (--strict: nothing was changed)")]
    Strict(String),
    /// Somebody asked to stop.
    #[error("stopped: nothing was changed")]
    Interrupted,
}

/// Builds an index of the collections at `target`, replacing one that is there only with `force`.
pub fn build(
    collections: &[Collection],
    target: &Path,
    force: bool,
    gathering: &Gathering,
    building: &Building,
    work: Work<'_>,
) -> Result<Manifest, IngestError> {
    let ready = |_: &Collected, _: &Site| Ok::<(), IngestError>(());
    build_and(collections, (target, force), gathering, building, work, ready).map(|(manifest, ())| manifest)
}

/// Builds an index and looks at it before it takes its place.
pub fn build_and<T, E: From<IngestError>>(
    collections: &[Collection],
    (target, force): (&Path, bool),
    gathering: &Gathering,
    building: &Building,
    work: Work<'_>,
    look: impl FnOnce(&Collected, &Site) -> Result<T, E>,
) -> Result<(Manifest, T), E> {
    let site = Site::open(target, force).map_err(IngestError::from)?;
    let collected = Collected::gather(collections, &site.scratch("pages"), gathering, work)?;
    let manifest = collected.build(&site, building, work)?;
    let found = look(&collected, &site)?;
    site.finish().map_err(IngestError::from)?;
    Ok((manifest, found))
}

impl Collected {
    /// Builds an index of the collection, up to taking its place. Several may be built from one reading.
    pub fn build(&self, site: &Site, building: &Building, work: Work<'_>) -> Result<Manifest, IngestError> {
        let mut clock = Clock::default();

        work.watch.begin(Stage::Learn, None);
        let pages = self.pages();
        let means = Means { threads: work.threads, scratch: &site.scratch("learn") };
        let saved = learned::save(building, &pages, &self.sites, means, &site.index())?;
        // What sites say alike is part of what was learned: pages that come later are judged by the same.
        let drawn = match (&saved.file, &self.old) {
            (_, Some(old)) => &old.head().sites,
            (Some(file), None) => file.sites(),
            (None, None) => &self.sites,
        };
        let sites = drawn.learn();
        let unpacked = saved.file.as_ref().map(|file| file.unpack(&site.scratch("sample"))).transpose()?;
        let model = match (saved.model, &unpacked) {
            (Some(model), _) => model,
            (None, Some(unpacked)) => unpacked.seal(Some(&pages), means)?,
            (None, None) => building.method.learn(&pages, means)?,
        };
        memory::give_back();
        work.interrupt.check()?;
        clock.stage(Stage::Learn);

        work.watch.begin(Stage::Index, Some(self.originals.len() as u64));
        let layout = Layout {
            fields: Fields::new(building.store, building.aside),
            language: building.language,
            aside: building.aside,
        };
        let mut fed = feed::feed(self, (model.as_ref(), &sites), &layout, building, site, work)?;
        clock.stage(Stage::Index);

        work.watch.begin(Stage::Finish, None);
        crate::index::segments::join(&fed.segments, &site.index().join(TANTIVY_FOLDER))?;
        self.put_beside(std::mem::take(&mut fed.beside), building, drawn, site)?;
        work.interrupt.check()?;
        let mut manifest = Manifest {
            format: manifest::FORMAT,
            unhusk: env!("CARGO_PKG_VERSION").to_owned(),
            method: building.method.clone(),
            findings: self.old.as_ref().map_or_else(|| model.findings(), |old| old.manifest().findings.clone()),
            aside: building.aside,
            language: building.language,
            stored: building.store,
            dedup: self.dedup,
            inputs: self.inputs.clone(),
            limits: self.gathering.limits,
            pages: self.counts.clone(),
            aliases: self.aliases.values().cloned().collect(),
            corpus_bytes: self.corpus_bytes,
            text_bytes: fed.text_bytes,
            kept_bytes: fed.kept_bytes,
            aside_bytes: fed.aside_bytes,
            unstripped_postings: None,
            fields: Default::default(),
            said: std::mem::take(&mut fed.tally),
            sizes: Default::default(),
            cost: Cost::default(),
        };
        match &self.old {
            Some(old) => old.templates(self.counts.indexed)?.write(&site.index())?,
            None => Templates::new(model.as_ref(), &pages)?.write(&site.index())?,
        }
        manifest.measure(&site.index())?;
        if building.method != Method::None {
            manifest.unstripped_postings = Some(manifest.text_postings().saturating_add_signed(fed.dropped_postings));
        }
        clock.stage(Stage::Finish);
        let seconds = self.seconds.iter().cloned().chain(clock.seconds).collect();
        manifest.cost = Cost { seconds, peak_memory: memory::peak(), threads: work.threads };
        manifest.write(&site.index())?;
        site.seal()?;
        work.interrupt.check()?;
        Ok(manifest)
    }
}

impl Collected {
    /// Puts pages to look at and what an update needs beside the index.
    fn put_beside(
        &self,
        beside: Vec<(usize, feed::Beside)>,
        building: &Building,
        drawn: &Sample,
        site: &Site,
    ) -> Result<(), IndexError> {
        let (kept, upkeep): (Vec<_>, Vec<_>) = beside.into_iter().map(|(_, part)| (part.kept, part.upkeep)).unzip();
        if self.gathering.keep_pages {
            kept::merge(kept.into_iter().flatten().collect(), &site.index())?;
        }
        if building.updatable {
            let baseline = self.old.as_ref().map(|old| old.head().baseline);
            let head = upkeep::Head {
                base_url: self.gathering.read.base_url.as_ref().map(ToString::to_string),
                max_page_size: self.gathering.read.max_page_size,
                baseline: baseline.unwrap_or_default(),
                metadata: self.gathering.metadata.clone(),
                choice: building.choice.clone(),
                sites: drawn.clone(),
            };
            let parts = upkeep.into_iter().flatten().collect();
            upkeep::merge(parts, self.sketches.as_deref(), &site.index(), head, baseline.is_none())?;
        }
        Ok(())
    }
}

/// Seconds by stage.
struct Clock {
    last: Instant,
    seconds: Vec<(String, f64)>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { last: Instant::now(), seconds: Vec::new() }
    }
}

impl Clock {
    /// A stage has ended.
    fn stage(&mut self, stage: Stage) {
        let now = Instant::now();
        self.seconds.push((stage.name().to_owned(), (now - self.last).as_secs_f64()));
        self.last = now;
    }
}

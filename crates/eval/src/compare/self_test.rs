//! What leaving out templates does to an index, told by known items: the index that is built is held against one of the whole pages.

use std::path::Path;

use serde::Serialize;

use super::CompareError;
use crate::known::{Item, KnownItems};
use unhusk_index::index::{Manifest, Site};
use unhusk_index::ingest::{Building, Collected, Gathering, IngestError, Work, build_and};
use unhusk_index::search::queries::QuerySet;
use unhusk_index::search::{Asked, Batch, Engine, Scope, run_batch};
use unhusk_pages::read::Collection;
use unhusk_strip::strip::Method;

/// Places that a page must be among to count as found.
const PLACES: usize = 10;

/// How many known items are found, with templates and without.
#[derive(Debug, Clone, Serialize)]
pub struct SelfTest {
    /// Pages that are asked for by their own rare words.
    pub own_words: KindOfItems,
    /// Pages that are asked for by the text of a link to them.
    pub link_texts: KindOfItems,
}

/// What was asked for in one way.
#[derive(Debug, Clone, Serialize)]
pub struct KindOfItems {
    /// How many queries there are.
    pub queries: usize,
    /// What an index of the whole pages finds.
    pub whole: Found,
    /// What this index finds.
    pub stripped: Found,
    /// Queries whose page is first among the whole pages, and not found without templates: with the pages.
    pub lost: Vec<Lost>,
}

/// How many pages were found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Found {
    /// In the first place.
    pub first: usize,
    /// Among the first ten.
    pub in_ten: usize,
}

/// A page that is not found any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// What was asked.
    pub query: String,
    /// The page's id.
    pub page: String,
}

/// Builds an index like [`unhusk_index::ingest::build`] and tests it before it takes its place.
pub fn build_and_test(
    collections: &[Collection],
    target: &Path,
    force: bool,
    gathering: &Gathering,
    building: &Building,
    work: Work<'_>,
) -> Result<(Manifest, SelfTest), CompareError> {
    build_and(collections, (target, force), gathering, building, work, |collected, site| {
        test(collected, site, building, work)
    })
}

fn test(collected: &Collected, site: &Site, building: &Building, work: Work<'_>) -> Result<SelfTest, CompareError> {
    let whole = Site::open(&site.scratch("whole"), true)?;
    let unstripped = Building { method: Method::None, model: None, store: false, updatable: false, ..building.clone() };
    collected.build(&whole, &unstripped, work)?;
    let items = KnownItems::find(&collected.pages(), work.threads).map_err(IngestError::from)?;
    let engines = [Engine::open(&whole.index())?, Engine::open(&site.index())?];
    Ok(SelfTest {
        own_words: ask(&engines, &items.own_words, work.threads)?,
        link_texts: ask(&engines, &items.link_texts, work.threads)?,
    })
}

fn ask(engines: &[Engine; 2], items: &[Item], threads: usize) -> Result<KindOfItems, CompareError> {
    let queries = QuerySet { queries: items.iter().map(|item| item.query.clone()).collect() };
    let ranks = |engine: &Engine| -> Result<Vec<Option<usize>>, CompareError> {
        let Batch { run, .. } =
            run_batch(engine, &queries, (&Scope::default(), &Asked::default()), PLACES, "test", threads)?;
        let rank =
            |item: &Item| run.ranking(&item.query.id).iter().take(PLACES).position(|found| found.doc == item.page);
        Ok(items.iter().map(rank).collect())
    };
    let (whole, stripped) = (ranks(&engines[0])?, ranks(&engines[1])?);
    let is_lost = |at: &usize| whole[*at] == Some(0) && stripped[*at].is_none();
    let lost = (0..items.len())
        .filter(is_lost)
        .map(|at| Lost { query: items[at].query.text.clone(), page: items[at].page.clone() });
    Ok(KindOfItems { queries: items.len(), whole: found(&whole), stripped: found(&stripped), lost: lost.collect() })
}

fn found(ranks: &[Option<usize>]) -> Found {
    Found {
        first: ranks.iter().filter(|rank| **rank == Some(0)).count(),
        in_ten: ranks.iter().filter(|rank| rank.is_some()).count(),
    }
}

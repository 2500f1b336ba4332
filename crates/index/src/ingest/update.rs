//! Taking a collection's changes into an index.
//!
//! Pages that have not changed are taken from the index, the others are parsed and marked with the index's own model. Then a new
//! index is built of both and put in place like any other build, so an update that is killed changes nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::gather::{Gathered, Turn};
use super::{Building, Clock, Collected, Gathering, IngestError, Old, Stage, Work, collected};
use crate::index::upkeep::{self, Upkeep};
use crate::index::{IndexError, Manifest, Site};
use unhusk_pages::read::{Collection, ReadOptions};
use unhusk_strip::model;
use unhusk_strip::strip::Method;

/// How to update.
#[derive(Clone, Debug, Default)]
pub struct Updating {
    /// Take out pages that are not in the collection.
    pub prune: bool,
    /// Learn templates anew, from the collection.
    pub relearn: bool,
    /// Stop at the first page that is skipped or damaged.
    pub strict: bool,
    /// Wrappers whose values changed pages get.
    pub wrappers: Option<Arc<unhusk_wrap::fields::Fields>>,
}

/// Share of the pages that templates explained at first, below which they are said to have drifted.
const DRIFTED: f64 = 2.0 / 3.0;
/// Pages that have to come before anything is said: a few odd pages are no redesign.
const ENOUGH: u64 = 10;

/// What an update did.
#[derive(Clone, Debug, Serialize)]
pub struct Updated {
    /// Pages the index did not have.
    pub added: u64,
    /// Pages it had with another content.
    pub changed: u64,
    /// Pages it had as they are.
    pub unchanged: u64,
    /// Pages it had that are not in the collection.
    pub missing: u64,
    /// How many of those were taken out.
    pub pruned: u64,
    /// Whether templates were learned anew.
    pub relearned: bool,
    /// How well the templates fit what has come since they were learned; none where nothing has come.
    pub drift: Option<Drift>,
    /// Fields that a smaller share of the pages has than before.
    pub fallen: Vec<Fallen>,
    /// The index as it is now.
    pub manifest: Manifest,
}

/// A field that a smaller share of the pages has than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fallen {
    /// The field.
    pub name: String,
    /// The share of pages that had it.
    pub then: f64,
    /// The share that has it.
    pub now: f64,
}

/// By how much a share has to fall before anything is said.
const FALLEN: f64 = 0.05;

fn fallen(old: &Manifest, new: &Manifest) -> Vec<Fallen> {
    let all = old.said.fields.keys().map(|name| Fallen {
        name: name.clone(),
        then: old.coverage(name),
        now: new.coverage(name),
    });
    all.filter(|field| field.then - field.now >= FALLEN).collect()
}

/// How well templates fit pages that came after they were learned. A page is explained when it loses at least half as much of
/// its text as the median page did then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// The share of pages that was explained when the templates were learned.
    pub then: f64,
    /// The share of the pages that came since.
    pub now: f64,
    /// How many have come since.
    pub pages: u64,
    /// Whether the share has fallen by a third or more.
    pub drifted: bool,
}

impl Updated {
    fn is_nothing(&self) -> bool {
        !self.relearned && self.added + self.changed + self.pruned == 0
    }
}

/// Updates the index in `target` from collections.
pub fn update(
    collections: &[Collection],
    target: &Path,
    updating: Updating,
    work: Work<'_>,
) -> Result<Updated, IngestError> {
    Manifest::read(target)?;
    let site = Site::open(target, true)?;
    let old = Arc::new(Old::open(target)?);
    let gathering = gathering(&old, &updating);
    let mut clock = Clock::default();
    let folder = site.scratch("pages");
    let mut gathered = collected::read(collections, &folder, &gathering, work)?;
    clock.stage(Stage::Read);
    let (mut updated, missing) = compare(&old, &gathered, &updating)?;
    if updated.is_nothing() {
        updated.drift = drift(target)?;
        return Ok(updated);
    }
    if !updating.prune {
        gathered.turns.splice(0..0, missing);
    }
    if gathered.turns.is_empty() {
        return Err(super::gather::nothing_found(collections, &gathered));
    }
    let mut building = building(&old);
    if !updating.relearn {
        building.model = model_of(&old, target)?;
    }
    let collected = Collected::line_up(gathered, inputs(&old, collections), &folder, &gathering, clock, work)?;
    updated.manifest = collected.build(&site, &building, work)?;
    updated.fallen = fallen(old.manifest(), &updated.manifest);
    site.finish()?;
    updated.drift = drift(target)?;
    Ok(updated)
}

/// How the index was read.
fn gathering(old: &Arc<Old>, updating: &Updating) -> Gathering {
    let head = old.head();
    let base_url = head.base_url.as_ref().and_then(|url| url.parse().ok());
    // Whoever learns anew needs all pages parsed.
    let old_pages = (!updating.relearn).then(|| old.clone());
    let known = old_pages.as_ref().map(|old| old.known()).unwrap_or_default();
    Gathering {
        read: ReadOptions { base_url, max_page_size: head.max_page_size, known },
        limits: old.manifest().limits,
        metadata: head.metadata.clone(),
        wrappers: updating.wrappers.clone(),
        dedup: old.manifest().dedup,
        strict: updating.strict,
        keep_pages: old.kept().is_some(),
        old: old_pages,
    }
}

/// How the index was built.
fn building(old: &Old) -> Building {
    let manifest = old.manifest();
    Building {
        method: manifest.method.clone(),
        aside: manifest.aside,
        language: manifest.language,
        choice: old.head().choice.clone(),
        store: manifest.stored,
        model: None,
        updatable: true,
    }
}

/// The index's own model; none for a method that learns nothing.
fn model_of(old: &Old, target: &Path) -> Result<Option<PathBuf>, IngestError> {
    let method = &old.manifest().method;
    match (method, model::check(method)) {
        (Method::None, _) => Ok(None),
        (_, Err(error)) => Err(IngestError::NoModel(target.to_owned(), error.to_string())),
        (_, Ok(())) => Ok(Some(upkeep::model_of(target))),
    }
}

/// What has changed, and the pages that are not in the collection.
fn compare(old: &Old, gathered: &Gathered, updating: &Updating) -> Result<(Updated, Vec<Turn>), IngestError> {
    let mut found = vec![false; old.len() as usize];
    let mut unchanged = 0;
    for turn in &gathered.turns {
        if let Turn::Old(number) = turn {
            found[*number as usize] = true;
            unchanged += 1;
        }
    }
    // Of a page that has changed the old text goes.
    let (mut added, mut changed) = (0, 0);
    let prints = gathered.prints.of(0..gathered.spool.len())?;
    gathered.pages().for_each_name(|number, name| {
        let was = old.number(&name.id);
        let is_same = was.is_some_and(|was| old.entry(was).hash == prints[number.index()].hash);
        match was {
            Some(was) => found[was as usize] = true,
            None => added += 1,
        }
        unchanged += u64::from(is_same);
        changed += u64::from(was.is_some() && !is_same);
    })?;
    let missing: Vec<Turn> = (0..old.len()).filter(|&number| !found[number as usize]).map(Turn::Old).collect();
    let updated = Updated {
        added,
        changed,
        unchanged,
        missing: missing.len() as u64,
        pruned: if updating.prune { missing.len() as u64 } else { 0 },
        relearned: updating.relearn,
        drift: None,
        fallen: Vec::new(),
        manifest: old.manifest().clone(),
    };
    if updating.relearn && updated.missing > updated.pruned {
        return Err(IngestError::Unsourced(updated.missing - updated.pruned));
    }
    Ok((updated, missing))
}

fn inputs(old: &Old, collections: &[Collection]) -> Vec<String> {
    let mut inputs = old.manifest().inputs.clone();
    for name in collections.iter().map(ToString::to_string) {
        if !inputs.contains(&name) {
            inputs.push(name);
        }
    }
    inputs
}

fn drift(index: &Path) -> Result<Option<Drift>, IndexError> {
    let upkeep = Upkeep::open(index)?;
    let then = upkeep.head()?.baseline;
    Ok(upkeep.explained_since()?.map(|(now, pages)| Drift {
        then: then.explained,
        now,
        pages,
        drifted: then.typical > 0.0 && pages >= ENOUGH && now <= DRIFTED * then.explained,
    }))
}

#[cfg(test)]
mod tests;

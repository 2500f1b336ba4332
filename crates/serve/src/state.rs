//! The indexes that are open, and how they are reopened when a build replaces them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use super::failure::Failure;
use super::guard::Hosts;
use super::judgements::Judgements;
use super::limits::{Gate, SearchLimits};
use super::report::Reports;
use super::{Event, Options, ServeError};
use unhusk_index::index::kept::KeptPages;
use unhusk_index::index::templates::Templates;
use unhusk_index::index::{Identity, IndexError, identity, of_one_build};
use unhusk_index::search::Engine;

/// How often folders are looked at for a new build.
const LOOK: Duration = Duration::from_millis(500);

/// Everything a request may use.
pub(super) struct App {
    slots: Vec<Slot>,
    pub(super) judgements: Judgements,
    pub(super) reports: Reports,
    pub(super) gate: Gate,
    pub(super) hosts: Hosts,
    pub(super) threads: usize,
    pub(super) limits: SearchLimits,
}

/// An index by name; which build of it answers may change.
struct Slot {
    name: String,
    folder: PathBuf,
    current: RwLock<Arc<Opened>>,
}

/// One build of an index. Its files stay open, so it answers even after another build took its place.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) engine: Engine,
    /// What it was built without.
    pub(super) templates: Templates,
    /// Pages to look at, where they were kept.
    pub(super) kept: Option<KeptPages>,
    pub(super) identity: Identity,
}

impl Opened {
    fn open(name: &str, folder: &Path) -> Result<Self, IndexError> {
        let parts = || Ok((Engine::open(folder)?, Templates::read(folder)?, KeptPages::open(folder)?));
        let ((engine, templates, kept), identity) = of_one_build(folder, parts)?;
        Ok(Opened { name: name.to_owned(), engine, templates, kept, identity })
    }
}

impl App {
    /// Opens everything.
    pub(super) fn open(options: &Options) -> Result<Self, ServeError> {
        let names = names(&options.indexes);
        let open = |(name, folder): (&String, &PathBuf)| {
            let current = RwLock::new(Arc::new(Opened::open(name, folder)?));
            Ok(Slot { name: name.clone(), folder: folder.clone(), current })
        };
        Ok(App {
            slots: names.iter().zip(&options.indexes).map(open).collect::<Result<_, IndexError>>()?,
            judgements: Judgements::open(options)?,
            reports: Reports::default(),
            gate: Gate::new(options.threads),
            hosts: Hosts::new(options),
            threads: options.threads,
            limits: options.limits,
        })
    }

    /// The names of the indexes, in the order they were given.
    pub(super) fn names(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.name.clone()).collect()
    }

    /// All indexes as they are now.
    pub(super) fn all(&self) -> Vec<Arc<Opened>> {
        self.slots.iter().map(Slot::current).collect()
    }

    /// The index of a name; the one at a place where no name is given.
    pub(super) fn index(&self, name: Option<&str>, otherwise: usize) -> Result<Arc<Opened>, Failure> {
        let slot = match name {
            Some(name) => self.slots.iter().find(|slot| slot.name == name),
            None => self.slots.get(otherwise).or(self.slots.last()),
        };
        let no_such = || Failure::missing(format!("There is no such index. Open are: {}.", self.names().join(", ")));
        Ok(slot.ok_or_else(no_such)?.current())
    }
}

impl Slot {
    fn current(&self) -> Arc<Opened> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the index again where a build has replaced it; says whether it did.
    fn refresh(&self) -> Result<bool, IndexError> {
        // Between the two renames of a file system without exchange there is no index: look again later.
        let Ok(now) = identity(&self.folder) else { return Ok(false) };
        if now == self.current().identity {
            return Ok(false);
        }
        let opened = Arc::new(Opened::open(&self.name, &self.folder)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = opened;
        Ok(true)
    }
}

/// Reopens indexes when builds replace them, for as long as the server runs. Requests use the old one until the new one is open.
pub(super) async fn watch(app: Arc<App>, tell: Arc<dyn Fn(Event) + Send + Sync>) {
    // An index that cannot be opened is told once, and tried again when it changes.
    let mut refused: Vec<Option<Identity>> = vec![None; app.slots.len()];
    loop {
        for opened in app.all() {
            // Read before somebody waits for it; an error is told to who asks.
            let _ = tokio::task::spawn_blocking(move || opened.engine.hosts().map(drop)).await;
        }
        tokio::time::sleep(LOOK).await;
        for (slot, refused) in refused.iter_mut().enumerate() {
            let (app, tell, known) = (app.clone(), tell.clone(), *refused);
            let looked = tokio::task::spawn_blocking(move || look(&app.slots[slot], known, tell.as_ref())).await;
            *refused = looked.unwrap_or(known);
        }
    }
}

fn look(slot: &Slot, refused: Option<Identity>, tell: &(dyn Fn(Event) + Send + Sync)) -> Option<Identity> {
    let now = identity(&slot.folder).ok();
    if refused.is_some() && now == refused {
        return refused;
    }
    match slot.refresh() {
        Ok(true) => tell(Event::Reopened(slot.name.clone())),
        Ok(false) => {}
        Err(error) => {
            tell(Event::NotReopened(slot.name.clone(), error));
            return now;
        }
    }
    None
}

/// A name for each folder: its own, with as many folders in front as it takes to tell it from the others.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let parts = |folder: &PathBuf| -> Vec<String> {
        let full = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
        let parts = full.iter().map(|part| part.to_string_lossy().into_owned());
        parts.filter(|part| part != "/").collect()
    };
    let parts: Vec<Vec<String>> = folders.iter().map(parts).collect();
    let name = |parts: &[String], length: usize| parts[parts.len().saturating_sub(length)..].join("/");
    let longest = parts.iter().map(Vec::len).max().unwrap_or_default();
    let unique = |at: usize| {
        let clash = |length| {
            (0..parts.len()).any(|other| other != at && name(&parts[other], length) == name(&parts[at], length))
        };
        let length = (1..=longest).find(|&length| !clash(length)).unwrap_or(longest);
        let same = (0..at).filter(|&other| parts[other] == parts[at]).count();
        let name = name(&parts[at], length);
        if same == 0 { name } else { format!("{name} ({})", same + 1) }
    };
    (0..parts.len()).map(unique).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_called_by_as_little_of_their_path_as_tells_them_apart() {
        let folders = ["/a/harbour/none", "/a/harbour/table", "/a/docs/none", "/a/docs/none"].map(PathBuf::from);
        assert_eq!(names(&folders), ["harbour/none", "table", "a/docs/none", "a/docs/none (2)"]);
    }
}

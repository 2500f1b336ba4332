//! Reading a collection and learning from it, without building an index.

use anyhow::Context;

use super::Common;
use super::progress::Progress;
use crate::ingest::{Collected, Gathering, Interrupt, Work};
use crate::read::Collection;
use crate::strip::{Means, Method, Model, Pages};

/// Reads collections, learns what their pages share, and hands pages and model to `then`.
pub(super) fn learned<T>(
    collections: &[Collection],
    gathering: &Gathering,
    method: &Method,
    common: &Common,
    interrupt: &Interrupt,
    then: impl FnOnce(&Pages<'_>, &dyn Model) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    collected(collections, gathering, common, interrupt, |collected, means| {
        let pages = collected.pages();
        let model = method.learn(&pages, means)?;
        then(&pages, model.as_ref())
    })
}

/// Reads collections and hands them to `then`, with what methods may use.
pub(super) fn collected<T>(
    collections: &[Collection],
    gathering: &Gathering,
    common: &Common,
    interrupt: &Interrupt,
    then: impl FnOnce(&Collected, Means<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let collected = Collected::gather(collections, &folder.path().join("pages"), gathering, work);
    progress.finish();
    then(&collected?, Means { threads: work.threads, scratch: &folder.path().join("learn") })
}

//! `unhusk update`: what has changed in a collection goes into an index.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::args::collections;
use super::progress::Progress;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::ingest::{self, Drift, Interrupt, Updated, Updating, Work};
use crate::wrap::fields::Fields;

/// Take new and changed pages of a collection into an index
///
/// Pages are read as they were when the index was built. A file whose size and time are the same is not read again, and a page
/// whose content is the same is not parsed again. New and changed pages are stripped with the templates the index was built
/// with; when those do not fit any more, the command says so, and --relearn learns them anew.
#[derive(Debug, Args)]
pub(super) struct UpdateArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// Take out pages that are not in the collections
    #[arg(long)]
    prune: bool,
    /// Learn templates anew, from all pages of the collections
    #[arg(long)]
    relearn: bool,
    /// Stop with an error at the first page that is skipped or damaged
    #[arg(long)]
    strict: bool,
    /// Put the values on pages that are new or have changed that wrappers find: a file of the command fields learn
    #[arg(long, value_name = "FILE")]
    fields: Option<PathBuf>,
    #[command(flatten)]
    output: FormatArgs,
}

pub(super) fn run(args: &UpdateArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let collections = collections(&args.collections, interrupt)?;
    let wrappers = args.fields.as_deref().map(Fields::read).transpose()?.map(Arc::new);
    let updating = Updating { prune: args.prune, relearn: args.relearn, strict: args.strict, wrappers };
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let updated = ingest::update(&collections, &args.index, updating, work);
    progress.finish();
    let updated = updated?;
    if let Some(drift) = updated.drift.filter(|drift| drift.drifted) {
        eprintln!("unhusk: {}", drifted(&drift));
    }
    for field in &updated.fallen {
        let name = output::printable(&field.name);
        eprintln!(
            "unhusk: {} of the pages have the field {name}, and {} had it before: did the pages change?",
            percent(field.now),
            percent(field.then)
        );
    }
    match args.output.format {
        Format::Json => output::json(&updated)?,
        Format::Table if common.quiet => {}
        Format::Table => output::print(&output::printable(&output::pairs(rows(&updated))))?,
    }
    Ok(Outcome::Done)
}

fn drifted(drift: &Drift) -> String {
    format!(
        "the templates do not fit any more: they explain {} of the {} pages that came since they were learned, and {} \
         of the pages then; --relearn learns them anew",
        percent(drift.now),
        units::count(drift.pages),
        percent(drift.then)
    )
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn rows(updated: &Updated) -> Vec<(String, String)> {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let missing = match updated.missing {
        0 => "0".to_owned(),
        missing if updated.pruned > 0 => format!("{}, taken out", units::count(missing)),
        missing => format!("{}, kept (--prune takes them out)", units::count(missing)),
    };
    let mut rows = vec![
        row("new", units::count(updated.added)),
        row("changed", units::count(updated.changed)),
        row("unchanged", units::count(updated.unchanged)),
        row("not there", missing),
        row("indexed", units::count(updated.manifest.pages.indexed)),
    ];
    if let Some(drift) = updated.drift {
        let words = format!("{} of {} pages since, {} then", percent(drift.now), drift.pages, percent(drift.then));
        rows.push(row("explained", words));
    }
    rows
}

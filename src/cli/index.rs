//! `unhusk index`: a collection becomes an index.

use std::path::PathBuf;

use clap::Args;

use super::args::{GatherArgs, MethodArgs};
use super::progress::Progress;
use super::{Common, Format, FormatArgs, Outcome, info, output};
use crate::index::words::Language;
use crate::ingest::{self, Building, Interrupt, Work};
use crate::read::Collection;
use crate::strip::Method;

/// Reads site collections and indexes their visible text.
///
/// A collection is a folder of HTML files, one HTML file, a WARC file, a TREC web file, a JSON lines file
/// ({"url": …, "html": …}), or - for JSON lines on standard input. Compressed files are read as they are.
/// The index is built beside its place and put there when it is complete.
#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// What to index: folders, files, or - for JSON lines on standard input
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// Where the index goes [default: index/<COLLECTION'S NAME>/<METHOD>]
    #[arg(long, short, value_name = "INDEX")]
    out: Option<PathBuf>,
    /// Replace the index that is there
    #[arg(long)]
    force: bool,
    /// Stem words of this language: ar da de el en es fi fr hu it nl no pt ro ru sv ta tr, or none
    #[arg(long, value_name = "CODE", default_value_t = Language::default())]
    language: Language,
    /// Leave the text out of the index's store: smaller, but results have no snippets
    #[arg(long)]
    no_store: bool,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    gather: GatherArgs,
    #[command(flatten)]
    output: FormatArgs,
}

pub(super) fn run(args: &IndexArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let collections: Vec<Collection> = args.collections.iter().map(Collection::open).collect::<Result<_, _>>()?;
    let building = Building { method: args.method.method(), language: args.language, store: !args.no_store };
    let target = args.out.clone().unwrap_or_else(|| default_place(&collections, &building.method));
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let manifest = ingest::build(&collections, &target, args.force, &args.gather.gathering(), &building, work);
    progress.finish();
    let manifest = manifest?;
    if !common.quiet && !manifest.pages.skipped.is_empty() {
        eprintln!("unhusk: {}", info::skipped_in_words(&manifest));
    }
    match args.output.format {
        Format::Json => output::json(&manifest)?,
        Format::Table if common.quiet => {}
        Format::Table => output::print(&info::summary(&manifest, &target))?,
    }
    Ok(Outcome::Done)
}

fn default_place(collections: &[Collection], method: &Method) -> PathBuf {
    let name = collections.first().map(Collection::name).unwrap_or_default();
    PathBuf::from("index").join(name).join(method.name())
}

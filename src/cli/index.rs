//! `unhusk index`: a collection becomes an index.

use std::path::PathBuf;

use clap::Args;

use super::args::{AsideArgs, GatherArgs, KeepArgs, MetadataArgs, MethodArgs, collections};
use super::progress::Progress;
use super::{Common, Format, FormatArgs, Outcome, info, output};
use crate::index::words::Language;
use crate::ingest::{self, Building, Gathering, Interrupt, Work};
use crate::model::ModelFile;
use crate::read::Collection;
use crate::strip::Method;

/// Index the visible text of site collections
///
/// A collection is a folder of HTML files, one HTML file, a WARC file, a TREC web file (<DOC>), a file of JSON lines
/// ({"url": …, "html": …}), or - for JSON lines on standard input. The last four may be compressed with gzip or zstd.
///
/// The index is built beside its place and put there when it is complete; until then an index that is there answers.
#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Folders, files, or - for standard input; several become one index
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// Folder of the index [default: index/<name of the first collection>/<method>]
    #[arg(long, short, value_name = "INDEX")]
    out: Option<PathBuf>,
    /// Replace an index that is there already
    #[arg(long)]
    force: bool,
    /// Language whose inflections count as one word (ships, shipping: ship): ar da de el en es fi fr hu it nl no pt ro
    /// ru sv ta tr, or none
    #[arg(long, value_name = "CODE", default_value_t = Language::default())]
    language: Language,
    /// Do not keep the text in the index: it is smaller, but results have no snippets
    #[arg(long)]
    no_store: bool,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// Take templates out with a saved model (see the model command) instead of learning from these pages
    #[arg(long, value_name = "FILE", conflicts_with = "strip", help_heading = "Template removal")]
    model: Option<PathBuf>,
    #[command(flatten)]
    aside: AsideArgs,
    #[command(flatten)]
    gather: GatherArgs,
    #[command(flatten)]
    metadata: MetadataArgs,
    #[command(flatten)]
    output: FormatArgs,
}

pub(super) fn run(args: &IndexArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let collections = collections(&args.collections, interrupt)?;
    let method = match &args.model {
        Some(file) => ModelFile::open(file)?.head().method.clone(),
        None => args.method.method(),
    };
    let building = Building {
        method,
        aside: args.aside.aside,
        language: args.language,
        choice: args.metadata.choice(),
        store: !args.no_store,
        model: args.model.clone(),
        updatable: true,
    };
    let target = args.out.clone().unwrap_or_else(|| default_place(&collections, &building.method));
    let gathering = Gathering {
        keep_pages: args.keep.keep_pages,
        metadata: args.metadata.reading(),
        wrappers: args.metadata.wrappers()?,
        ..args.gather.gathering()
    };
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let manifest = ingest::build(&collections, &target, args.force, &gathering, &building, work);
    progress.finish();
    let manifest = manifest?;
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

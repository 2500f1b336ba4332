//! `unhusk index`: a collection becomes an index.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::{AsideArgs, GatherArgs, KeepArgs, LanguageArgs, MetadataArgs, MethodArgs, collections};
use super::compare::interrupted;
use super::progress::Progress;
use super::{Common, Format, FormatArgs, Outcome, info, output};
use crate::compare::{Found, SelfTest, build_and_test};
use crate::index::Manifest;
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
    #[command(flatten)]
    language: LanguageArgs,
    /// Do not keep the text in the index: it is smaller, but results have no snippets
    #[arg(long)]
    no_store: bool,
    /// Test the index before it takes its place: pages are asked for by their rarest words and by the texts of links to them, in
    /// this index and in one of the whole pages
    #[arg(long)]
    self_test: bool,
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
        language: args.language.language,
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
    let built = if args.self_test {
        build_and_test(&collections, &target, args.force, &gathering, &building, work)
            .map(|(manifest, test)| (manifest, Some(test)))
            .map_err(interrupted)
    } else {
        let manifest = ingest::build(&collections, &target, args.force, &gathering, &building, work);
        manifest.map(|manifest| (manifest, None)).map_err(anyhow::Error::from)
    };
    progress.finish();
    let (manifest, test) = built?;
    match args.output.format {
        Format::Json => output::json(&Built { manifest: &manifest, self_test: test.as_ref() })?,
        Format::Table if common.quiet => {}
        Format::Table => {
            output::print(&info::built(&manifest, &target)?)?;
            if let Some(test) = &test {
                output::print(&output::printable(&shown(test)))?;
            }
        }
    }
    Ok(Outcome::Done)
}

/// What was built: the manifest, and what the test found.
#[derive(Serialize)]
struct Built<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_test: Option<&'a SelfTest>,
}

/// Pages that are named of those that are not found any more.
const NAMED: usize = 5;

/// The test for a terminal.
fn shown(test: &SelfTest) -> String {
    let mut text = String::from("\nSelf-test, pages in the first place (among the first ten)\n");
    for (name, asked) in [("by own words", &test.own_words), ("by link texts", &test.link_texts)] {
        let found = |found: &Found| format!("{} ({})", found.first, found.in_ten);
        text += &format!(
            "  {name:14} {:4} queries: {} with templates, {} without\n",
            asked.queries,
            found(&asked.whole),
            found(&asked.stripped)
        );
        for lost in asked.lost.iter().take(NAMED) {
            text += &format!("    not found any more: {} (\"{}\")\n", lost.page, lost.query);
        }
        if let more @ 1.. = asked.lost.len().saturating_sub(NAMED) {
            text += &format!("    … and {more} more\n");
        }
    }
    text
}

fn default_place(collections: &[Collection], method: &Method) -> PathBuf {
    let name = collections.first().map(Collection::name).unwrap_or_default();
    PathBuf::from("index").join(name).join(method.name())
}

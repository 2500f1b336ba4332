//! `unhusk eval discovery`: template tables found, of template tables there.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::args::{GatherArgs, MethodArgs, collections};
use super::progress::Progress;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::eval::discovery::{Discovery, MarkedTables};
use crate::ingest::{Collected, Interrupt, Work};
use crate::strip::{Means, for_each_page};

/// Count the template tables a method finds, of those that are marked
///
/// A site is a folder with pages/ and templates.json, as `unhusk generate --table-samples` writes it. The ratio is 1 when every template table was found, lower when some were not, and higher when content was taken for template.
#[derive(Debug, Args)]
pub(super) struct DiscoveryArgs {
    /// The sites' folders
    #[arg(required = true, value_name = "SITE")]
    sites: Vec<PathBuf>,
    #[command(flatten)]
    output: FormatArgs,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    gather: GatherArgs,
}

#[derive(Serialize)]
struct Row {
    site: String,
    pages: usize,
    #[serde(flatten)]
    discovery: Discovery,
    ratio: Option<f64>,
}

pub(super) fn run(args: &DiscoveryArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let rows = args.sites.iter().map(|site| discover(args, site, common, interrupt)).collect::<Result<Vec<_>, _>>()?;
    match args.output.format {
        Format::Json => output::json(&rows)?,
        Format::Table => output::print(&table(&rows))?,
    }
    Ok(Outcome::Done)
}

fn discover(args: &DiscoveryArgs, site: &Path, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Row> {
    let marked = MarkedTables::read(site)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let pages = site.join("pages").to_string_lossy().into_owned();
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let gathering = args.gather.gathering();
    let collected =
        Collected::gather(&collections(&[pages], interrupt)?, &folder.path().join("pages"), &gathering, work);
    progress.finish();
    let collected = collected?;
    let pages = collected.pages();
    let means = Means { threads: work.threads, scratch: &folder.path().join("learn") };
    let model = args.method.method().learn(&pages, means)?;
    let mut discovery = Discovery::default();
    for_each_page(pages.spool(), pages.numbers(), |number, page| {
        discovery.add(marked.compare(&page, &model.mark(number, &page)?));
        Ok::<(), anyhow::Error>(())
    })?;
    let name = site.file_name().unwrap_or(site.as_os_str()).to_string_lossy().into_owned();
    Ok(Row { site: name, pages: pages.numbers().len(), ratio: discovery.ratio(), discovery })
}

fn table(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let Discovery { there, found, mistaken } = row.discovery;
        let mut cells = vec![output::printable(&row.site)];
        cells.extend([row.pages as u64, there, found, mistaken].map(units::count));
        cells.push(row.ratio.map_or("none marked".to_owned(), |ratio| format!("{ratio:.2}")));
        cells
    });
    output::grid(&["site", "pages", "template tables", "found", "mistaken", "ratio"], rows)
}

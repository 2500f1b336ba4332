//! `unhusk eval discovery`: template tables found, of template tables there.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::{GatherArgs, MethodArgs, collections};
use super::learned::learned;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::eval::discovery::{Discovery, MarkedTables};
use crate::ingest::Interrupt;
use crate::strip::for_each_page;

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
    let pages = site.join("pages").to_string_lossy().into_owned();
    let collections = collections(&[pages], interrupt)?;
    let method = args.method.method();
    let mut discovery = Discovery::default();
    let pages = learned(&collections, &args.gather.gathering(), &method, common, interrupt, |pages, model| {
        for_each_page(pages.spool(), pages.numbers(), |number, page| {
            discovery.add(marked.compare(&page, &model.mark(number, &page)?));
            Ok::<(), anyhow::Error>(())
        })?;
        Ok(pages.numbers().len())
    })?;
    let name = site.file_name().unwrap_or(site.as_os_str()).to_string_lossy().into_owned();
    Ok(Row { site: name, pages, ratio: discovery.ratio(), discovery })
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

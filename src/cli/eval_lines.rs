//! `unhusk eval lines`: what was kept, against pages whose template is marked.

use std::path::PathBuf;

use clap::Args;

use super::args::{GatherArgs, MethodArgs, collections};
use super::learned::learned;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::eval::{
    Agreement,
    lines::{LineCounts, LineReport, LineSum, read_marks},
};
use crate::ingest::Interrupt;
use crate::strip::for_each_page;

/// Compare the lines a method keeps with marked pages: precision, recall and F1
///
/// The marks of a page are in <DIR>/<ID>.tsv, as `unhusk generate` writes them. Blank lines and lines of markup alone
/// do not count.
#[derive(Debug, Args)]
pub(super) struct EvalLinesArgs {
    /// What to read: folders, files, or - for JSON lines on standard input
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// The folder with the marks
    #[arg(long, value_name = "DIR")]
    marked: PathBuf,
    #[command(flatten)]
    output: FormatArgs,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    gather: GatherArgs,
}

pub(super) fn run(args: &EvalLinesArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let collections = collections(&args.collections, interrupt)?;
    let mut sum = LineSum::default();
    learned(&collections, &args.gather.gathering(), &args.method.method(), common, interrupt, |pages, model| {
        for_each_page(pages.spool(), pages.numbers(), |number, page| {
            match read_marks(&args.marked, &page.id)? {
                Some(letters) => sum.add(LineCounts::of(&page, &model.mark(number, &page)?, &letters)),
                None => sum.add_unmarked(),
            }
            Ok(())
        })
    })?;
    let report = sum.report();
    anyhow::ensure!(
        report.pages > 0,
        "{} has no marks for any page: expected <ID>.tsv for each document id",
        args.marked.display()
    );
    match args.output.format {
        Format::Json => output::json(&report)?,
        Format::Table => output::print(&table(&report))?,
    }
    Ok(Outcome::Done)
}

fn table(report: &LineReport) -> String {
    let LineCounts { lines, content, kept, content_kept } = report.counts;
    let row = |name: &str, scores: &Agreement| [vec![name.to_owned()], agreement_cells(scores)].concat();
    let rows = [row("all lines together", &report.all), row("mean of the pages", &report.mean)];
    let [lines, content, kept, content_kept, pages] =
        [lines, content, kept, content_kept, report.pages].map(units::count);
    let mut text = output::grid(&["", "precision", "recall", "F1"], rows);
    text += &format!(
        "{pages} pages, {lines} lines with text, {content} with content; {kept} kept, {content_kept} of them with content\n"
    );
    if report.unmarked > 0 {
        text += &format!("{} pages without marks left out\n", units::count(report.unmarked));
    }
    text
}

/// Precision, recall and F1 as a table shows them.
pub(super) fn agreement_cells(scores: &Agreement) -> Vec<String> {
    let cell = |score: Option<f64>| score.map_or("-".to_owned(), |score| format!("{score:.3}"));
    vec![cell(scores.precision), cell(scores.recall), cell(scores.f1)]
}

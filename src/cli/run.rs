//! `unhusk run`: a file of queries becomes a TREC run.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::search::{AskedArgs, ScopeArgs};
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::search::queries::QuerySet;
use crate::search::run::Run;
use crate::search::{Engine, Facet, run_batch};

/// Answer a file of queries with a TREC run
///
/// A line of the run is: query, Q0, document, rank, score, tag. Documents are sorted by score, then by id, both
/// descending: the order trec_eval reads.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// File of queries: lines of id, tab and text; or TREC topics, of which number and title are taken
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Give so many documents at most for each query
    #[arg(short, value_name = "N", default_value_t = 1000)]
    k: usize,
    /// Name of the run, for its last column [default: the method of the index]
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    /// File for the run [default: standard output]
    #[arg(long, short, value_name = "RUN")]
    out: Option<PathBuf>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    asked: AskedArgs,
    #[command(flatten)]
    output: FormatArgs,
}

#[derive(Serialize)]
struct Summary {
    queries: usize,
    documents: usize,
    seconds: f64,
    queries_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rankings: Option<Vec<Ranking>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facets: Vec<Counted>,
}

/// The values of fields among the pages that a query found.
#[derive(Serialize)]
struct Counted {
    query: String,
    facets: Vec<Facet>,
}

#[derive(Serialize)]
struct Ranking {
    query: String,
    documents: Vec<(String, f64)>,
}

pub(super) fn run(args: &RunArgs, common: &Common) -> anyhow::Result<Outcome> {
    let engine = Engine::open(&args.index)?;
    let queries = QuerySet::open(&args.queries)?;
    let tag = args.tag.clone().unwrap_or_else(|| engine.manifest().method.name().to_owned());
    anyhow::ensure!(
        !tag.is_empty() && !tag.contains(char::is_whitespace),
        "--tag must be one word, and '{tag}' is not"
    );
    let batch =
        run_batch(&engine, &queries, (&args.scope.scope(), &args.asked.asked()), args.k, &tag, common.threads())?;
    let seconds = batch.elapsed.as_secs_f64();
    let summary = Summary {
        queries: queries.queries.len(),
        documents: batch.run.rankings().map(|(_, documents)| documents.len()).sum(),
        seconds,
        queries_per_second: queries.queries.len() as f64 / seconds.max(1e-9),
        out: args.out.clone(),
        rankings: None,
        facets: batch.facets.into_iter().map(|(query, facets)| Counted { query, facets }).collect(),
    };
    if !common.quiet {
        eprintln!(
            "unhusk: {} queries in {seconds:.2} s, {:.0} a second",
            units::count(summary.queries as u64),
            summary.queries_per_second
        );
    }
    // A run has no place for counts, so they stand beside it.
    if args.output.format == Format::Table {
        eprint!("{}", counts(&summary.facets));
    }
    if let Some(path) = &args.out {
        write_file(&batch.run, path).with_context(|| format!("cannot write the run to {}", path.display()))?;
    }
    match (args.output.format, &args.out) {
        (Format::Json, Some(_)) => output::json(&summary)?,
        (Format::Json, None) => output::json(&Summary { rankings: Some(rankings(&batch.run)), ..summary })?,
        (Format::Table, Some(_)) => {}
        (Format::Table, None) => batch.run.write(std::io::stdout().lock())?,
    }
    Ok(Outcome::Done)
}

/// Lines of query, field, value and pages.
fn counts(counted: &[Counted]) -> String {
    let lines = |Counted { query, facets }: &Counted| -> String {
        let values = facets.iter().flat_map(|facet| facet.values.iter().map(move |value| (&facet.name, value)));
        values
            .map(|(field, value)| format!("{query}\t{field}\t{}\t{}\n", output::printable(&value.value), value.pages))
            .collect()
    };
    counted.iter().map(lines).collect()
}

fn write_file(run: &Run, path: &PathBuf) -> anyhow::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    run.write(&mut out)?;
    Ok(out.flush()?)
}

fn rankings(run: &Run) -> Vec<Ranking> {
    let documents =
        |documents: &[crate::search::run::Ranked]| documents.iter().map(|d| (d.doc.clone(), d.score)).collect();
    run.rankings().map(|(query, found)| Ranking { query: query.to_owned(), documents: documents(found) }).collect()
}

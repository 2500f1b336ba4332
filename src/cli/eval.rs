//! `unhusk eval`: runs meet their judgements.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::eval_clusters::{self, EvalClustersArgs};
use super::eval_discovery::{self, DiscoveryArgs};
use super::eval_lines::{self, EvalLinesArgs};
use super::eval_tokens::{self, EvalTokensArgs};
use super::{Common, Format, FormatArgs, Outcome, output};
use crate::eval::{Aliases, Difference, Measure, Qrels, Scores, evaluate};
use crate::index::Manifest;
use crate::ingest::Interrupt;
use crate::report::figures::{queries, score};
use crate::report::{DIFFERENCE_HEAD, Table, difference_cells};
use crate::search::run::Run;

/// The version of what `--format json` prints.
const SCHEMA: &str = "unhusk.eval/1";

/// Score runs against judgements, and against each other
///
/// As trec_eval does with -c: the mean is over every judged query, and a query without an answer counts as 0.
///
/// With --against, each run is also compared to that run: queries better and worse, the mean difference with its
/// 95 % bootstrap interval, Wilcoxon's signed-rank test, a randomisation test, and what a perfect switch between the
/// two would reach.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    runs: RunsArgs,
    #[command(subcommand)]
    command: Option<EvalCommand>,
}

/// What else can be scored.
#[derive(Debug, Subcommand)]
enum EvalCommand {
    Lines(EvalLinesArgs),
    Tokens(EvalTokensArgs),
    Discovery(DiscoveryArgs),
    Clusters(EvalClustersArgs),
}

#[derive(Debug, Args)]
struct RunsArgs {
    /// The runs, in TREC format: query, Q0, document, rank, score, tag
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The judgements, in TREC format: query, iteration, document, grade
    #[arg(long, value_name = "FILE", required = true)]
    qrels: Option<PathBuf>,
    /// Compare each run to this one
    #[arg(long, value_name = "RUN")]
    against: Option<PathBuf>,
    /// Measures: P@k, MAP, MRR, nDCG@k, recall@k, success@k, bpref [default: the usual eight]
    #[arg(short, long = "measure", value_name = "MEASURE", value_delimiter = ',')]
    measures: Vec<Measure>,
    /// Show every query's scores too
    #[arg(long)]
    per_query: bool,
    /// Count duplicates as their page, as this index lists them
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,
    /// The seed of the two resampling methods
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: FormatArgs,
}

#[derive(Serialize)]
struct Answer {
    schema: &'static str,
    qrels: PathBuf,
    runs: Vec<Judged>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Judged>,
    differences: Vec<Compared>,
}

#[derive(Serialize)]
struct Judged {
    run: PathBuf,
    tag: String,
    means: Vec<Mean>,
    scores: Scores,
}

#[derive(Serialize)]
struct Mean {
    measure: Measure,
    /// Over every judged query.
    mean: f64,
    /// Over the judged queries that the run answers.
    of_answered: Option<f64>,
}

#[derive(Serialize)]
struct Compared {
    run: PathBuf,
    measure: Measure,
    #[serde(flatten)]
    difference: Difference,
}

pub(super) fn run(args: &EvalArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    match &args.command {
        Some(EvalCommand::Lines(args)) => eval_lines::run(args, common, interrupt),
        Some(EvalCommand::Tokens(args)) => eval_tokens::run(args, common, interrupt),
        Some(EvalCommand::Discovery(args)) => eval_discovery::run(args, common, interrupt),
        Some(EvalCommand::Clusters(args)) => eval_clusters::run(args, common, interrupt),
        None => run_runs(&args.runs),
    }
}

fn run_runs(args: &RunsArgs) -> anyhow::Result<Outcome> {
    let answer = judge(args)?;
    match args.output.format {
        Format::Json => output::json(&answer)?,
        Format::Table => output::print(&output::printable(&shown(&answer, args.per_query)))?,
    }
    Ok(Outcome::Done)
}

fn judge(args: &RunsArgs) -> anyhow::Result<Answer> {
    let aliases = match &args.index {
        Some(index) => Aliases::from(&Manifest::read(index)?),
        None => Aliases::default(),
    };
    let file = args.qrels.clone().context("name the judgements with --qrels")?;
    let qrels = aliases.fold_qrels(&Qrels::open(&file)?);
    let measures = if args.measures.is_empty() { Measure::STANDARD.to_vec() } else { args.measures.clone() };
    let judged = |path: &PathBuf| -> anyhow::Result<Judged> {
        let run = aliases.fold_run(&Run::open(path)?);
        let scores = evaluate(&run, &qrels, &measures);
        let mean = |&measure: &Measure| Mean {
            measure,
            mean: scores.mean(measure).unwrap_or(0.0),
            of_answered: scores.mean_of_answered(measure),
        };
        Ok(Judged { run: path.clone(), tag: run.tag, means: measures.iter().map(mean).collect(), scores })
    };
    let runs: Vec<Judged> = args.runs.iter().map(judged).collect::<Result<_, _>>()?;
    let against = args.against.as_ref().map(judged).transpose()?;
    let mut differences = Vec::new();
    if let Some(against) = &against {
        for (run, &measure) in runs.iter().flat_map(|run| measures.iter().map(move |measure| (run, measure))) {
            let difference = against.scores.difference(&run.scores, measure, args.seed)?;
            differences.push(Compared { run: run.run.clone(), measure, difference });
        }
    }
    Ok(Answer { schema: SCHEMA, qrels: file, runs, against, differences })
}

fn shown(answer: &Answer, per_query: bool) -> String {
    let all: Vec<&Judged> = answer.against.iter().chain(&answer.runs).collect();
    let mut text = means(&all).terminal();
    for judged in &all {
        text += &told(judged);
    }
    if let Some(against) = &answer.against {
        for run in &answer.runs {
            text += &format!("\n{}", differences(answer, run, against).terminal());
        }
    }
    if per_query {
        for judged in &all {
            text += &format!("\n{}", every_query(judged).terminal());
        }
    }
    text
}

fn means(all: &[&Judged]) -> Table {
    let number = all.first().map_or(0, |judged| judged.scores.queries.len());
    let names = all.iter().map(|judged| name(&judged.run));
    let mut table =
        Table::new(format!("Means over {}", queries(number)), std::iter::once("measure".to_owned()).chain(names));
    for (at, mean) in all.first().map_or(&[][..], |judged| &judged.means).iter().enumerate() {
        let values = all.iter().map(|judged| score(judged.means[at].mean));
        table.row(std::iter::once(mean.measure.to_string()).chain(values));
    }
    table
}

/// What a reader of the means must know: queries that only one side has.
fn told(judged: &Judged) -> String {
    let unanswered = judged.scores.queries.iter().filter(|query| !query.answered).count();
    let unjudged = judged.scores.unjudged.len();
    let mut text = String::new();
    if unanswered > 0 {
        text += &format!("{}: {} judged but not answered, counted as 0\n", name(&judged.run), queries(unanswered));
    }
    if unjudged > 0 {
        text += &format!("{}: {} answered but not judged, not counted\n", name(&judged.run), queries(unjudged));
    }
    text
}

fn differences(answer: &Answer, run: &Judged, against: &Judged) -> Table {
    let title = format!("{} against {}", name(&run.run), name(&against.run));
    let mut table = Table::new(title, std::iter::once("measure").chain(DIFFERENCE_HEAD));
    for compared in answer.differences.iter().filter(|compared| compared.run == run.run) {
        table.row(std::iter::once(compared.measure.to_string()).chain(difference_cells(&compared.difference)));
    }
    table
}

fn every_query(judged: &Judged) -> Table {
    let measures = judged.scores.measures.iter().map(Measure::to_string);
    let mut table = Table::new(
        format!("{}, query by query", name(&judged.run)),
        std::iter::once("query".to_owned()).chain(measures),
    );
    for query in &judged.scores.queries {
        table.row(std::iter::once(query.query.clone()).chain(query.values.iter().map(|&value| score(value))));
    }
    table
}

/// A run's file name: short enough for a column.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

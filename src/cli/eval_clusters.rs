//! `unhusk eval clusters`: clusters that are found, against those that are true.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{GatherArgs, collections};
use super::cluster_args::SignatureArgs;
use super::learned::collected;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::eval::clusters::{ClusterScores, Truth, score};
use crate::eval::rtdm::{self, MOST_PAGES, Tree};
use crate::ingest::Interrupt;
use crate::spool::PageNo;
use crate::strip::cluster::cost::Matrices;
use crate::strip::cluster::{Essentials, With};
use crate::strip::{Pages, for_each_page};

/// Compare the clusters that are found with those that are true
///
/// Precision and recall are means over the clusters found, each against the true cluster that it is closest to. The cost
/// is the number of entries in the matrices that describe the clustering; seconds are those of clustering alone, after reading.
#[derive(Debug, Args)]
pub(super) struct EvalClustersArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// The true clusters: lines of page, tab, cluster
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// The ways to cluster, with commas between
    #[arg(long, value_enum, value_name = "WAYS", value_delimiter = ',', default_value = "mdl,hash,max")]
    cluster_with: Vec<Way>,
    #[command(flatten)]
    signature: SignatureArgs,
    /// How alike pages have to be for rtdm
    #[arg(long, value_name = "SHARE", default_value = "80%", value_parser = units::share)]
    rtdm_similarity: f64,
    #[command(flatten)]
    output: FormatArgs,
    #[command(flatten)]
    gather: GatherArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// TEXT-MDL
    Mdl,
    /// TEXT-HASH
    Hash,
    /// TEXT-MAX
    Max,
    /// The rival: trees compared in pairs. Slow
    Rtdm,
}

#[derive(Serialize)]
struct Answer {
    pages: usize,
    /// Pages that the truth does not name.
    unknown: usize,
    true_clusters: usize,
    /// Distinct paths of all pages.
    paths: usize,
    ways: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    way: Way,
    #[serde(flatten)]
    scores: ClusterScores,
    /// As the way itself believes; none for the rival, which knows no cost.
    cost_estimated: Option<f64>,
    cost: u64,
    bits: f64,
    seconds: f64,
}

/// The pages that are clustered, and where each belongs.
struct Known<'p> {
    pages: Pages<'p>,
    truth: Vec<u32>,
    essentials: Essentials,
}

/// A clustering: the cluster of each page, the cost that the way believes in, and the time it took.
struct Found {
    of: Vec<u32>,
    estimated: Option<f64>,
    seconds: f64,
}

pub(super) fn run(args: &EvalClustersArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let truth = Truth::open(&args.truth)?;
    let collections = collections(&args.collections, interrupt)?;
    let answer = collected(&collections, &args.gather.gathering(), common, interrupt, |collected, means| {
        let pages = &collected.pages();
        let known = known(pages, &truth, means.threads)?;
        anyhow::ensure!(
            !known.truth.is_empty(),
            "{} names none of the {} pages: expected lines of page, tab, cluster",
            args.truth.display(),
            pages.numbers().len()
        );
        let row = |&way: &Way| evaluate(args, &known, way, means.threads);
        Ok(Answer {
            pages: known.truth.len(),
            unknown: pages.numbers().len() - known.truth.len(),
            true_clusters: truth.clusters(),
            paths: known.essentials.paths(),
            ways: args.cluster_with.iter().map(row).collect::<anyhow::Result<_>>()?,
        })
    })?;
    match args.output.format {
        Format::Json => output::json(&answer)?,
        Format::Table => output::print(&table(&answer))?,
    }
    Ok(Outcome::Done)
}

fn known<'p>(pages: &Pages<'p>, truth: &Truth, threads: usize) -> anyhow::Result<Known<'p>> {
    let mut numbers: Vec<PageNo> = Vec::new();
    let mut of = Vec::new();
    pages.for_each_name(|number, name| {
        if let Some(cluster) = truth.of(&name.id) {
            numbers.push(number);
            of.push(cluster);
        }
    })?;
    let pages = pages.only(numbers);
    let essentials = Essentials::read(&pages, threads)?;
    Ok(Known { pages, truth: of, essentials })
}

fn evaluate(args: &EvalClustersArgs, known: &Known<'_>, way: Way, threads: usize) -> anyhow::Result<Row> {
    let found = match way {
        Way::Mdl => text(args, known, With::Mdl, threads)?,
        Way::Hash => text(args, known, With::Hash, threads)?,
        Way::Max => text(args, known, With::Max, threads)?,
        Way::Rtdm => rival(args, known)?,
    };
    let matrices = Matrices::of(known.essentials.paths(), &known.essentials.tallies(&found.of));
    Ok(Row {
        way,
        scores: score(&found.of, &known.truth),
        cost_estimated: found.estimated,
        cost: matrices.cost(),
        bits: matrices.bits().total(),
        seconds: found.seconds,
    })
}

fn text(args: &EvalClustersArgs, known: &Known<'_>, with: With, threads: usize) -> anyhow::Result<Found> {
    let layouts = args.signature.with(with).find(&known.pages, threads)?;
    let of = known.pages.numbers().iter().map(|&page| layouts.of(page).map(|layout| layout as u32));
    let of = of.collect::<Option<Vec<u32>>>().context("a page was not clustered")?;
    Ok(Found { of, estimated: Some(layouts.costs.estimated), seconds: layouts.costs.seconds })
}

fn rival(args: &EvalClustersArgs, known: &Known<'_>) -> anyhow::Result<Found> {
    let pages = known.truth.len();
    anyhow::ensure!(
        pages <= MOST_PAGES,
        "rtdm compares pages in pairs, which for {pages} pages takes too long: give it {MOST_PAGES} at most"
    );
    let mut trees = Vec::with_capacity(pages);
    for_each_page(known.pages.spool(), known.pages.numbers(), |_, page| {
        trees.push(Tree::new(&page));
        Ok::<(), anyhow::Error>(())
    })?;
    let start = Instant::now();
    let of = rtdm::cluster(&trees, args.rtdm_similarity, args.signature.seed());
    Ok(Found { of, estimated: None, seconds: start.elapsed().as_secs_f64() })
}

fn table(answer: &Answer) -> String {
    let rows = answer.ways.iter().map(|row| {
        let ClusterScores { clusters, precision, recall, adjusted_rand } = row.scores;
        vec![
            format!("{:?}", row.way).to_lowercase(),
            units::count(clusters as u64),
            format!("{precision:.3}"),
            format!("{recall:.3}"),
            format!("{adjusted_rand:.3}"),
            row.cost_estimated.map_or("-".to_owned(), |cost| units::count(cost.round() as u64)),
            units::count(row.cost),
            units::count(row.bits.round() as u64),
            format!("{:.3}", row.seconds),
        ]
    });
    let heading = ["way", "clusters", "precision", "recall", "Rand", "cost, estimated", "true", "bits", "seconds"];
    let mut text = output::grid(&heading, rows);
    text += &format!(
        "{} pages of {} true clusters, {} distinct paths\n",
        units::count(answer.pages as u64),
        units::count(answer.true_clusters as u64),
        units::count(answer.paths as u64)
    );
    if answer.unknown > 0 {
        text += &format!("{} pages without a true cluster left out\n", units::count(answer.unknown as u64));
    }
    text
}

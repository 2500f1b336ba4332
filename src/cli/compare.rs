//! `unhusk compare`: the same queries over indexes with and without templates.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::args::{AsideArgs, GatherArgs, KeepArgs, LanguageArgs, MethodInWords};
use super::progress::Progress;
use super::search::ScopeArgs;
use super::{Common, Format, FormatArgs, Outcome, output};
use crate::compare::{CompareError, Entry, Plan, Questions, compare, read_facts};
use crate::eval::{Measure, Qrels};
use crate::ingest::{Gathering, Interrupt, Work};
use crate::metadata::Reading;
use crate::read::Collection;
use crate::report::{Report, html};
use crate::search::queries::QuerySet;

/// Compare methods on one collection: precision, size, cost
///
/// Indexes the collection once for each method, as the index command does, asks every index the same queries and reports what
/// changed on one screen. Without a collection it compares on the bundled sample. The first method is what the others are
/// compared to. Every index has the same title field, the same words and the same duplicates left out.
///
/// Without queries, known items are asked for: pages by their rarest words, and by the texts of links that lead to them.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// What to index: a folder, a file, or - for JSON lines on standard input [default: the bundled sample]
    #[arg(value_name = "COLLECTION")]
    collection: Option<String>,
    /// The queries: lines of id, tab, text; or TREC topics [default: known items; for the bundled sample its own]
    #[arg(long, value_name = "FILE", requires = "qrels")]
    queries: Option<PathBuf>,
    /// The judgements, in TREC format: query, iteration, document, grade
    #[arg(long, value_name = "FILE", requires = "queries")]
    qrels: Option<PathBuf>,
    /// Values that should survive: lines of page, tab, attribute, tab, value
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
    /// The methods to compare, with commas between; parameters go with their method: 'none,table,table --min-df 8'. Texts
    /// that another program cut out are compared with 'given --texts FILE'
    #[arg(long, value_name = "METHODS", value_delimiter = ',', default_value = "none,table,sandwich,auto")]
    strip: Vec<MethodInWords>,
    /// Keep the indexes, the runs and the report in this folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace indexes that are there
    #[arg(long, requires = "out")]
    force: bool,
    /// Print all tables, tests and reasons, not one screen
    #[arg(long)]
    full: bool,
    /// Write the report as one web page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Measures: P@k, MAP, MRR, nDCG@k, recall@k, success@k, bpref [default: the usual eight]
    #[arg(short, long = "measure", value_name = "MEASURE", value_delimiter = ',')]
    measures: Vec<Measure>,
    /// Documents for each query
    #[arg(short, value_name = "N", default_value_t = 1000)]
    k: usize,
    /// The seed of the two resampling methods
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    language: LanguageArgs,
    #[command(flatten)]
    aside: AsideArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    gather: GatherArgs,
    #[command(flatten)]
    output: FormatArgs,
}

/// The files a comparison reads.
#[derive(Debug, Clone)]
pub(super) struct Sources {
    pub(super) collection: PathBuf,
    /// Queries and judgements; none to ask for known items.
    pub(super) questions: Option<(PathBuf, PathBuf)>,
    pub(super) facts: Option<PathBuf>,
}

impl Sources {
    fn questions(&self) -> anyhow::Result<Option<Questions>> {
        let Some((queries, qrels)) = &self.questions else { return Ok(None) };
        Ok(Some(Questions { queries: QuerySet::open(queries)?, qrels: Qrels::open(qrels)? }))
    }
}

pub(super) fn run(args: &CompareArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let sources = sources(args)?;
    let plan = Plan {
        methods: entries(&args.strip),
        gathering: Gathering {
            keep_pages: args.keep.keep_pages,
            // As the index command does.
            metadata: Some(Reading::default()),
            ..args.gather.gathering()
        },
        language: args.language.language,
        aside: args.aside.aside,
        questions: sources.questions()?,
        facts: sources.facts.as_deref().map(read_facts).transpose()?,
        scope: args.scope.scope(),
        measures: if args.measures.is_empty() { Measure::STANDARD.to_vec() } else { args.measures.clone() },
        depth: args.k,
        seed: args.seed,
    };
    let report = perform(&sources.collection, &plan, args.out.as_deref(), args.force, common, interrupt)?;
    if let Some(file) = &args.html {
        write(file, &html::page(&report))?;
    }
    match args.output.format {
        Format::Json => output::json(&report)?,
        Format::Table if args.full => output::print(&output::printable(&report.terminal()))?,
        Format::Table => output::print(&output::printable(&report.screen()))?,
    }
    Ok(Outcome::Done)
}

pub(super) fn entries(methods: &[MethodInWords]) -> Vec<Entry> {
    methods.iter().map(|words| Entry { name: words.name.clone(), method: words.method.clone() }).collect()
}

/// Builds in `out`, or in a temporary folder that goes away.
pub(super) fn perform(
    collection: &Path,
    plan: &Plan,
    out: Option<&Path>,
    force: bool,
    common: &Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Report> {
    let collection = Collection::open(collection)?;
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let folder = out.unwrap_or(temporary.path());
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let progress = Progress::new(common);
    let work = Work { threads: common.threads(), watch: &progress, interrupt };
    let compared = compare(&[collection], plan, folder, force, work);
    progress.finish();
    compared.map_err(interrupted)
}

/// The error as it is, so that an interruption is known as one.
pub(super) fn interrupted(error: CompareError) -> anyhow::Error {
    match error {
        CompareError::Ingest(error) => error.into(),
        error => error.into(),
    }
}

fn sources(args: &CompareArgs) -> anyhow::Result<Sources> {
    let questions = args.queries.clone().zip(args.qrels.clone());
    Ok(match &args.collection {
        Some(collection) => Sources { collection: collection.into(), questions, facts: args.facts.clone() },
        None => {
            let bundled = bundled_sample()?;
            Sources {
                questions: questions.or(bundled.questions),
                facts: args.facts.clone().or(bundled.facts),
                collection: bundled.collection,
            }
        }
    })
}

/// The sample that comes with the program's source: below the working folder, or where the program was built.
fn bundled_sample() -> anyhow::Result<Sources> {
    let roots = [Path::new("."), Path::new(env!("CARGO_MANIFEST_DIR"))];
    let root = roots.into_iter().find(|root| root.join("collections/harbour").is_dir()).context(
        "the bundled sample is not here: start unhusk in its source folder, where collections/harbour lies, or name a collection",
    )?;
    let place = |path: &str| if root == Path::new(".") { PathBuf::from(path) } else { root.join(path) };
    Ok(Sources {
        collection: place("collections/harbour"),
        questions: Some((place("queries/harbour.tsv"), place("qrels/harbour.txt"))),
        facts: Some(place("collections/harbour.facts.tsv")),
    })
}

pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

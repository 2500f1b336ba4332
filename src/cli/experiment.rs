//! `unhusk experiment`: comparisons written down, with the scores they must reach.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::args::MethodInWords;
use super::compare::{entries, perform, write};
use super::{Common, Format, FormatArgs, Outcome, output};
use crate::compare::{Plan, Questions, read_facts};
use crate::dedup::Cut;
use crate::eval::{Measure, Qrels};
use crate::experiment::{self, Check, Experiment, Files, Found, check, overview, raise};
use crate::generate::{Options, Site, write_site};
use crate::ingest::{Gathering, Interrupt};
use crate::metadata::Reading;
use crate::report::figures::score;
use crate::search::Scope;
use crate::search::queries::QuerySet;
use crate::strip::Aside;

/// The version of what `--format json` prints.
const SCHEMA: &str = "unhusk.experiment/1";

/// Run comparisons that are written down in TOML files, with the scores they must reach
///
/// A collection that is not on this machine is skipped, and the program says so.
#[derive(Debug, Args)]
pub(super) struct ExperimentArgs {
    /// The experiments' files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// End with status 1 when a figure falls short of its floor
    #[arg(long)]
    gate: bool,
    /// Raise the floors in the files to what is reached now
    #[arg(long)]
    raise: bool,
    /// Lower floors too
    #[arg(long, requires = "raise")]
    allow_lower: bool,
    /// Write a result page for each experiment into this folder
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    #[command(flatten)]
    output: FormatArgs,
}

#[derive(Serialize)]
struct Answer {
    schema: &'static str,
    experiments: Vec<Ran>,
}

#[derive(Serialize)]
struct Ran {
    file: PathBuf,
    title: String,
    found: Vec<Found>,
    skipped: Vec<Skipped>,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Skipped {
    set: String,
    why: String,
}

pub(super) fn run(args: &ExperimentArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let mut experiments = Vec::new();
    for file in &args.files {
        let ran = run_one(file, args, common, interrupt)?;
        if args.output.format == Format::Table {
            output::print(&output::printable(&shown(&ran)))?;
        }
        experiments.push(ran);
    }
    let failed: Vec<&Check> = experiments.iter().flat_map(|ran| &ran.checks).filter(|check| !check.passed).collect();
    for check in &failed {
        let Check { set, arm, figure, floor, reached, .. } = check;
        eprintln!("unhusk: {set}, {arm}: {figure} is {}, below its floor of {}", score(*reached), score(*floor));
    }
    let outcome = if args.gate && !failed.is_empty() { Outcome::FellShort } else { Outcome::Done };
    if args.output.format == Format::Json {
        output::json(&Answer { schema: SCHEMA, experiments })?;
    }
    Ok(outcome)
}

fn run_one(file: &Path, args: &ExperimentArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Ran> {
    let experiment = Experiment::open(file)?;
    let methods = experiment.methods.iter().map(|words| words.parse()).collect::<Result<Vec<MethodInWords>, _>>();
    let methods = methods.map_err(|error| anyhow::anyhow!("{}: methods: {error}", file.display()))?;
    let mut found = Vec::new();
    let mut skipped = Vec::new();
    for source in sources(&experiment, file) {
        match source.files {
            Err(why) => {
                if !common.quiet {
                    eprintln!("unhusk: {}: skipped: {why}", source.set);
                }
                skipped.push(Skipped { set: source.set, why });
            }
            Ok(place) => {
                if common.verbose {
                    eprintln!("unhusk: {}", source.set);
                }
                let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
                let files = place.files(folder.path())?;
                let plan = plan(&experiment, &methods, &files)?;
                let mut report = perform(&files.collection, &plan, None, false, common, interrupt)
                    .with_context(|| format!("{}: {}", file.display(), source.set))?;
                // Nobody reads the rankings of dozens of collections; `compare` has them.
                for answer in report.views.iter_mut().flat_map(|v| &mut v.queries).flat_map(|q| &mut q.answers) {
                    answer.top.clear();
                }
                found.push(Found { set: source.set, report });
            }
        }
    }
    let checks = check(&experiment, &found, file)?;
    if args.raise {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        write(file, &raise(&text, &checks, args.allow_lower))?;
    }
    if let (Some(folder), false) = (&args.results, found.is_empty()) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let command = format!("unhusk experiment {} --results {}", file.display(), folder.display());
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let page = experiment::page(&experiment, &found, &checks, &command, &today());
        write(&folder.join(format!("{name}.md")), &page)?;
    }
    Ok(Ran { file: file.to_owned(), title: experiment.title, found, skipped, checks })
}

/// A collection of an experiment: where it is, or why it cannot be used.
struct Source {
    set: String,
    files: Result<Location, String>,
}

/// Where a collection comes from.
enum Location {
    There(Files),
    Made(Options),
}

impl Location {
    /// The files, made in `folder` if they have to be.
    fn files(self, folder: &Path) -> anyhow::Result<Files> {
        match self {
            Location::There(files) => Ok(files),
            Location::Made(options) => {
                let place = folder.join("site");
                write_site(&Site::new(options)?, &place)?;
                Ok(Files::in_folder(&place))
            }
        }
    }
}

fn sources(experiment: &Experiment, file: &Path) -> Vec<Source> {
    let beside = file.parent().unwrap_or(Path::new("."));
    let mut sources = Vec::new();
    for (set, files) in &experiment.sets {
        sources.push(Source { set: set.clone(), files: Ok(Location::There(files.below(beside))) });
    }
    for (set, recipe) in &experiment.generate {
        let options = Options { pages: recipe.pages, seed: recipe.seed, marks: false, ..Options::default() };
        sources.push(Source { set: set.clone(), files: Ok(Location::Made(options)) });
    }
    if let Some(folder) = &experiment.folder {
        let root = std::env::var_os(&folder.variable).map(PathBuf::from);
        for set in &folder.sets {
            let files = match &root {
                None => Err(format!("{} does not name the folder it is in", folder.variable)),
                Some(root) if !root.join(set).join("pages").is_dir() => {
                    Err(format!("there is no {set}/pages in the folder that {} names", folder.variable))
                }
                Some(root) => Ok(Location::There(Files::in_folder(&root.join(set)))),
            };
            sources.push(Source { set: set.clone(), files });
        }
    }
    sources
}

fn plan(experiment: &Experiment, methods: &[MethodInWords], files: &Files) -> anyhow::Result<Plan> {
    let measures =
        if experiment.measures.is_empty() { Measure::STANDARD.to_vec() } else { experiment.measures.clone() };
    Ok(Plan {
        methods: entries(methods),
        gathering: Gathering {
            dedup: Some(Cut::default()),
            metadata: Some(Reading::default()),
            ..Gathering::default()
        },
        language: experiment.language,
        aside: Aside::default(),
        questions: Some(Questions { queries: QuerySet::open(&files.queries)?, qrels: Qrels::open(&files.qrels)? }),
        facts: files.facts.as_deref().map(read_facts).transpose()?,
        scope: Scope::default(),
        measures,
        depth: 1000,
        seed: 1,
    })
}

fn shown(ran: &Ran) -> String {
    let mut text = format!("{}\n\n", ran.title);
    if !ran.found.is_empty() {
        text += &overview(&ran.found).terminal();
        text.push('\n');
    }
    if !ran.checks.is_empty() {
        text += &experiment::floors(&ran.checks).terminal();
        text.push('\n');
    }
    text
}

/// The day, in Greenwich: year, month, day.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date((seconds / 86_400) as i64)
}

/// The date of a day counted from 1970 (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_454), "2026-01-01");
    }
}

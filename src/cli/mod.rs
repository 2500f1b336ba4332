//! The command line: one file a subcommand. The only place that prints.
//!
//! Results go to standard output, as a table or as one JSON document; everything else goes to standard error.
//! Exit status 0 means done, 1 nothing found or a floor not reached, 2 an error, 130 interrupted.

mod args;
mod auto_args;
mod cluster_args;
mod clusters;
mod compare;
mod completions;
mod eval;
mod eval_clusters;
mod eval_discovery;
mod eval_lines;
mod eval_tokens;
mod experiment;
mod export;
mod extract;
mod fields;
mod generate;
mod index;
mod info;
mod learned;
mod man;
mod model;
mod output;
mod progress;
mod run;
mod sandwich_args;
mod search;
mod serve;
mod strip;
mod target;
mod templates;
mod units;
mod update;

use std::process::ExitCode;

use clap::error::ErrorKind as ClapErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::ingest::{IngestError, Interrupt};

/// A search indexer that throws templates away.
#[derive(Debug, Parser)]
#[command(name = "unhusk", version, about, long_about = LONG_ABOUT, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const LONG_ABOUT: &str = "\
A search indexer that throws templates away.

It reads a site collection, learns what its pages share (menus, banners, footers), leaves that out and answers queries \
from the rest with BM25. In the folder of its source, with the sample that is there:

    unhusk compare
    unhusk index collections/harbour
    unhusk search index/harbour/auto lifeboat rescue
    unhusk templates index/harbour/auto

The first shows what leaving templates out does. By default the method is auto, words are not stemmed, and an index \
goes to index/<name of the collection>/<method>.

Exit status: 0 done, 1 nothing found or a floor not reached, 2 an error, 130 interrupted.";

/// What every command takes.
#[derive(Debug, Args)]
struct Common {
    /// Threads to use [default: one for each processor]
    #[arg(long, global = true, value_name = "N", value_parser = units::threads, help_heading = "Common options")]
    threads: Option<usize>,
    /// Say more: each page that is skipped, and why
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "Common options")]
    verbose: bool,
    /// Say nothing but results and errors
    #[arg(short, long, global = true, help_heading = "Common options")]
    quiet: bool,
}

/// For commands whose results are a table or JSON.
#[derive(Debug, Args)]
struct FormatArgs {
    /// How to print results
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = "Common options")]
    format: Format,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON document for programs
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    Index(index::IndexArgs),
    Update(update::UpdateArgs),
    Model(model::ModelArgs),
    Strip(strip::StripArgs),
    Templates(templates::TemplatesArgs),
    Clusters(clusters::ClustersArgs),
    Search(search::SearchArgs),
    Run(run::RunArgs),
    Info(info::InfoArgs),
    Compare(compare::CompareArgs),
    Experiment(experiment::ExperimentArgs),
    Export(export::ExportArgs),
    Fields(fields::FieldsArgs),
    Extract(extract::ExtractArgs),
    Eval(eval::EvalArgs),
    Generate(generate::GenerateArgs),
    Serve(serve::ServeArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// How a command ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    NothingFound,
    FellShort,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }
}

/// Runs the program and says how it ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wanted = matches!(error.kind(), ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion);
            // Nothing is left to do when even the help cannot be printed.
            let _ = error.print();
            return if wanted { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    let interrupt = Interrupt::default();
    listen_for_signals(&interrupt);
    let result = match &cli.command {
        Command::Index(args) => index::run(args, &cli.common, &interrupt),
        Command::Update(args) => update::run(args, &cli.common, &interrupt),
        Command::Model(args) => model::run(args, &cli.common, &interrupt),
        Command::Strip(args) => strip::run(args, &cli.common, &interrupt),
        Command::Templates(args) => templates::run(args),
        Command::Clusters(args) => clusters::run(args, &cli.common, &interrupt),
        Command::Search(args) => search::run(args, &cli.common),
        Command::Run(args) => run::run(args, &cli.common),
        Command::Info(args) => info::run(args),
        Command::Export(args) => export::run(args, &cli.common, &interrupt),
        Command::Fields(args) => fields::run(args, &cli.common, &interrupt),
        Command::Extract(args) => extract::run(args, &cli.common, &interrupt),
        Command::Experiment(args) => experiment::run(args, &cli.common, &interrupt),
        Command::Eval(args) => eval::run(args, &cli.common, &interrupt),
        Command::Compare(args) => compare::run(args, &cli.common, &interrupt),
        Command::Generate(args) => generate::run(args, &cli.common),
        Command::Serve(args) => serve::run(args, &cli.common, &interrupt),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NothingFound | Outcome::FellShort) => ExitCode::from(1),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("unhusk: {}", output::printable(&format!("{error:#}")));
            let interrupted = matches!(error.downcast_ref(), Some(IngestError::Interrupted));
            ExitCode::from(if interrupted { 130 } else { 2 })
        }
    }
}

/// The first Ctrl-C asks to stop, which leaves nothing behind; the second stops at once.
fn listen_for_signals(interrupt: &Interrupt) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM] {
        let flag = interrupt.flag();
        // Without handlers a signal ends the program at once: no reason to refuse to work.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, flag.clone());
        let _ = signal_hook::flag::register(signal, flag);
    }
}

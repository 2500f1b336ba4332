//! `unhusk model`: what a method has seen, as a file.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::args::{MethodArgs, ReadArgs, collections};
use super::learned::collected;
use super::strip::{SaidBy, ShowArgs};
use super::target::TargetArgs;
use super::{Common, Format, FormatArgs, Outcome, output, templates, units};
use crate::index::templates::Templates;
use crate::ingest::{Gathering, Interrupt};
use crate::metadata::Reading;
use crate::metadata::choose::Choice;
use crate::model::{self, Head, ModelFile};
use crate::strip::{Means, Template};

/// Learn templates into a file, merge such files, apply them to other pages
///
/// A model file holds what a method has seen of some pages. Models of parts of a collection, merged in any order, are byte for byte
/// the model of the whole. Methods that can be saved are auto and table.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Learn(LearnArgs),
    Show(ShowModelArgs),
    Merge(MergeArgs),
    Apply(ApplyArgs),
}

/// Learn from collections into a model file
///
/// Every page counts: copies of pages, which the index command leaves out before it learns, only show when all pages are seen
/// together.
#[derive(Debug, Args)]
struct LearnArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    output: FormatArgs,
}

/// Show how a model was made and which templates it has
#[derive(Debug, Args)]
struct ShowModelArgs {
    /// Model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Templates to show in the table; JSON has all of them
    #[arg(short, value_name = "N", default_value_t = 20)]
    n: usize,
    #[command(flatten)]
    output: FormatArgs,
}

/// Put models together into one
///
/// They must be of one method with the same parameters, and of different pages.
#[derive(Debug, Args)]
struct MergeArgs {
    /// Model files
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    output: FormatArgs,
}

/// Show what a model leaves of pages, and what it takes out and why
///
/// The same as the strip command, but nothing is learned from these pages, and all of them are printed.
#[derive(Debug, Args)]
struct ApplyArgs {
    /// Model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    read: ReadArgs,
}

pub(super) fn run(args: &ModelArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    match &args.action {
        Action::Learn(args) => learn(args, common, interrupt),
        Action::Show(args) => show(args, common),
        Action::Merge(args) => merge(args, common),
        Action::Apply(args) => apply(args, common, interrupt),
    }
}

fn learn(args: &LearnArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let method = args.method.method();
    model::check(&method)?;
    args.target.check()?;
    let collections = collections(&args.collections, interrupt)?;
    let gathering = Gathering { metadata: Some(Reading::default()), ..args.read.gathering() };
    let head = collected(&collections, &gathering, common, interrupt, |collected, means| {
        args.target.write(|path| Ok(model::learn(&method, &collected.pages(), collected.sites(), means, path)?))
    })?;
    report(&head, &args.target.out, common, &args.output)
}

fn merge(args: &MergeArgs, common: &Common) -> anyhow::Result<Outcome> {
    args.target.check()?;
    let models = args.models.iter().map(|path| ModelFile::open(path)).collect::<Result<Vec<_>, _>>()?;
    let head = args.target.write(|path| Ok(model::merge(&models, path)?))?;
    report(&head, &args.target.out, common, &args.output)
}

fn show(args: &ShowModelArgs, common: &Common) -> anyhow::Result<Outcome> {
    let file = ModelFile::open(&args.model)?;
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let unpacked = file.unpack(&scratch.path().join("sample"))?;
    let means = Means { threads: common.threads(), scratch: &scratch.path().join("learn") };
    let model = unpacked.seal(None, means)?;
    let shown =
        Shown { head: file.head(), bytes: file.bytes(), findings: model.findings(), templates: model.templates() };
    match args.output.format {
        Format::Json => output::json(&shown)?,
        Format::Table => output::print(&shown.table(args.n))?,
    }
    Ok(Outcome::Done)
}

fn apply(args: &ApplyArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    args.show.check()?;
    let file = ModelFile::open(&args.model)?;
    let collections = collections(&args.collections, interrupt)?;
    let gathering = Gathering { metadata: Some(Reading::default()), ..args.read.gathering() };
    collected(&collections, &gathering, common, interrupt, |collected, means| {
        let unpacked = file.unpack(&means.scratch.with_extension("sample"))?;
        let model = unpacked.seal(None, means)?;
        let sites = file.sites().learn();
        let said = SaidBy { choice: Choice::default(), sites: &sites };
        args.show.print(&collections, &gathering, &collected.pages(), model.as_ref(), &said)
    })?;
    Ok(Outcome::Done)
}

fn report(head: &Head, place: &Path, common: &Common, format: &FormatArgs) -> anyhow::Result<Outcome> {
    match format.format {
        Format::Json => output::json(head)?,
        Format::Table if common.quiet => {}
        Format::Table => {
            let bytes = std::fs::metadata(place).map_or(0, |metadata| metadata.len());
            output::print(&output::printable(&output::pairs(rows(head, bytes))))?;
        }
    }
    Ok(Outcome::Done)
}

/// What a model says of itself, for a person.
fn rows(head: &Head, bytes: u64) -> Vec<(String, String)> {
    let (sites, entries) = match head.method.name() {
        "table" => ("scopes", "chunks"),
        _ => ("sites", "sample"),
    };
    let row = |name: &str, value: String| (name.to_owned(), value);
    let parameters = serde_json::to_value(&head.method).unwrap_or_default();
    let parameters =
        parameters.as_object().into_iter().flatten().filter(|(name, _)| *name != "name" && *name != "memory");
    vec![
        row("method", head.method.name().to_owned()),
        row("parameters", parameters.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")),
        row("pages", units::count(head.pages)),
        row(sites, units::count(head.sites)),
        row(entries, units::count(head.entries)),
        row("on disk", units::bytes(bytes)),
    ]
}

/// A model for programs.
#[derive(Serialize)]
struct Shown<'m> {
    #[serde(flatten)]
    head: &'m Head,
    bytes: u64,
    findings: serde_json::Map<String, serde_json::Value>,
    templates: &'m [Template],
}

impl Shown<'_> {
    fn table(&self, most: usize) -> String {
        let mut rows = rows(self.head, self.bytes);
        // Some are in the head already.
        let known = ["sites", "pages_learned_from", "distinct_chunks", "spilled_runs"];
        let findings = self.findings.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let counts = findings.filter_map(|(name, value)| Some((name.replace('_', " "), value.as_u64()?)));
        rows.extend(counts.map(|(name, count)| (name, units::count(count))));
        let mut text = output::printable(&output::pairs(rows));
        if self.head.method.name() == "table" {
            text += "The texts of templates are not in this model; an index that is built with it lists them.\n";
        } else {
            let templates =
                Templates { pages: self.head.entries, templates: self.templates.to_vec(), together: Vec::new() };
            text += &templates::shown(&templates, most);
        }
        text
    }
}

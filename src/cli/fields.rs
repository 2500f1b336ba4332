//! `unhusk fields`: where values stand, learned from a few labelled records.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::args::{ReadArgs, collections};
use super::target::TargetArgs;
use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::ingest::{IngestError, Interrupt};
use crate::parse::{Parsed, parse_carried};
use crate::read::{Collection, Found, RawPage};
use crate::wrap::check::{Measured, Outlook, Report, measure, predict};
use crate::wrap::fields::{Fields, Host, Level, host_of};
use crate::wrap::labels::{LabelError, Labels};
use crate::wrap::learn::{learn as learn_host, wanted};
use crate::wrap::tree::{Tree, Wanted, hash};
use crate::wrap::typed::schema;

/// Learn where values stand from a few labelled records
///
/// A person labels some records; the extract command then finds such values on all other pages, be a page one record or a list of them.
#[derive(Debug, Args)]
pub(super) struct FieldsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Learn(LearnArgs),
    Show(ShowArgs),
    Check(CheckArgs),
    Merge(MergeArgs),
}

/// Learn from labelled records of a collection
///
/// Labels are lines id<TAB>record<TAB>attribute<TAB>value, or JSON lines {"id": …, "records": [{…}]}. The record is a number from 0 within
/// its page. The value is text as it stands on the page, or that of an href, src, datetime or content. No value says that the record has
/// none. Pages without labels help: they tell what the site says everywhere.
#[derive(Debug, Args)]
struct LearnArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// File of labels
    #[arg(long, value_name = "FILE")]
    labels: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
    /// JSON Schema that says what values are: number, date, uri [default: what the labelled values are]
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// What a wrapper is of
    #[arg(long, value_enum, default_value_t = LevelName::Record)]
    level: LevelName,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    output: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// A record: the part of the page that holds its values
    Record,
    /// A whole page
    Page,
}

/// Show what was learned
#[derive(Debug, Args)]
struct ShowArgs {
    /// Fields file
    #[arg(value_name = "FIELDS")]
    fields: PathBuf,
    #[command(flatten)]
    output: FormatArgs,
}

/// See how well fields fit pages
///
/// Without labels recall is predicted: the share of records that fit a wrapper without a difference. After a redesign it falls. With labels
/// precision, recall and F1 are measured.
#[derive(Debug, Args)]
struct CheckArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// Fields file
    #[arg(long, value_name = "FILE")]
    fields: PathBuf,
    /// File of labels to measure against
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Exit with status 1 where recall, predicted or with labels measured, is below this share
    #[arg(long, value_name = "SHARE", value_parser = units::share)]
    require: Option<f64>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    output: FormatArgs,
}

/// Put fields files together into one
#[derive(Debug, Args)]
struct MergeArgs {
    /// Fields files
    #[arg(required = true, value_name = "FIELDS")]
    fields: Vec<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    output: FormatArgs,
}

pub(super) fn run(args: &FieldsArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    match &args.action {
        Action::Learn(args) => learn(args, common, interrupt),
        Action::Show(args) => show(&Fields::read(&args.fields)?, args.output.format),
        Action::Check(args) => check(args, common, interrupt),
        Action::Merge(args) => merge(args, common),
    }
}

/// Pages without labels that are looked at for each host.
const SAMPLE: usize = 300;

fn learn(args: &LearnArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let labels = Labels::read(&args.labels)?;
    let kinds = args.schema.as_deref().map(schema).transpose().map_err(anyhow::Error::msg)?.unwrap_or_default();
    args.target.check()?;
    let mut pages: BTreeMap<String, BTreeMap<(bool, u64), Parsed>> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for_each_raw(&args.collections, &args.read, common, interrupt, |raw| {
        let labelled = labels.pages.contains_key(&raw.id);
        let of_host = pages.entry(host_of(&raw.url)).or_default();
        // Labelled pages first, then those of the smallest hashes: a sample that does not depend on the order.
        let key = (!labelled, hash(&raw.id));
        if labelled || of_host.len() < SAMPLE || of_host.last_key_value().is_some_and(|(last, _)| key < *last) {
            of_host.insert(key, parse_carried(&raw, args.read.gathering().limits));
            ids.extend(labelled.then(|| raw.id.clone()));
            if of_host.len() > SAMPLE && of_host.last_key_value().is_some_and(|(last, _)| last.0) {
                of_host.pop_last();
            }
        }
        Ok(())
    })?;
    labels.check_pages(ids.iter().map(String::as_str))?;
    let level = match args.level {
        LevelName::Record => Level::Record,
        LevelName::Page => Level::Page,
    };
    let mut fields = Fields::default();
    for (host, pages) in &pages {
        let pages: Vec<&Parsed> = pages.values().collect();
        if let Some(learned) = learn_of(&pages, &labels, level)? {
            fields.hosts.insert(host.clone(), learned);
        }
    }
    for (name, kind) in kinds {
        let facts = fields.hosts.values_mut().filter_map(|host| host.attributes.get_mut(&name));
        facts.for_each(|facts| facts.kind = kind);
    }
    args.target.write(|path| std::fs::write(path, fields.to_bytes()).context("cannot write the fields"))?;
    if common.quiet && args.output.format == Format::Table {
        return Ok(Outcome::Done);
    }
    show(&fields, args.output.format)
}

/// What is learned of a host; nothing where none of its pages is labelled.
fn learn_of(pages: &[&Parsed], labels: &Labels, level: Level) -> Result<Option<Host>, LabelError> {
    let labelled = pages.iter().filter_map(|page| Some((page, labels.pages.get(&page.page.id)?)));
    let mut needed = Wanted::default();
    let mut any = false;
    for (page, records) in labelled {
        needed = needed.or(wanted(&Tree::new(page, Wanted::ALL), records));
        any = true;
    }
    if !any {
        return Ok(None);
    }
    let trees: Vec<Tree> = pages.iter().map(|page| Tree::new(page, needed)).collect();
    learn_host(&trees, labels, level, needed).map(Some)
}

fn merge(args: &MergeArgs, common: &Common) -> anyhow::Result<Outcome> {
    args.target.check()?;
    let mut fields = Fields::default();
    for path in &args.fields {
        fields.join(Fields::read(path)?);
    }
    args.target.write(|path| std::fs::write(path, fields.to_bytes()).context("cannot write the fields"))?;
    if common.quiet && args.output.format == Format::Table {
        return Ok(Outcome::Done);
    }
    show(&fields, args.output.format)
}

fn show(fields: &Fields, format: Format) -> anyhow::Result<Outcome> {
    match format {
        Format::Json => output::json(fields)?,
        Format::Table => output::print(&output::printable(&shown(fields)))?,
    }
    Ok(Outcome::Done)
}

/// What was learned, for a person.
fn shown(fields: &Fields) -> String {
    let mut text = String::new();
    for (name, host) in &fields.hosts {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let kind = if host.profiles.is_empty() { "lists: several records a page" } else { "one record a page" };
        text += &output::pairs([
            row("host", if name.is_empty() { "(no URL)".to_owned() } else { name.clone() }),
            row(
                "learned from",
                format!("{} records on {} labelled pages, {} pages seen", host.records, host.pages.len(), host.seen),
            ),
            row("pages are", kind.to_owned()),
            row("known texts", units::count(host.texts.count() as u64)),
        ]);
        let facts = host.attributes.iter().map(|(name, facts)| {
            let cut = facts
                .reading
                .cut
                .as_ref()
                .map_or(String::new(), |cut| format!("between {:?} and {:?}", cut.before, cut.after));
            vec![name.clone(), facts.records.to_string(), facts.several.to_string(), facts.ambiguous.to_string(), cut]
        });
        text += &output::grid(
            &["attribute", "records", "with several values", "in several places", "part of a text"],
            facts,
        );
        for (number, entry) in host.wrappers.iter().enumerate() {
            text += &format!(
                "wrapper {number}, of {} records: {}\n",
                entry.members,
                if entry.stick.is_empty() { "whole pages" } else { &entry.stick }
            );
            text += &head(entry);
        }
    }
    text
}

/// A wrapper's nodes that lead to values, indented.
fn head(entry: &crate::wrap::library::Entry) -> String {
    let nodes = &entry.head.nodes;
    let mut text = String::new();
    for (number, node) in nodes.iter().enumerate() {
        let inside = &nodes[number..node.end as usize];
        if !inside.iter().any(|node| !node.labels.is_empty()) && node.text.is_none() {
            continue;
        }
        let sign = if node.sign == crate::wrap::sign::Sign::One { String::new() } else { format!(" {}", node.sign) };
        let label = if node.labels.is_empty() { String::new() } else { format!(" = {}", node.labels.join(", ")) };
        let says = node.text.as_ref().map_or(String::new(), |text| format!(" {text:?}"));
        text += &format!("{}{}{}{sign}{label}{says}\n", "  ".repeat(node.depth as usize + 1), node.tag, node.mark);
    }
    text
}

/// How well fields fit, by host, and measured where there are labels.
#[derive(Serialize)]
struct Checked {
    hosts: BTreeMap<String, Outlook>,
    /// Pages of hosts that the fields do not know.
    unknown: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Report>,
    recall: f64,
}

fn check(args: &CheckArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let fields = Fields::read(&args.fields)?;
    let labels = args.labels.as_deref().map(Labels::read).transpose()?;
    let mut trees: BTreeMap<String, Vec<Tree>> = BTreeMap::new();
    let mut unknown = 0;
    let limits = args.read.gathering().limits;
    for_each_raw(&args.collections, &args.read, common, interrupt, |raw| {
        match fields.host(&raw.url) {
            Some(host) => {
                trees.entry(host_of(&raw.url)).or_default().push(Tree::new(&parse_carried(&raw, limits), host.wanted))
            }
            None => unknown += 1,
        }
        Ok(())
    })?;
    let hosts: BTreeMap<String, Outlook> = trees
        .iter()
        .filter_map(|(name, trees)| Some((name.clone(), predict(trees, fields.hosts.get(name)?))))
        .collect();
    let all: Vec<Tree> = trees.into_values().flatten().collect();
    if let Some(labels) = &labels {
        labels.check_pages(all.iter().map(|tree| tree.id.as_str()))?;
    }
    let measured = labels.map(|labels| measure(&all, &fields, &labels));
    let pages: f64 = hosts.values().map(|outlook| outlook.pages as f64).sum::<f64>() + unknown as f64;
    let predicted = hosts.values().map(|outlook| outlook.recall * outlook.pages as f64).sum::<f64>() / pages.max(1.0);
    let recall = measured.as_ref().map_or(predicted, |report| report.by_record.recall);
    let checked = Checked { hosts, unknown, measured, recall };
    match args.output.format {
        Format::Json => output::json(&checked)?,
        Format::Table => output::print(&output::printable(&checked.table()))?,
    }
    Ok(if args.require.is_some_and(|least| checked.recall < least) { Outcome::FellShort } else { Outcome::Done })
}

impl Checked {
    fn table(&self) -> String {
        let share = |share: f64| format!("{:.1} %", 100.0 * share);
        let mut text = String::new();
        for (name, outlook) in &self.hosts {
            let row = |name: &str, value: String| (name.to_owned(), value);
            text += &output::pairs([
                row("host", if name.is_empty() { "(no URL)".to_owned() } else { name.clone() }),
                row("pages", units::count(outlook.pages)),
                row("pages that fit no wrapper", units::count(outlook.without)),
                row("records", units::count(outlook.records)),
                row("records that fit without a difference", units::count(outlook.perfect)),
                row("predicted recall", share(outlook.recall)),
                row("predicted precision of these", share(outlook.precision)),
            ]);
            let rows = outlook
                .attributes
                .iter()
                .map(|(name, there)| vec![name.clone(), share(there.labelled), share(there.found)]);
            text += &output::grid(&["attribute", "labelled records that have it", "found records that have it"], rows);
        }
        if self.unknown > 0 {
            text += &format!("{} pages are of hosts that these fields do not know\n", self.unknown);
        }
        if let Some(report) = &self.measured {
            let row =
                |name: &str, m: &Measured| vec![name.to_owned(), share(m.precision), share(m.recall), share(m.f1)];
            let rows = report.attributes.iter().map(|(name, measured)| row(name, measured));
            text += &output::grid(
                &["measured", "precision", "recall", "F1"],
                rows.chain([row("records", &report.by_record)]),
            );
        }
        text
    }
}

/// Reads all pages of collections, one after the other.
pub(super) fn for_each_raw(
    names: &[String],
    read: &ReadArgs,
    common: &Common,
    interrupt: &Interrupt,
    mut take: impl FnMut(RawPage) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let gathering = read.gathering();
    let mut pages = 0u64;
    let mut failed = None;
    for collection in collections(names, interrupt)? {
        read_one(
            &collection,
            &gathering,
            common,
            interrupt,
            &mut |raw| {
                pages += 1;
                take(raw)
            },
            &mut failed,
        )?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    interrupt.check()?;
    if pages == 0 {
        return Err(IngestError::Empty(
            names.join(", "),
            "name a folder with .html files, or a WARC, TREC web or JSON lines file".to_owned(),
        )
        .into());
    }
    Ok(())
}

fn read_one(
    collection: &Collection,
    gathering: &crate::ingest::Gathering,
    common: &Common,
    interrupt: &Interrupt,
    take: &mut dyn FnMut(RawPage) -> anyhow::Result<()>,
    failed: &mut Option<anyhow::Error>,
) -> anyhow::Result<()> {
    collection.read(&gathering.read, &mut |found| {
        let result = match found {
            Found::Page(raw) => take(raw),
            Found::Skipped { id, detail, .. } => skipped(&format!("{id}: {detail}"), gathering.strict, common),
            Found::Damaged { origin, message } => skipped(&format!("{origin}: {message}"), gathering.strict, common),
            Found::Unchanged { .. } | Found::Ignored => Ok(()),
        };
        match result {
            Ok(()) if interrupt.check().is_ok() => ControlFlow::Continue(()),
            Ok(()) => ControlFlow::Break(()),
            Err(error) => {
                *failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    Ok(())
}

fn skipped(what: &str, strict: bool, common: &Common) -> anyhow::Result<()> {
    anyhow::ensure!(!strict, "{what}");
    if common.verbose {
        eprintln!("unhusk: skipped {}", output::printable(what));
    }
    Ok(())
}

//! `unhusk extract`: the records of pages.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::ReadArgs;
use super::fields::for_each_raw;
use super::{Common, Outcome, output};
use crate::export::table::write_columns;
use crate::ingest::Interrupt;
use crate::parse::{Limits, parse_carried};
use crate::read::RawPage;
use crate::wrap::extract::{NEIGHBOURS, extract, plain};
use crate::wrap::fields::Fields;
use crate::wrap::library::Found;
use crate::wrap::tree::Tree;

/// Extract records from pages, with fields that were learned
///
/// Prints a line a page: {"id": …, "url": …, "records": [{"attribute": ["value", …]}]}, records in page order.
#[derive(Debug, Args)]
pub(super) struct ExtractArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    /// Fields file, as the command fields learn writes it
    #[arg(long, value_name = "FILE")]
    fields: PathBuf,
    /// How to print records
    #[arg(long, value_enum, default_value_t = ExtractFormat::Jsonl)]
    format: ExtractFormat,
    /// Tell for each record the wrapper and its distance, and for each value the path (with --format jsonl)
    #[arg(long)]
    explain: bool,
    /// File to write to (needed by --format parquet) [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExtractFormat {
    /// A JSON document a page
    Jsonl,
    /// A row a record; several values of an attribute are joined by |
    Csv,
    /// A Parquet file with a row a record (with --out)
    Parquet,
}

/// A page's records.
#[derive(Serialize)]
struct PageRecords<'p> {
    id: &'p str,
    url: &'p str,
    records: Vec<BTreeMap<&'p str, Vec<&'p str>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explained: Vec<Explained>,
}

/// Why a record is one.
#[derive(Serialize)]
struct Explained {
    /// The wrapper's number, or `neighbours` where what is around values found them.
    wrapper: String,
    distance: f64,
    /// Whether the alignment was cut short.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bounded: bool,
    paths: BTreeMap<String, Vec<String>>,
}

/// Pages that are worked on at once.
const BATCH: usize = 64;

pub(super) fn run(args: &ExtractArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    anyhow::ensure!(!args.explain || args.format == ExtractFormat::Jsonl, "--explain is for --format jsonl");
    anyhow::ensure!(
        args.format != ExtractFormat::Parquet || args.out.is_some(),
        "--format parquet writes a file: name it with --out"
    );
    let fields = Fields::read(&args.fields)?;
    let mut sink = Sink::new(args, &fields)?;
    let limits = args.read.gathering().limits;
    let mut batch = Vec::with_capacity(BATCH);
    for_each_raw(&args.collections, &args.read, common, interrupt, |raw| {
        batch.push(raw);
        if batch.len() == BATCH {
            sink.pages(&std::mem::take(&mut batch), &fields, limits, common.threads())?;
        }
        Ok(())
    })?;
    sink.pages(&batch, &fields, limits, common.threads())?;
    let records = sink.finish()?;
    Ok(if records == 0 { Outcome::NothingFound } else { Outcome::Done })
}

/// Where records go.
struct Sink<'a> {
    args: &'a ExtractArgs,
    attributes: Vec<String>,
    file: Option<std::io::BufWriter<std::fs::File>>,
    /// Rows of a Parquet file: id, url, number of the record, attributes.
    rows: Vec<Vec<String>>,
    records: u64,
}

impl<'a> Sink<'a> {
    fn new(args: &'a ExtractArgs, fields: &Fields) -> anyhow::Result<Self> {
        let attributes: Vec<String> = fields.attributes().into_iter().map(str::to_owned).collect();
        let plain = args.out.as_ref().filter(|_| args.format != ExtractFormat::Parquet);
        let file = plain.map(|path| std::fs::File::create(path).map(std::io::BufWriter::new)).transpose()?;
        let mut sink = Sink { args, attributes, file, rows: Vec::new(), records: 0 };
        if args.format == ExtractFormat::Csv {
            let heading = sink.heading();
            sink.write(&csv(&heading))?;
        }
        Ok(sink)
    }

    fn heading(&self) -> Vec<String> {
        ["id", "url", "record"].map(str::to_owned).into_iter().chain(self.attributes.iter().cloned()).collect()
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match &mut self.file {
            Some(file) => Ok(std::io::Write::write_all(file, text.as_bytes())?),
            None => output::print(text),
        }
    }

    /// Extracts from pages on several threads and writes in their order.
    fn pages(&mut self, pages: &[RawPage], fields: &Fields, limits: Limits, threads: usize) -> anyhow::Result<()> {
        let work = |page: &RawPage| {
            let tree = Tree::new(
                &parse_carried(page, limits),
                fields.host(&page.url).map_or_else(Default::default, |host| host.wanted),
            );
            let found = extract(&tree, fields);
            (tree, found)
        };
        let share = pages.len().div_ceil(threads.max(1)).max(1);
        let done: Vec<(Tree, Vec<Found>)> = std::thread::scope(|scope| {
            let parts: Vec<_> = pages
                .chunks(share)
                .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<_>>()))
                .collect();
            parts
                .into_iter()
                .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        done.iter().try_for_each(|(tree, found)| self.page(tree, found))
    }

    fn page(&mut self, tree: &Tree, found: &[Found]) -> anyhow::Result<()> {
        self.records += found.len() as u64;
        if self.args.format == ExtractFormat::Jsonl {
            let explained =
                if self.args.explain { found.iter().map(|found| explain(tree, found)).collect() } else { Vec::new() };
            let records = found.iter().map(plain).collect();
            let mut line = serde_json::to_string(&PageRecords { id: &tree.id, url: &tree.url, records, explained })?;
            line.push('\n');
            return self.write(&line);
        }
        for (number, record) in found.iter().enumerate() {
            let values = plain(record);
            let of = |name: &String| values.get(name.as_str()).map_or(String::new(), |values| values.join("|"));
            let row: Vec<String> = [tree.id.clone(), tree.url.clone(), number.to_string()]
                .into_iter()
                .chain(self.attributes.iter().map(of))
                .collect();
            match self.args.format {
                ExtractFormat::Csv => self.write(&csv(&row))?,
                _ => self.rows.push(row),
            }
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<u64> {
        if let Some(file) = &mut self.file {
            std::io::Write::flush(file)?;
        }
        if let (ExtractFormat::Parquet, Some(path)) = (self.args.format, &self.args.out) {
            write_columns(path, &self.heading(), &self.rows)?;
        }
        Ok(self.records)
    }
}

fn explain(tree: &Tree, found: &Found) -> Explained {
    let wrapper = if found.wrapper == NEIGHBOURS { "neighbours".to_owned() } else { found.wrapper.to_string() };
    let paths = found
        .values
        .iter()
        .map(|(name, values)| (name.clone(), values.iter().map(|value| tree.path(value.node)).collect()));
    Explained {
        wrapper,
        distance: (found.distance * 1000.0).round() / 1000.0,
        bounded: found.bounded,
        paths: paths.collect(),
    }
}

/// A row of comma-separated values (RFC 4180).
fn csv(row: &[String]) -> String {
    let quoted = |field: &String| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

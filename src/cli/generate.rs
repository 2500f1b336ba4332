//! `unhusk generate`: a synthetic site with known templates, queries and judgements.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args};
use serde::Serialize;

use super::{Common, Format, FormatArgs, Outcome, output, units};
use crate::generate::{self, Options, Site, Style};

/// Make a synthetic site whose templates, facts, queries and judgements are known
///
/// The folder gets pages/, marked/ (what of each page is template), queries.tsv, qrels.txt, facts.tsv, templates.json
/// and site.json. The same options give the same bytes on every machine.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("target").required(true).args(["out", "jsonl"]))]
pub(super) struct GenerateArgs {
    /// How many pages
    #[arg(long, value_name = "N", default_value_t = Options::default().pages, conflicts_with = "table_samples")]
    pages: u64,
    /// Another seed, another site
    #[arg(long, value_name = "S", default_value_t = Options::default().seed)]
    seed: u64,
    /// How pages are laid out: table, block or mixed
    #[arg(long, value_name = "STYLE", default_value_t = Style::Mixed, conflicts_with = "table_samples")]
    style: Style,
    /// Where the site goes: a new or empty folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the pages alone, as JSON lines, to this file, or - for standard output
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Leave out marked/ and the texts of template tables: most of the output of a large site
    #[arg(long, conflicts_with_all = ["jsonl", "table_samples"])]
    no_marks: bool,
    /// Write eight small table-layout sites with marked template tables instead of one site
    #[arg(long, conflicts_with = "jsonl")]
    table_samples: bool,
    #[command(flatten)]
    output: FormatArgs,
}

#[derive(Serialize)]
struct Made {
    #[serde(flatten)]
    options: Options,
    out: PathBuf,
}

pub(super) fn run(args: &GenerateArgs, common: &Common) -> anyhow::Result<Outcome> {
    if let (true, Some(out)) = (args.table_samples, &args.out) {
        generate::write_table_samples(args.seed, out)?;
        say(common, &format!("wrote eight table samples to {}", out.display()));
        return Ok(Outcome::Done);
    }
    let options = Options { pages: args.pages, seed: args.seed, style: args.style, marks: !args.no_marks };
    let site = Site::new(options)?;
    let out = match (&args.out, &args.jsonl) {
        (Some(out), None) => {
            generate::write_site(&site, out)?;
            out
        }
        (_, Some(file)) if file.as_os_str() == "-" => {
            generate::write_jsonl(&site, &mut BufWriter::new(std::io::stdout().lock()))?;
            return Ok(Outcome::Done);
        }
        (_, Some(file)) => {
            let cannot = || format!("cannot write {}", file.display());
            let mut stream = BufWriter::new(File::create(file).with_context(cannot)?);
            generate::write_jsonl(&site, &mut stream)?;
            stream.flush().with_context(cannot)?;
            file
        }
        (None, None) => anyhow::bail!("say where the site goes: --out DIR or --jsonl FILE"),
    };
    match args.output.format {
        Format::Json => output::json(&Made { options, out: out.clone() })?,
        Format::Table => say(common, &format!("wrote {} pages to {}", units::count(args.pages), out.display())),
    }
    Ok(Outcome::Done)
}

fn say(common: &Common, text: &str) {
    if !common.quiet {
        eprintln!("unhusk: {}", output::printable(text));
    }
}

//! `unhusk templates`: what was found to be template.

use std::path::PathBuf;

use clap::Args;

use super::{Format, FormatArgs, Outcome, output, units};
use crate::index::templates::Templates;

/// List the templates an index was built without, on most pages first
///
/// Exit status 1 means that there are none.
#[derive(Debug, Args)]
pub(super) struct TemplatesArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Templates to show in the table; JSON has all of them
    #[arg(short, value_name = "N", default_value_t = 20)]
    n: usize,
    #[command(flatten)]
    output: FormatArgs,
}

/// Characters of a template's text in the table.
const TEXT_CHARS: usize = 70;

pub(super) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let templates = Templates::read(&args.index)?;
    match args.output.format {
        Format::Json => output::json(&templates)?,
        Format::Table => output::print(&table(&templates, args.n))?,
    }
    Ok(if templates.templates.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

fn table(templates: &Templates, most: usize) -> String {
    let rows = templates.templates.iter().take(most).map(|template| {
        vec![
            units::count(u64::from(template.pages)),
            format!("{:.1} %", 100.0 * f64::from(template.pages) / templates.pages.max(1) as f64),
            units::bytes(template.bytes_saved),
            shortened(&template.text),
            output::printable(&template.example),
        ]
    });
    let mut text = output::grid(&["pages", "share", "saved", "text", "for example on"], rows);
    let total = templates.templates.len();
    if total > most {
        text += &format!("{} of {} templates; -n shows more\n", units::count(most as u64), units::count(total as u64));
    }
    text
}

fn shortened(text: &str) -> String {
    let line = output::printable(&text.replace('\n', " "));
    match line.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

//! `unhusk templates`: what was found to be template.

use std::path::PathBuf;

use clap::Args;

use super::{Format, FormatArgs, Outcome, output, units};
use crate::index::templates::Templates;
use crate::strip::Template;

/// List the templates an index was built without, the largest saving first
///
/// Texts that stand together on the same pages, such as a whole menu or a whole footer, are one template. Exit status 1 means
/// that there are none.
#[derive(Debug, Args)]
pub(super) struct TemplatesArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Templates to show in the table; JSON has all of them
    #[arg(short, value_name = "N", default_value_t = 20)]
    n: usize,
    /// List every text by itself, on most pages first
    #[arg(long)]
    lines: bool,
    #[command(flatten)]
    output: FormatArgs,
}

/// Characters of a template's text in the table.
const TEXT_CHARS: usize = 70;

pub(super) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let templates = Templates::read(&args.index)?;
    match args.output.format {
        Format::Json => output::json(&templates)?,
        Format::Table if args.lines || has_layouts(&templates) => output::print(&shown(&templates, args.n))?,
        Format::Table => output::print(&grouped(&templates, args.n))?,
    }
    Ok(if templates.templates.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

fn has_layouts(templates: &Templates) -> bool {
    templates.templates.iter().any(|template| template.layout.is_some())
}

/// A line for each group.
fn grouped(templates: &Templates, most: usize) -> String {
    let groups = templates.groups();
    let rows = groups.iter().take(most).map(|group| {
        let (least, most) = group.pages();
        let pages = units::count(u64::from(most));
        vec![
            if least == most { pages } else { format!("{}–{pages}", units::count(u64::from(least))) },
            format!("{:.1} %", 100.0 * f64::from(most) / templates.pages.max(1) as f64),
            units::bytes(group.bytes_saved()),
            units::count(group.templates.len() as u64),
            shortened(&group.text()),
            output::printable(group.example()),
        ]
    });
    let mut text = output::grid(&["pages", "share", "saved", "texts", "first words", "for example on"], rows);
    let shown = units::count(groups.len().min(most) as u64);
    let all = units::count(groups.len() as u64);
    let texts = units::count(templates.templates.len() as u64);
    text += &format!("{shown} of {all} templates ({texts} texts); -n shows more, --lines each text by itself\n");
    text
}

/// Every text by itself. Layouts need more than a line each.
pub(super) fn shown(templates: &Templates, most: usize) -> String {
    let mut text = match has_layouts(templates) {
        true => (1..)
            .zip(&templates.templates)
            .take(most)
            .map(|(number, one)| layout(number, one, templates.pages))
            .collect(),
        false => table(templates, most),
    };
    let total = templates.templates.len();
    if total > most {
        let noun = if has_layouts(templates) { "templates" } else { "texts" };
        text += &format!("{} of {} {noun}; -n shows more\n", units::count(most as u64), units::count(total as u64));
    }
    text
}

/// A cluster of pages with one layout: how many, which, and what they share.
fn layout(number: usize, template: &Template, all: u64) -> String {
    let Some(layout) = &template.layout else { return String::new() };
    let share = 100.0 * f64::from(template.pages) / all.max(1) as f64;
    let rows = [
        (format!("cluster {number}"), format!("{} pages ({share:.1} %)", units::count(u64::from(template.pages)))),
        ("for example".to_owned(), layout.examples.join(", ")),
        (
            "template".to_owned(),
            format!("{} paths, saves {}", units::count(layout.paths.len() as u64), units::bytes(template.bytes_saved)),
        ),
        ("paths".to_owned(), layout.paths.join(" ")),
        ("text".to_owned(), template.text.clone()),
    ];
    output::pairs(rows.map(|(name, value)| (name, shortened(&value)))) + "\n"
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
    output::grid(&["pages", "share", "saved", "text", "for example on"], rows)
}

fn shortened(text: &str) -> String {
    let line = output::printable(&text.replace('\n', " "));
    match line.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

//! `unhusk search`: one query, answered for a person.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::{Common, Format, FormatArgs, Outcome, output};
use crate::search::{Answered, Asked, Condition, Engine, Facet, Hit, Scope, Searched, Shown, Sort, Within};

/// Answer one query: rank, score, title, URL and a snippet of each document
///
/// Any of the words may match. "Two words" in quotes are a phrase, +word must match, -word must not, title:word looks in
/// the title only, body:word in the content only, and aside:word in what else is the page's own. Anything else is text: no query is wrong.
///
/// A field of the index may stand before a colon too: author:doe, author:"Jane Doe", price:<20, published:2024, -type:video. The info command
/// lists the fields.
///
/// Exit status 1 means that nothing was found.
#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Words to look for, quoted or not; put -- before a query that starts with a minus
    #[arg(value_name = "QUERY", required_unless_present_any = ["filter", "facet", "sort"])]
    query: Vec<String>,
    /// Show so many documents at most
    #[arg(short, value_name = "N", default_value_t = 10)]
    k: usize,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    asked: AskedArgs,
    #[command(flatten)]
    output: FormatArgs,
    /// Refuse a query with an open quote, a sign without a word or an unknown field
    #[arg(long)]
    strict_syntax: bool,
}

/// What is asked of fields.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
pub(super) struct AskedArgs {
    /// Only pages for which this holds: author:doe, author:"Jane Doe", published>=2024-01-01, price<20, -type:video; several times for several
    #[arg(long, value_name = "CONDITION")]
    filter: Vec<Condition>,
    /// Count the values of these fields among the pages found
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    facet: Vec<String>,
    /// Sort by this field, or with a minus the other way round (--sort=-published)
    #[arg(long, value_name = "FIELD", allow_hyphen_values = true)]
    sort: Option<Sort>,
}

impl AskedArgs {
    pub(super) fn asked(&self) -> Asked {
        Asked { filters: self.filter.clone(), facets: self.facet.clone(), sort: self.sort.clone() }
    }
}

/// Where words are looked up.
#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    /// Fields to search: title, body, aside (the page's own words that are not its content)
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', default_value = "title,body,aside")]
    fields: Vec<Searched>,
    /// Multiply the score of a match in the title by this
    #[arg(long, value_name = "FACTOR", default_value_t = Scope::default().title_boost, value_parser = boost)]
    title_boost: f32,
    /// Multiply the score of a match in what is set aside by this
    #[arg(long, value_name = "FACTOR", default_value_t = Scope::default().aside_boost, value_parser = boost)]
    aside_boost: f32,
    /// Take so many average lengths for the length that neither helps nor hurts a page; with more, lengths count less
    #[arg(long, value_name = "TIMES", default_value_t = Scope::default().length_pivot, value_parser = pivot)]
    length_pivot: f32,
}

impl ScopeArgs {
    pub(super) fn scope(&self) -> Scope {
        Scope {
            fields: self.fields.clone(),
            title_boost: self.title_boost,
            aside_boost: self.aside_boost,
            length_pivot: self.length_pivot,
        }
    }
}

fn boost(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(factor @ 0.0..=1000.0) => Ok(factor),
        _ => Err("give a number from 0 to 1000".to_owned()),
    }
}

fn pivot(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(times @ 0.1..=1000.0) => Ok(times),
        _ => Err("give a number from 0.1 to 1000".to_owned()),
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    seconds: f64,
    pages: u64,
    hits: Vec<Row<'a>>,
    #[serde(skip_serializing_if = "<[Facet]>::is_empty")]
    facets: &'a [Facet],
}

#[derive(Serialize)]
struct Row<'a> {
    rank: usize,
    score: f32,
    id: &'a str,
    #[serde(flatten)]
    shown: &'a Shown,
}

pub(super) fn run(args: &SearchArgs, common: &Common) -> anyhow::Result<Outcome> {
    let engine = Engine::open(&args.index)?;
    let text = args.query.join(" ");
    let query = if args.strict_syntax { engine.read_strict(&text)? } else { engine.read(&text) };
    let scope = args.scope.scope();
    let started = Instant::now();
    let Answered { hits, pages, facets } =
        engine.ask(&query, &scope, &Within::default(), &args.asked.asked(), args.k)?;
    let seconds = started.elapsed().as_secs_f64();
    let shown = engine.show(&query, &scope, &hits)?;
    match args.output.format {
        Format::Json => {
            output::json(&Answer { query: &text, seconds, pages, hits: rows(&hits, &shown), facets: &facets })?
        }
        Format::Table => output::print(&(list(&rows(&hits, &shown), output::is_colourful()) + &counts(&facets)))?,
    }
    if hits.is_empty() {
        if !common.quiet {
            eprintln!("unhusk: nothing found for {}", output::printable(&text));
        }
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Done)
}

fn rows<'a>(hits: &'a [Hit], shown: &'a [Shown]) -> Vec<Row<'a>> {
    let ranked = hits.iter().zip(shown).enumerate();
    ranked.map(|(n, (hit, shown))| Row { rank: n + 1, score: hit.score, id: &hit.id, shown }).collect()
}

fn list(rows: &[Row<'_>], colourful: bool) -> String {
    let mut text = String::new();
    for row in rows {
        let title = if row.shown.title.is_empty() { row.id } else { &row.shown.title };
        text += &format!("{:>3}  {:>8.4}  {}\n", row.rank, row.score, one_line(title));
        text += &format!("               {}\n", one_line(&row.shown.url));
        let known = known(row.shown);
        if !known.is_empty() {
            text += &format!("               {}\n", one_line(&known));
        }
        if let [first, rest @ ..] = row.shown.aliases.as_slice() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            text += &format!("               also at {}{more}\n", one_line(first));
        }
        if !row.shown.snippet.is_empty() {
            text += &format!("               {}\n", highlighted(row.shown, colourful));
        }
    }
    text
}

/// Values shown of a facet; JSON has all.
const FACET_VALUES: usize = 20;

fn counts(facets: &[Facet]) -> String {
    let mut text = String::new();
    for facet in facets {
        text += &format!("\n{}\n", one_line(&facet.name));
        for value in facet.values.iter().take(FACET_VALUES) {
            text += &format!("{:>8}  {}\n", value.pages, one_line(&value.value));
        }
        if facet.values.len() > FACET_VALUES {
            text +=
                &format!("          and {} more values (--format json has all)\n", facet.values.len() - FACET_VALUES);
        }
    }
    text
}

/// What is known of a page, for a line of its own: date, author, price.
fn known(shown: &Shown) -> String {
    let values = |name: &str| shown.fields.get(name).iter().map(|value| value.content.to_string()).collect::<Vec<_>>();
    let mut parts: Vec<String> = ["published", "author"].iter().map(|name| values(name).join(", ")).collect();
    parts.push([values("price").join(", "), values("currency").join(", ")].join(" ").trim().to_owned());
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

fn one_line(text: &str) -> String {
    output::printable(&text.replace('\n', " "))
}

fn highlighted(shown: &Shown, colourful: bool) -> String {
    if !colourful {
        return one_line(&shown.snippet);
    }
    let mut text = String::new();
    let mut at = 0;
    for &(start, end) in &shown.highlights {
        text += &one_line(&shown.snippet[at..start]);
        text += &format!("\u{1b}[1m{}\u{1b}[0m", one_line(&shown.snippet[start..end]));
        at = end;
    }
    text + &one_line(&shown.snippet[at..])
}

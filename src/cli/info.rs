//! `unhusk info`: how an index was made and what is in it.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::{Format, FormatArgs, Outcome, output, units};
use crate::field::Kind;
use crate::index::Manifest;
use crate::search::syntax::Query;
use crate::search::{Asked, Engine, Scope, Within};

/// Show how an index was made and what is in it
///
/// Pages, bytes of text, postings, bytes on disk, and what building it took. With --format json this is the index's
/// manifest.json.
#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Fail unless at least this share of the pages has the field: published=90%; several times for several
    #[arg(long, value_name = "FIELD=SHARE", value_parser = requirement)]
    require: Vec<(String, f64)>,
    #[command(flatten)]
    output: FormatArgs,
}

pub(super) fn run(args: &InfoArgs) -> anyhow::Result<Outcome> {
    let manifest = match args.output.format {
        Format::Json => {
            let manifest = Manifest::read(&args.index)?;
            output::json(&manifest)?;
            manifest
        }
        Format::Table => {
            // Both from one opening: a build may replace the index at any moment.
            let engine = Engine::open(&args.index)?;
            output::print(&shown(&engine, &args.index)?)?;
            engine.manifest().clone()
        }
    };
    let mut failed = false;
    for (name, share) in &args.require {
        let covered = manifest.coverage(name);
        if covered < *share {
            failed = true;
            eprintln!(
                "unhusk: {:.1} % of the pages have the field {}, and {:.1} % are required",
                covered * 100.0,
                output::printable(name),
                share * 100.0
            );
        }
    }
    Ok(if failed { Outcome::FellShort } else { Outcome::Done })
}

fn requirement(text: &str) -> Result<(String, f64), String> {
    let (name, share) = text.split_once('=').ok_or("write FIELD=SHARE, as in published=90%")?;
    Ok((name.to_owned(), units::share(share)?))
}

/// Examples that are shown of a field.
const EXAMPLES: usize = 3;

/// What pages say about themselves, for a person.
fn fields(engine: &Engine) -> anyhow::Result<String> {
    let manifest = engine.manifest();
    if manifest.said.fields.is_empty() {
        return Ok(String::new());
    }
    let names: Vec<String> = manifest.said.fields.keys().cloned().collect();
    let asked = Asked { facets: names.clone(), ..Asked::default() };
    let answered = engine.ask(&Query::default(), &Scope::default(), &Within::default(), &asked, 0)?;
    let mut text = String::from("\nfields\n");
    for (name, facet) in names.iter().zip(&answered.facets) {
        let Some(coverage) = manifest.said.fields.get(name) else { continue };
        let share = manifest.coverage(name) * 100.0;
        let sources: Vec<String> =
            coverage.sources.iter().map(|(source, n)| format!("{source} {}", units::count(*n))).collect();
        let kinds: Vec<String> = coverage.kinds.keys().map(ToString::to_string).collect();
        let distinct = if coverage.kinds.contains_key(&Kind::Date) { "years" } else { "distinct" };
        text += &format!(
            "  {name}: {} pages ({share:.1} %), {}, {} {distinct}; from {}\n",
            units::count(coverage.pages),
            kinds.join(" and "),
            units::count(facet.values.len() as u64),
            sources.join(", ")
        );
        for value in facet.values.iter().take(EXAMPLES) {
            let short: String = value.value.chars().take(100).collect();
            text += &format!("      {short} ({})\n", units::count(value.pages));
        }
    }
    for (name, count) in &manifest.said.sites {
        text +=
            &format!("  {name}: {} values left out, for the site says them on its pages alike\n", units::count(*count));
    }
    for (why, count) in &manifest.said.left_out {
        text += &format!("  left out: {} {why}\n", units::count(*count));
    }
    Ok(text)
}

/// An index for a person: its manifest, and what its pages say about themselves.
fn shown(engine: &Engine, place: &Path) -> anyhow::Result<String> {
    Ok(summary(engine.manifest(), place) + &output::printable(&fields(engine)?))
}

/// An index that was just built, for a person. Where another build has replaced it since, only its manifest is known.
pub(super) fn built(manifest: &Manifest, place: &Path) -> anyhow::Result<String> {
    match Engine::open(place) {
        Ok(engine) if engine.manifest() == manifest => shown(&engine, place),
        _ => Ok(summary(manifest, place)),
    }
}

/// The manifest for a person.
fn summary(manifest: &Manifest, place: &Path) -> String {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let cost = &manifest.cost;
    let mut rows = vec![
        row("index", place.display().to_string()),
        row("made from", manifest.inputs.join(", ")),
        row("made by", format!("unhusk {}, format {}", manifest.unhusk, manifest.format)),
        row("method", manifest.method.name().to_owned()),
        row("language", manifest.language.to_string()),
        row("pages", pages(manifest)),
        row("HTML", html(manifest)),
        row("text", text(manifest)),
    ];
    if let Some(before) = manifest.unstripped_postings {
        let left = manifest.text_postings();
        let [whole, indexed] = [before, left].map(units::count);
        rows.push(row("postings", format!("{whole} as-is, {indexed} indexed{}", saved(before, left))));
    }
    rows.extend(manifest.findings.iter().filter_map(finding));
    rows.extend(backed_off(&manifest.findings).into_iter().map(|said| row("backed off", said)));
    for (name, field) in manifest.fields.iter().filter(|(name, _)| *name != "aside" || manifest.has_aside()) {
        let [tokens, postings, terms] = [field.tokens, field.postings, field.terms].map(units::count);
        rows.push(row(name, format!("{tokens} tokens, {postings} postings, {terms} distinct terms")));
    }
    rows.push(row("on disk", sizes(manifest)));
    let seconds: Vec<String> = cost.seconds.iter().map(|(stage, s)| format!("{stage} {s:.2} s")).collect();
    rows.push(row("time", format!("{} ({} threads)", seconds.join(", "), cost.threads)));
    rows.push(row("peak memory", cost.peak_memory.map_or("not known".to_owned(), units::bytes)));
    output::printable(&output::pairs(rows))
}

/// Bytes of text, how many of them are indexed, and how many of those are aside.
fn text(manifest: &Manifest) -> String {
    let Manifest { text_bytes, kept_bytes, aside_bytes, .. } = *manifest;
    let indexed = kept_bytes + aside_bytes;
    let mut text = format!("{}, {} of it indexed", units::bytes(text_bytes), units::bytes(indexed));
    text += &saved(text_bytes, indexed);
    if aside_bytes > 0 {
        let share = aside_bytes as f64 / indexed as f64 * 100.0;
        text += &format!(", {} of that aside ({share:.1} %)", units::bytes(aside_bytes));
    }
    text
}

/// Bytes of HTML, and how many of them were kept where the method knows.
fn html(manifest: &Manifest) -> String {
    let total = units::bytes(manifest.corpus_bytes);
    let found = |name| manifest.findings.get(name).and_then(serde_json::Value::as_u64);
    match (found("html_bytes"), found("html_bytes_kept")) {
        (Some(whole), Some(kept)) => format!("{total}, {} of it kept{}", units::bytes(kept), saved(whole, kept)),
        _ => total,
    }
}

/// What was saved, in per cent; nothing where nothing was.
fn saved(before: u64, after: u64) -> String {
    if after == before || before == 0 {
        return String::new();
    }
    let share = (after as f64 - before as f64) / before as f64 * 100.0;
    format!(" ({share:+.1} %)")
}

/// A count that the method found.
fn finding((name, value): (&String, &Value)) -> Option<(String, String)> {
    let count = value.as_u64().filter(|_| !name.starts_with("html_bytes"))?;
    Some((name.replace('_', " "), units::count(count)))
}

/// Where the method found that it would take too much, and what it does not do there.
pub(super) fn backed_off(findings: &serde_json::Map<String, Value>) -> Vec<String> {
    let layouts = findings.get("self_check").and_then(Value::as_array).into_iter().flatten();
    let said = |layout: &Value| -> Vec<String> {
        let leaving = layout["leaving"].as_array().into_iter().flatten();
        let backed_off = leaving.filter(|leaving| leaving["backed_off"] == true);
        let say = |leaving: &Value| {
            Some(format!(
                "{} is not used on pages like {} ({} of those learned from): {:.0} % of what only they say would have left the content",
                leaving["signal"].as_str()?,
                layout["example"].as_str()?,
                units::count(layout["pages"].as_u64()?),
                leaving["share"].as_f64()? * 100.0,
            ))
        };
        backed_off.filter_map(say).collect()
    };
    layouts.flat_map(said).collect()
}

fn pages(manifest: &Manifest) -> String {
    let counts = &manifest.pages;
    let mut text = format!("{} indexed of {} read", units::count(counts.indexed), units::count(counts.read));
    if counts.duplicates > 0 {
        text += &format!(", {} the same as another", units::count(counts.duplicates));
    }
    for (reason, count) in &counts.skipped {
        text += &format!(", {} skipped: {reason}", units::count(*count));
    }
    if counts.ignored > 0 {
        text += &format!("; {} other records", units::count(counts.ignored));
    }
    if counts.damaged > 0 {
        text += &format!("; damage in {} places", units::count(counts.damaged));
    }
    if counts.flattened > 0 {
        text += &format!("; {} flattened", units::count(counts.flattened));
    }
    text
}

fn sizes(manifest: &Manifest) -> String {
    let sizes = &manifest.sizes;
    let parts = [
        ("terms", sizes.terms),
        ("postings", sizes.postings),
        ("positions", sizes.positions),
        ("store", sizes.store),
        ("other", sizes.other),
    ];
    let parts: Vec<String> = parts.iter().map(|(name, bytes)| format!("{name} {}", units::bytes(*bytes))).collect();
    format!("{} ({})", units::bytes(sizes.total()), parts.join(", "))
}

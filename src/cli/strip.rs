//! `unhusk strip`: what is left of pages, and what is taken out and why.

use std::ops::ControlFlow;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{GatherArgs, MetadataArgs, MethodArgs, collections};
use super::learned::collected;
use super::progress::Progress;
use super::{Common, Outcome, output};
use crate::export::{Detail, Values};
use crate::field::{Content, Value};
use crate::ingest::{Gathering, IngestError, Interrupt, Watch};
use crate::metadata;
use crate::metadata::choose::{Choice, Chosen};
use crate::metadata::site::Sites;
use crate::parse::{Page, Parsed, charset, parse_within};
use crate::read::{Collection, Found, RawPage};
use crate::strip::explain::{Stretch, explain, shade, stretches};
use crate::strip::sandwich::{Crawl, PeerRule, Sandwich};
use crate::strip::scope::Scope;
use crate::strip::{Mark, Mask, Method, Model, Pages, Reason, for_each_page};

/// Show what is left of pages, and what is taken out and why
///
/// Learns what a collection's pages share and prints their content. With --explain the whole page is printed: what is set aside, as the page's own but not its content, stands behind a tilde and what is dropped behind a minus, with the reason in front.
///
/// --strip sandwich --peer previous --no-dedup needs no second look at a page, so pages are printed as they come: it can stand behind a crawler that is still running.
#[derive(Debug, Args)]
pub(super) struct StripArgs {
    /// Folders, files, or - for standard input, as for the index command
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    gather: GatherArgs,
    #[command(flatten)]
    metadata: MetadataArgs,
}

/// Which pages are printed, and how.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// Print this page only, by its document id
    #[arg(long, value_name = "ID")]
    page: Option<String>,
    /// Print the whole page, with what is set aside or dropped and why; of its fields who says so and where
    #[arg(long)]
    explain: bool,
    /// How to print pages
    #[arg(long, value_enum, default_value_t = StripFormat::Table, help_heading = "Common options")]
    format: StripFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StripFormat {
    /// The text, for people
    Table,
    /// One JSON document with all pages
    Json,
    /// A JSON document a page: id, url, title, text, aside, fields, dropped
    Jsonl,
    /// The page itself with what is set aside or dropped shaded (with --page)
    Html,
}

/// A page as other tools read it.
#[derive(Serialize)]
struct Stripped {
    id: String,
    url: String,
    title: String,
    text: String,
    aside: String,
    fields: Option<serde_json::Value>,
    dropped: Vec<Dropped>,
}

#[derive(Serialize)]
struct Dropped {
    text: String,
    reason: String,
    #[serde(flatten)]
    details: Reason,
}

pub(super) fn run(args: &StripArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    args.show.check()?;
    let collections = collections(&args.collections, interrupt)?;
    let gathering = Gathering { metadata: args.metadata.reading(), ..args.gather.gathering() };
    if let Some(crawl) = crawl(args, &gathering) {
        // Nothing is known of the site before its pages are.
        let said = SaidBy { choice: args.metadata.choice(), sites: &Sites::default() };
        stream(&args.show, &collections, &gathering, crawl, &said, (common, interrupt))?;
        return Ok(Outcome::Done);
    }
    collected(&collections, &gathering, common, interrupt, |collected, means| {
        let pages = collected.pages();
        let model = args.method.method().learn(&pages, means)?;
        let sites = collected.sites().learn();
        let said = SaidBy { choice: args.metadata.choice(), sites: &sites };
        args.show.print(&collections, &gathering, &pages, model.as_ref(), &said)
    })?;
    Ok(Outcome::Done)
}

impl ShowArgs {
    pub(super) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.format != StripFormat::Html || self.page.is_some(),
            "--format html prints one page: name it with --page"
        );
        anyhow::ensure!(
            !self.explain || self.format != StripFormat::Html,
            "--explain is for --format table, json or jsonl: html shades what is dropped as it is"
        );
        Ok(())
    }

    /// Prints what a model leaves of pages.
    pub(super) fn print(
        &self,
        collections: &[Collection],
        gathering: &Gathering,
        pages: &Pages<'_>,
        model: &dyn Model,
        said: &SaidBy<'_>,
    ) -> anyhow::Result<()> {
        match &self.page {
            Some(id) => print_one(self, collections, gathering, pages, (model, said), id),
            None => print_all(self, pages, model, said),
        }
    }
}

/// Which of what pages say about themselves is shown.
pub(super) struct SaidBy<'s> {
    pub(super) choice: Choice,
    pub(super) sites: &'s Sites,
}

impl SaidBy<'_> {
    fn chosen(&self, page: &Page) -> Chosen {
        self.choice.of(page, self.sites.of(Scope::Host.of(&page.url)))
    }

    /// The fields of a page for people: who says so and where, and what is the site's.
    fn explain(&self, page: &Page) -> String {
        let chosen = self.chosen(page);
        let order = self.choice.order.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut text = format!("fields, believing {order}:\n");
        for (name, values) in chosen.fields.iter() {
            for value in values {
                text += &format!("  {name}: {}  [{}]\n", shown(&value.content), place(value));
            }
        }
        for (name, value, (some, of)) in &chosen.sites {
            let content = shown(&value.content);
            text += &format!("- {name}: {content}  [{}: the site says so on {some} of {of} pages]\n", place(value));
        }
        for (why, count) in &page.left_out {
            text += &format!("- {count} left out: {why}\n");
        }
        text
    }
}

fn shown(content: &Content) -> String {
    match content {
        Content::Date(date) => date.in_full(),
        other => other.to_string(),
    }
}

fn place(value: &Value) -> String {
    let line = if value.place.line > 0 { format!(", line {}", value.place.line) } else { String::new() };
    format!("{}{line}, {}", value.source, value.place.path)
}

/// The marks of one pass, where the method can do with one.
fn crawl(args: &StripArgs, gathering: &Gathering) -> Option<Crawl> {
    let one_pass = args.show.page.is_none()
        && args.show.format != StripFormat::Json
        && gathering.dedup.is_none()
        // Nothing is to be printed before all pages are known to be good.
        && !gathering.strict;
    match args.method.method() {
        Method::Sandwich(Sandwich { peer: PeerRule::Previous, unit, group }) if one_pass => {
            Some(Crawl::new(unit, group))
        }
        _ => None,
    }
}

/// Prints each page as soon as it has been read.
fn stream(
    show: &ShowArgs,
    collections: &[Collection],
    gathering: &Gathering,
    mut crawl: Crawl,
    said_by: &SaidBy<'_>,
    (common, interrupt): (&Common, &Interrupt),
) -> anyhow::Result<()> {
    let progress = Progress::new(common);
    let mut result = Ok(());
    for collection in collections {
        collection.read(&gathering.read, &mut |found| {
            match found {
                Found::Page(raw) => {
                    let Parsed { mut page, said, flattened, .. } = parse_within(&raw, gathering.limits);
                    if let Some(reading) = &gathering.metadata {
                        metadata::read(&mut page, &said, reading);
                    }
                    if flattened {
                        progress.flattened(&raw.id, &raw.origin);
                    }
                    let mask = crawl.next(&page);
                    result = print_page(show, &page, &mask, said_by, true);
                }
                Found::Skipped { id, origin, reason, detail } => progress.skipped(&id, &origin, reason, &detail),
                Found::Damaged { origin, message } => progress.damaged(&origin, &message),
                Found::Unchanged { .. } | Found::Ignored => {}
            }
            if interrupt.is_set() {
                result = Err(IngestError::Interrupted.into());
            }
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if result.is_err() {
            break;
        }
    }
    progress.finish();
    result
}

fn print_all(show: &ShowArgs, pages: &Pages<'_>, model: &dyn Model, said: &SaidBy<'_>) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for_each_page(pages.spool(), pages.numbers(), |number, page| {
        let mask = model.mark(number, &page)?;
        match show.format {
            StripFormat::Json => all.push(stripped(show, &page, &mask, said)),
            _ => print_page(show, &page, &mask, said, true)?,
        }
        Ok::<(), anyhow::Error>(())
    })?;
    if show.format == StripFormat::Json { output::json(&all) } else { Ok(()) }
}

fn print_one(
    show: &ShowArgs,
    collections: &[Collection],
    gathering: &Gathering,
    pages: &Pages<'_>,
    (model, said): (&dyn Model, &SaidBy<'_>),
    id: &str,
) -> anyhow::Result<()> {
    let mut found = None;
    for &number in pages.numbers() {
        let page = pages.spool().page(number)?;
        if page.id == id {
            found = Some((number, page));
            break;
        }
    }
    let (number, page) = found.with_context(|| format!("no page has the id {id}, or it is a copy of another page"))?;
    let mask = model.mark(number, &page)?;
    if show.format == StripFormat::Html {
        let raw = read_again(collections, gathering, &page)?;
        let decoded = charset::decode(&raw.bytes, raw.content_type.as_deref());
        return output::print(&shade(&decoded.text, &page, &mask));
    }
    print_page(show, &page, &mask, said, false)
}

fn print_page(show: &ShowArgs, page: &Page, mask: &Mask, said: &SaidBy<'_>, headed: bool) -> anyhow::Result<()> {
    match show.format {
        StripFormat::Json => output::json(&stripped(show, page, mask, said)),
        StripFormat::Jsonl => {
            let line = serde_json::to_string(&stripped(show, page, mask, said)).context("cannot write JSON")?;
            output::print(&(line + "\n"))
        }
        StripFormat::Table | StripFormat::Html => {
            let text = match (show.explain, page.fields.is_empty()) {
                (true, true) => explain(page, mask),
                (true, false) => explain(page, mask) + &said.explain(page),
                (false, _) => page.text_where(|piece| mask.keeps(piece)) + "\n",
            };
            let head = if headed { format!("=== {} ===\n", page.id) } else { String::new() };
            output::print(&output::printable(&(head + &text)))
        }
    }
}

fn stripped(show: &ShowArgs, page: &Page, mask: &Mask, said: &SaidBy<'_>) -> Stripped {
    let detail = if show.explain { Detail::Explained } else { Detail::Plain };
    let fields = said.chosen(page).fields;
    let fields = serde_json::to_value(Values { fields: &fields, detail }).ok();
    let dropped = stretches(page, mask).into_iter().filter_map(|Stretch { text, mark, .. }| match mark {
        Mark::Dropped(details) => Some(Dropped { text, reason: details.to_string(), details }),
        Mark::Kept | Mark::Aside(_) => None,
    });
    Stripped {
        id: page.id.clone(),
        url: page.url.clone(),
        title: page.title.clone(),
        text: page.text_where(|piece| mask.keeps(piece)),
        aside: page.text_where(|piece| mask.is_aside(piece)),
        fields,
        dropped: dropped.collect(),
    }
}

/// The spool holds text, not HTML; one page's HTML is found by reading the collection once more.
fn read_again(collections: &[Collection], gathering: &Gathering, page: &Page) -> anyhow::Result<RawPage> {
    let mut again = None;
    for collection in collections {
        collection.read(&gathering.read, &mut |found| match found {
            Found::Page(raw) if raw.url == page.url && raw.bytes.len() as u64 == page.source_bytes => {
                again = Some(raw);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })?;
    }
    again.context("the page cannot be read a second time: --format html needs a collection on disk")
}

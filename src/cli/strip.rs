//! `unhusk strip`: what is left of pages, and what is taken out and why.

use std::ops::ControlFlow;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{GatherArgs, MethodArgs, collections};
use super::info::backed_off;
use super::learned::learned;
use super::progress::Progress;
use super::{Common, Outcome, output};
use crate::ingest::{Gathering, IngestError, Interrupt, Watch};
use crate::parse::{Page, Parsed, charset, parse_within};
use crate::read::{Collection, Found, RawPage};
use crate::strip::explain::{Stretch, explain, shade, stretches};
use crate::strip::sandwich::{Crawl, PeerRule, Sandwich};
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
}

/// Which pages are printed, and how.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// Print this page only, by its document id
    #[arg(long, value_name = "ID")]
    page: Option<String>,
    /// Print the whole page, with what is set aside or dropped and why
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
    /// A JSON document a page: id, url, title, text, aside, dropped
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
    let gathering = args.gather.gathering();
    if let Some(crawl) = crawl(args, &gathering) {
        stream(&args.show, &collections, &gathering, crawl, common, interrupt)?;
        return Ok(Outcome::Done);
    }
    learned(&collections, &gathering, &args.method.method(), common, interrupt, |pages, model| {
        args.show.print(&collections, &gathering, pages, model)
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
            !self.explain || self.format == StripFormat::Table,
            "--explain is for --format table: the others tell what is dropped as they are"
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
    ) -> anyhow::Result<()> {
        if self.explain {
            let said = backed_off(&model.findings()).into_iter().map(|said| format!("# backed off: {said}\n"));
            output::print(&output::printable(&said.collect::<String>()))?;
        }
        match &self.page {
            Some(id) => print_one(self, collections, gathering, pages, model, id),
            None => print_all(self, pages, model),
        }
    }
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
    common: &Common,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let progress = Progress::new(common);
    let mut result = Ok(());
    for collection in collections {
        collection.read(&gathering.read, &mut |found| {
            match found {
                Found::Page(raw) => {
                    let Parsed { page, flattened, .. } = parse_within(&raw, gathering.limits);
                    if flattened {
                        progress.flattened(&raw.id, &raw.origin);
                    }
                    let mask = crawl.next(&page);
                    result = print_page(show, &page, &mask, true);
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

fn print_all(show: &ShowArgs, pages: &Pages<'_>, model: &dyn Model) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for_each_page(pages.spool(), pages.numbers(), |number, page| {
        let mask = model.mark(number, &page)?;
        match show.format {
            StripFormat::Json => all.push(stripped(&page, &mask)),
            _ => print_page(show, &page, &mask, true)?,
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
    model: &dyn Model,
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
    print_page(show, &page, &mask, false)
}

fn print_page(show: &ShowArgs, page: &Page, mask: &Mask, headed: bool) -> anyhow::Result<()> {
    match show.format {
        StripFormat::Json => output::json(&stripped(page, mask)),
        StripFormat::Jsonl => {
            let line = serde_json::to_string(&stripped(page, mask)).context("cannot write JSON")?;
            output::print(&(line + "\n"))
        }
        StripFormat::Table | StripFormat::Html => {
            let text =
                if show.explain { explain(page, mask) } else { page.text_where(|piece| mask.keeps(piece)) + "\n" };
            let head = if headed { format!("=== {} ===\n", page.id) } else { String::new() };
            output::print(&output::printable(&(head + &text)))
        }
    }
}

fn stripped(page: &Page, mask: &Mask) -> Stripped {
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

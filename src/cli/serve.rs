//! `unhusk serve`: indexes in a browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;

use super::{Common, Outcome, output};
use crate::ingest::Interrupt;
use crate::serve::{Event, Options, SearchLimits, Server};

/// Search indexes, compare their rankings and look at pages in a browser
///
/// Several indexes of one collection open together. Indexes built with --keep-pages show pages with what was dropped shaded, and the page itself. An index that is built again is reopened by itself.
///
/// The server answers on this machine only unless --allow-remote is given. It has no log-in: whoever reaches it may search, and judge where --judge is given.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Folders of the indexes
    #[arg(required = true, value_name = "INDEX")]
    indexes: Vec<PathBuf>,
    /// Where to listen; port 0 takes any free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7700")]
    addr: SocketAddr,
    /// Let other machines in: needed where --addr can be reached from them
    #[arg(long)]
    allow_remote: bool,
    /// Open the search page in a browser
    #[arg(long)]
    open: bool,
    /// Queries to choose from: lines of id, tab, text; or TREC topics
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Judgements, in TREC format: relevant pages are marked
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    /// Let people judge pages: writes to the files of --queries and --qrels, which are made where they are missing
    #[arg(long, requires = "queries", requires = "qrels")]
    judge: bool,
    /// Refuse queries of more bytes than this
    #[arg(long, value_name = "BYTES", default_value_t = SearchLimits::default().query_bytes, help_heading = "Limits")]
    max_query_size: usize,
    /// Show so many results of a query at most, all pages of them together
    #[arg(long, value_name = "N", default_value_t = SearchLimits::default().results, help_heading = "Limits")]
    max_results: usize,
}

pub(super) fn run(args: &ServeArgs, common: &Common, interrupt: &Interrupt) -> anyhow::Result<Outcome> {
    let options = Options {
        indexes: args.indexes.clone(),
        addr: args.addr,
        allow_remote: args.allow_remote,
        queries: args.queries.clone(),
        qrels: args.qrels.clone(),
        judge: args.judge,
        threads: common.threads(),
        limits: SearchLimits { query_bytes: args.max_query_size, results: args.max_results },
    };
    let (quiet, open) = (common.quiet, args.open);
    let tell = move |event: Event| match event {
        Event::Listening(addr) => {
            // To standard output, where whoever asked for any free port finds it.
            let _ = output::print(&format!("http://{addr}/\n"));
            if open {
                browse(addr);
            }
        }
        Event::Reopened(name) if !quiet => {
            eprintln!("unhusk: {} was built again and is open", output::printable(&name))
        }
        Event::Reopened(_) => {}
        Event::NotReopened(name, error) => {
            let said = format!("{name} was built again, but cannot be opened; the old one goes on answering: {error}");
            eprintln!("unhusk: {}", output::printable(&said));
        }
    };
    Server::open(&options)?.run(Arc::new(tell), interrupt)?;
    Ok(Outcome::Done)
}

/// Opens the search page with whatever the system opens pages with.
fn browse(addr: SocketAddr) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started =
        Command::new(program).arg(format!("http://{addr}/")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_err() {
        eprintln!("unhusk: no browser can be opened from here: open http://{addr}/ yourself");
    }
}

//! `unhusk serve`: search, rankings side by side and pages with their templates shaded, in a browser.
//!
//! Everything is rendered here: searching, comparing and looking at pages need no script. What pages say is foreign: templates
//! escape it, a strict Content-Security-Policy stands behind that (`guard`), and a page's own HTML is shown in
//! a frame that may run nothing and fetch nothing (`source`). A request names indexes and pages, never paths. Every request has
//! a limit on its size, depth and time, and there is a limit on their number (`limits`, `connection`).

#![forbid(unsafe_code)]

mod answers;
mod assets;
mod connection;
mod failure;
mod guard;
mod judge;
mod judgements;
mod limits;
mod page;
mod params;
mod reasons;
mod report;
mod router;
mod search;
mod side;
mod source;
mod state;
mod suggest;
mod templates;
mod text;

pub use limits::SearchLimits;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use unhusk_eval::eval::QrelsError;
use unhusk_index::index::IndexError;
use unhusk_index::ingest::Interrupt;
use unhusk_index::search::queries::QueryError;

/// What to serve, and to whom.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders of the indexes.
    pub indexes: Vec<PathBuf>,
    /// Where to listen.
    pub addr: SocketAddr,
    /// Whether other machines may ask.
    pub allow_remote: bool,
    /// A file of queries.
    pub queries: Option<PathBuf>,
    /// A file of judgements.
    pub qrels: Option<PathBuf>,
    /// Whether judgements may be made; they are written to the two files.
    pub judge: bool,
    /// Threads to use, at least one.
    pub threads: usize,
    /// What a search may ask for.
    pub limits: SearchLimits,
}

/// Something to tell whoever started the server.
#[derive(Debug)]
pub enum Event {
    /// It answers at this address from now on.
    Listening(SocketAddr),
    /// A build has replaced the index of this name, and it is open.
    Reopened(String),
    /// The index of this name was replaced and cannot be opened; the old one goes on answering.
    NotReopened(String, IndexError),
}

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is open to other machines, and nobody said that it may be.
    #[error("{0} can be reached from other machines: add --allow-remote if that is wanted, or use 127.0.0.1")]
    Remote(SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen on {addr}: {source}; choose another with --addr")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// Threads cannot be started.
    #[error("cannot start the server: {0}")]
    Runtime(#[source] std::io::Error),
    /// An index cannot be opened.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The queries cannot be read.
    #[error(transparent)]
    Queries(#[from] QueryError),
    /// The judgements cannot be read.
    #[error(transparent)]
    Qrels(#[from] QrelsError),
    /// Judgements are to be made, but the files for them are not named or not of the right kind.
    #[error("{0}")]
    Judging(String),
}

/// Indexes that are open, ready to be asked.
pub struct Server {
    addr: SocketAddr,
    app: Arc<state::App>,
    runtime: Runtime,
}

impl Server {
    /// Opens the indexes; nobody is listened to yet.
    pub fn open(options: &Options) -> Result<Self, ServeError> {
        if !options.addr.ip().is_loopback() && !options.allow_remote {
            return Err(ServeError::Remote(options.addr));
        }
        let app = Arc::new(state::App::open(options)?);
        let runtime = Builder::new_multi_thread()
            .worker_threads(options.threads)
            .max_blocking_threads(limits::blocking_threads(options.threads))
            .enable_all()
            .build()
            .map_err(ServeError::Runtime)?;
        Ok(Server { addr: options.addr, app, runtime })
    }

    /// Serves until it is interrupted.
    pub fn run(self, tell: Arc<dyn Fn(Event) + Send + Sync>, interrupt: &Interrupt) -> Result<(), ServeError> {
        let Server { addr, app, runtime } = self;
        let served = runtime.block_on(async {
            let listener = TcpListener::bind(addr).await.map_err(|source| ServeError::Listen { addr, source })?;
            let addr = listener.local_addr().map_err(ServeError::Runtime)?;
            tokio::spawn(state::watch(app.clone(), tell.clone()));
            tell(Event::Listening(addr));
            connection::accept(listener, router::router(app), interrupt).await;
            Ok(())
        });
        runtime.shutdown_timeout(limits::GOODBYE);
        served
    }

    /// What a client is answered that sends these bytes and no more: a connection without a network.
    pub fn answer(&self, sent: &[u8]) -> Vec<u8> {
        self.runtime.block_on(connection::answer(sent, router::router(self.app.clone())))
    }
}

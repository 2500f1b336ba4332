//! A search indexer that throws templates away.
//!
//! `unhusk` reads a site collection, learns what its pages share, leaves that out and feeds the rest to a Tantivy BM25
//! index. The modules are the stages, in the order data takes:
//!
//! ```text
//!  read ──► parse ──► spool ──► dedup ──► strip ──► extract ──► index ──► search ──► eval
//!  dir      charset   one       I-Match   learn,    title,      Tantivy    one,       measures
//!  WARC     html5ever mmap'd              then mark body        + manifest batch      tests
//!  TREC     pieces    file                each piece                       TREC run
//!  JSONL
//! ```
//!
//! [`ingest`] joins the stages from `read` to `index`, [`compare`] all of them; [`cli`] is the program around them.
//!
//! ```
//! use unhusk::parse::parse_html;
//!
//! let page = parse_html("<title>Tides</title><nav>Home | News</nav><p>High water at <b>noon</b>.");
//! let text = page.text_where(|_| true);
//! assert_eq!(page.title, "Tides");
//! assert_eq!(text, "Home | News\nHigh water at noon.");
//! ```

mod hashed;

pub mod random;

pub mod read;

pub mod parse;

pub mod spool;

pub mod dedup;

pub mod strip;

pub mod model;

pub mod extract;

pub mod index;

pub mod ingest;

pub mod export;

pub mod search;

pub mod eval;

pub mod generate;

pub mod report;

pub mod compare;

pub mod serve;

pub mod experiment;

#[doc(hidden)]
pub mod insides;

pub mod cli;

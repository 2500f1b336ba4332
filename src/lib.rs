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

#[path = "../crates/pages/src/hashed.rs"]
mod hashed;

#[path = "../crates/pages/src/random.rs"]
pub mod random;

#[path = "../crates/pages/src/read/mod.rs"]
pub mod read;

#[path = "../crates/pages/src/parse/mod.rs"]
pub mod parse;

#[path = "../crates/pages/src/spool/mod.rs"]
pub mod spool;

#[path = "../crates/pages/src/dedup/mod.rs"]
pub mod dedup;

#[path = "../crates/strip/src/strip/mod.rs"]
pub mod strip;

#[path = "../crates/strip/src/model/mod.rs"]
pub mod model;

#[path = "../crates/documents/src/extract/mod.rs"]
pub mod extract;

#[path = "../crates/index/src/index/mod.rs"]
pub mod index;

#[path = "../crates/index/src/ingest/mod.rs"]
pub mod ingest;

#[path = "../crates/documents/src/export/mod.rs"]
pub mod export;

#[path = "../crates/index/src/search/mod.rs"]
pub mod search;

#[path = "../crates/eval/src/eval/mod.rs"]
pub mod eval;

#[path = "../crates/generate/src/lib.rs"]
pub mod generate;

#[path = "../crates/eval/src/report/mod.rs"]
pub mod report;

#[path = "../crates/eval/src/compare/mod.rs"]
pub mod compare;

#[path = "../crates/serve/src/lib.rs"]
pub mod serve;

#[path = "../crates/eval/src/experiment/mod.rs"]
pub mod experiment;

#[doc(hidden)]
pub mod insides;

pub mod cli;

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

#![forbid(unsafe_code)]

// In the order data takes; a crate of `crates/` imports only from those above it.

#[doc(inline)]
pub use unhusk_pages::{dedup, field, metadata, parse, random, read, spool};

#[doc(inline)]
pub use unhusk_strip::{model, strip};

#[doc(inline)]
pub use unhusk_wrap as wrap;

#[doc(inline)]
pub use unhusk_documents::{export, extract};

#[doc(inline)]
pub use unhusk_index::{index, ingest, search};

#[doc(inline)]
pub use unhusk_eval::{compare, eval, experiment, known, report};

#[doc(inline)]
pub use unhusk_generate as generate;

#[doc(inline)]
pub use unhusk_serve as serve;

pub mod cli;

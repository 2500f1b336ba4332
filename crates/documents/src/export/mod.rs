//! Stripped documents for other programs: JSON lines, the bulk format of search engines, Parquet.
//!
//! | file | does |
//! |---|---|
//! | `bulk` | chunks for Elasticsearch, OpenSearch and Quickwit, and the settings of an index that takes them |
//! | `send` | sends chunks over HTTP, again where the server could not take them |
//! | `progress` | which chunks have been taken, so that a sending that broke off goes on |
//! | `table` | a Parquet file |
//! | `values` | what is known of a page, as JSON |

pub mod bulk;
pub mod progress;
pub mod send;
pub mod table;
mod values;

pub use values::{Detail, Values};

use serde::Serialize;

use crate::extract::Document;

/// A document as other programs read it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row<'d> {
    /// The document id.
    pub id: &'d str,
    /// The page's URL.
    pub url: &'d str,
    /// The page's title.
    pub title: &'d str,
    /// The content.
    pub body: &'d str,
    /// The page's own words that are not its content.
    pub aside: &'d str,
    /// Ids of pages that are the same page.
    pub aliases: &'d [String],
    /// What else is known of the page.
    pub fields: Values<'d>,
}

impl<'d> From<&'d Document> for Row<'d> {
    fn from(document: &'d Document) -> Self {
        let Document { id, url, title, body, aside, aliases, fields, .. } = document;
        Row { id, url, title, body, aside, aliases, fields: Values { fields, detail: Detail::Plain } }
    }
}

/// A document as one line of JSON, with its line end.
pub fn line(document: &Document, detail: Detail) -> String {
    let row = Row::from(document);
    let row = Row { fields: Values { detail, ..row.fields }, ..row };
    let mut line = serde_json::to_string(&row).expect("a row has only string keys");
    line.push('\n');
    line
}

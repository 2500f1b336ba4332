//! A page and the texts that are left of it become the document that is indexed.

use crate::parse::Page;
use crate::strip::Kept;

/// What goes into the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The document id.
    pub id: String,
    /// The page's URL.
    pub url: String,
    /// The page's title. It is a field of its own whatever the method: a comparison without it would credit
    /// template removal with what the title does.
    pub title: String,
    /// The content, blocks on lines of their own.
    pub body: String,
    /// The page's own words that are not its content, in the same way.
    pub aside: String,
    /// Ids of pages that are the same page.
    pub aliases: Vec<String>,
}

/// The document of a page with this left of it.
pub fn extract(page: Page, kept: Kept) -> Document {
    let Kept { text, aside, .. } = kept;
    Document { id: page.id, url: page.url, title: page.title, body: text, aside, aliases: Vec::new() }
}

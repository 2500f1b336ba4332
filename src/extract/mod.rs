//! A page and its mask become the document that is indexed.

use crate::parse::Page;
use crate::strip::Mask;

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
    /// The text that was kept, blocks on lines of their own.
    pub body: String,
    /// Ids of pages that are the same page.
    pub aliases: Vec<String>,
}

/// Puts together what the mask left of a page.
pub fn extract(page: Page, mask: &Mask) -> Document {
    let body = page.text_where(|piece| mask.keeps(piece));
    Document { id: page.id, url: page.url, title: page.title, body, aliases: Vec::new() }
}

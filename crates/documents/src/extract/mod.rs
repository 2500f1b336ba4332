//! A page and the text that is left of it become the document that is indexed.

use unhusk_pages::parse::Page;

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

/// The document of a page with this text left of it.
pub fn extract(page: Page, body: String) -> Document {
    Document { id: page.id, url: page.url, title: page.title, body, aliases: Vec::new() }
}

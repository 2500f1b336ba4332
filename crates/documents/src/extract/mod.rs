//! A page and the texts that are left of it become the document that is indexed.

use serde::{Deserialize, Serialize};

use unhusk_pages::parse::Page;

/// What goes into the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What counts as part of its length all the same.
    pub unsearched: Unsearched,
}

/// What is not searched of a page, and still makes it as long as it is: leaving out templates must not change how pages without the words that
/// were left out rank against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsearched {
    /// Words that are in neither body nor aside.
    pub words: u32,
    /// Bytes at the title's start that are the site's and not the page's. They are shown.
    pub title_start: u32,
    /// And at its end.
    pub title_end: u32,
}

/// The document of a page with this content, and this set aside.
pub fn extract(page: Page, body: String, aside: String) -> Document {
    Document { id: page.id, url: page.url, title: page.title, body, aside, ..Document::default() }
}

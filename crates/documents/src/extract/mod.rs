//! A page and the texts that are left of it become the document that is indexed.

use unhusk_pages::field::Fields;
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
    /// What else is known of the page: typed values by name.
    pub fields: Fields,
    /// Ids of pages that are the same page.
    pub aliases: Vec<String>,
    /// Words of the page that are in neither text. Nobody finds them, but they are part of the page's length: leaving out templates must not
    /// change how pages rank for words that are no template's.
    pub unsearched: u32,
}

/// The document of a page with these fields, this content, and this set aside.
pub fn extract(page: Page, fields: Fields, body: String, aside: String) -> Document {
    Document { id: page.id, url: page.url, title: page.title, body, aside, fields, ..Document::default() }
}

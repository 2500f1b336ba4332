//! Bytes become a [`Page`]: text pieces in document order.
//!
//! A page is decoded ([`charset`]), run through html5ever into a small arena of our own (`tree`), and read off
//! in document order into the compact form every later stage shares ([`page`]). Nothing here knows about
//! templates, and nothing here can fail: whatever the bytes are, a page comes out.

pub mod charset;
pub mod page;
mod read_off;
pub mod tags;
mod tokens;
mod tree;
pub mod words;

pub use page::{Element, Join, Link, Page, PageLines, PageName, Piece, PieceView, Sign};

use crate::read::RawPage;

/// Parses one page. Never fails: damaged markup is repaired as browsers do it, undecodable bytes become U+FFFD.
pub fn parse(raw: &RawPage) -> Page {
    parse_with_words(raw).0
}

/// [`parse`], and the hashes of the page's words in order.
pub fn parse_with_words(raw: &RawPage) -> (Page, Vec<u64>) {
    let decoded = charset::decode(&raw.bytes, raw.content_type.as_deref());
    let (mut page, words) = read_html(&decoded.text);
    page.id.clone_from(&raw.id);
    page.url.clone_from(&raw.url);
    page.source_bytes = raw.bytes.len() as u64;
    page.charset = decoded.encoding.name().to_owned();
    (page, words)
}

/// Parses HTML that is text already. The page has no id and no URL yet.
pub fn parse_html(html: &str) -> Page {
    read_html(html).0
}

/// [`parse_html`], and the hashes of the page's words in order.
pub(crate) fn read_html(html: &str) -> (Page, Vec<u64>) {
    // Tendrils, and with them the positions of pieces, are 32 bits wide. The readers' page limit is far
    // below that; a caller of the library who is above it gets the page's first 4 GiB.
    let html = &html[..html.floor_char_boundary(u32::MAX as usize)];
    let tree = tree::Tree::build(html);
    read_off::read_off(tree, html)
}

#[cfg(test)]
mod tests;

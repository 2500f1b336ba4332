//! Bytes become a [`Page`]: text pieces in document order.
//!
//! A page is decoded ([`charset`]), run through html5ever (`watcher`, `sink`) into a small arena of our own (`tree`), and
//! read off in document order into the compact form every later stage shares ([`page`]). Nothing here knows about
//! templates, and nothing here can fail: whatever the bytes are, a page comes out.

mod address;
pub mod charset;
pub mod page;
mod read_off;
pub mod reference;
pub mod said;
mod sink;
pub mod tags;
mod tokens;
mod tree;
mod watcher;
pub mod words;
mod xml;

pub use address::address;
pub use page::{Element, Join, Link, Page, PageLines, PageName, Piece, PieceView, Sign};

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::read::RawPage;

/// How much structure of a page is read. Past the limits of depth and nodes tags are passed over and their text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Open elements. html5ever walks its stack of them for many tags; browsers stop at 512.
    pub depth: u32,
    /// Elements, texts and comments. Formatting that is never closed is opened again in each paragraph, so their number can grow
    /// with the square of the page's length.
    pub nodes: u32,
    /// Pieces of text. They are small, but a page of single letters has millions; such a page is left out.
    pub pieces: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 512, nodes: 1_000_000, pieces: 1_000_000 }
    }
}

/// A page and what else its parsing gives.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The page.
    pub page: Page,
    /// The hashes of its words, in order.
    pub words: Vec<u64>,
    /// What its tags tell beside text.
    pub said: said::Said,
    /// Whether it has more structure than the [`Limits`] allow.
    pub flattened: bool,
    /// What elements carry beside text; empty unless [asked for](parse_carried).
    pub carried: Vec<Carried>,
}

/// An element's `src`, `datetime` or `content`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The element: an index into [`Page::elements`].
    pub element: u32,
    /// The attribute's name.
    pub name: String,
    /// The attribute's value.
    pub value: String,
}

/// Parses one page. Never fails: damaged markup is repaired as browsers do it, undecodable bytes become U+FFFD.
pub fn parse(raw: &RawPage) -> Page {
    parse_within(raw, Limits::default()).page
}

/// [`parse`] within other limits, and all that it gives.
pub fn parse_within(raw: &RawPage, limits: Limits) -> Parsed {
    parse_raw(raw, limits, false)
}

/// [`parse_within`], and what elements carry beside text.
pub fn parse_carried(raw: &RawPage, limits: Limits) -> Parsed {
    parse_raw(raw, limits, true)
}

fn parse_raw(raw: &RawPage, limits: Limits, with_carried: bool) -> Parsed {
    let decoded = charset::decode(&raw.bytes, raw.content_type.as_deref());
    let mut parsed = read(&decoded.text, xml::is_xml(raw, &decoded.text), limits, with_carried);
    let page = &mut parsed.page;
    page.id.clone_from(&raw.id);
    page.url.clone_from(&raw.url);
    page.source_bytes = raw.bytes.len() as u64;
    page.charset = decoded.encoding.name().to_owned();
    parsed
}

/// A page's decoded text, such that [`read_html`] reads it as [`parse_within`] reads the page.
pub fn source(raw: &RawPage) -> Cow<'_, str> {
    xml::source(raw)
}

/// Parses HTML that is text already. The page has no id and no URL yet. It is XML where it has an XML declaration.
pub fn parse_html(html: &str) -> Page {
    read_html(html, Limits::default()).page
}

/// [`parse_html`] within other limits, and all that it gives.
pub fn read_html(html: &str, limits: Limits) -> Parsed {
    read(html, xml::is_declared(html), limits, false)
}

fn read(html: &str, is_xml: bool, limits: Limits, with_carried: bool) -> Parsed {
    // Tendrils, and with them the positions of pieces, are 32 bits wide. The readers' page limit is far
    // below that; a caller of the library who is above it gets the page's first 4 GiB.
    let html = &html[..html.floor_char_boundary(u32::MAX as usize)];
    let tree = watcher::build(html, is_xml, limits);
    read_off::read_off(tree, html, with_carried)
}

#[cfg(test)]
mod tests;

//! What a page's tags tell beside its text: kept while the page is parsed, for [`crate::metadata`] to read.
//!
//! Most tags tell nothing, and are passed over at the cost of a look at the first letter of each attribute.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, local_name};

/// The longest text of an element that is not shown.
const HIDDEN_TEXT: usize = 4096;

/// What a page's tags tell, in document order.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Elements that tell something, each in front of those inside it.
    pub marks: Vec<Mark>,
    /// Scripts that are data and not programs.
    pub scripts: Vec<Script>,
}

/// An element that tells something of its page.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its tag.
    pub tag: LocalName,
    pub(super) attributes: Vec<Attribute>,
    /// The line of its tag, from 1.
    pub line: u32,
    /// One past the last mark inside it.
    pub end: u32,
    /// Its place among [`super::Page::elements`]; none where it is not shown.
    pub element: Option<u32>,
    /// Its text where it is not shown, white space folded.
    pub hidden_text: String,
}

/// A script that is data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What is in it.
    pub text: String,
    /// The line of its tag, from 1.
    pub line: u32,
}

impl Mark {
    /// An attribute, by its name in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|value| &**value)
    }

    fn attribute(&self, name: &str) -> Option<&StrTendril> {
        self.attributes.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &attribute.value)
    }

    /// All attributes with their names.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|attribute| (&*attribute.name.local, &*attribute.value))
    }

    pub(super) fn add_hidden<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for word in texts.flat_map(str::split_whitespace) {
            if self.hidden_text.len() + word.len() >= HIDDEN_TEXT {
                return;
            }
            if !self.hidden_text.is_empty() {
                self.hidden_text.push(' ');
            }
            self.hidden_text.push_str(word);
        }
    }
}

/// Tags all of whose attributes are read.
pub(super) fn is_telling_tag(tag: &LocalName) -> bool {
    matches!(*tag, local_name!("html") | local_name!("meta") | local_name!("link") | local_name!("time"))
}

/// Whether an attribute tells something of the page, so that its tag is looked at as a whole.
pub(super) fn is_telling(name: &[u8], value: &[u8]) -> bool {
    let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
    match name.first().map(u8::to_ascii_lowercase) {
        Some(b'i') => is(b"itemprop") || is(b"itemscope") || is(b"itemref"),
        Some(b'p') => is(b"property"),
        Some(b't') => is(b"typeof"),
        Some(b'v') => is(b"vocab"),
        Some(b'r') => is(b"rel") && (contains(value, b"author") || contains(value, b"tag")),
        Some(b'd') => name.len() > 14 && name[..14].eq_ignore_ascii_case(b"data-pagefind-"),
        _ => false,
    }
}

/// Whether an element tells something: by its tag, or by an attribute.
pub(super) fn tells(tag: &LocalName, attributes: &[Attribute]) -> bool {
    let has = |attribute: &Attribute| is_telling(attribute.name.local.as_bytes(), attribute.value.as_bytes());
    is_telling_tag(tag) || attributes.iter().any(has) || (*tag == local_name!("script") && is_data(attributes))
}

fn is_data(attributes: &[Attribute]) -> bool {
    let is_type = |attribute: &&Attribute| attribute.name.local == local_name!("type");
    attributes.iter().find(is_type).is_some_and(|kind| contains(kind.value.as_bytes(), b"ld+json"))
}

/// Whether a part of a text is there in any case.
fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

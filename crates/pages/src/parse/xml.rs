//! Pages that are XML: where a tag that closes itself does so.
//!
//! To HTML, the slash of `<script src="a.js"/>` means nothing, and the script goes on to its end tag or the end of the page. Pages
//! made by XML tools rely on it. They are read as HTML all the same, since many only claim to be XML and are not well-formed; but a
//! start tag that closes itself is followed by the end tag it stands for, and what `<![CDATA[` encloses is text.

use std::borrow::Cow;

use html5ever::tokenizer::{Tag, TagKind};
use html5ever::{LocalName, local_name};

use super::{charset, tags};
use crate::read::RawPage;

/// What tells that a text is XML where nothing else is known of it.
const DECLARATION: &str = "<?xml version=\"1.0\"?>";

/// Whether a page is XML by what is known of it or by its text.
pub(super) fn is_xml(raw: &RawPage, text: &str) -> bool {
    is_declared(text)
        || raw.content_type.as_deref().is_some_and(is_xhtml_type)
        || is_xhtml_path(&raw.id)
        || is_xhtml_path(&raw.url)
}

/// Whether a text starts with an XML declaration. It should come first of all, but blank lines before it are common.
pub(super) fn is_declared(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_ascii_start();
    text.strip_prefix("<?xml").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_whitespace()))
}

fn is_xhtml_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/xhtml+xml")
}

/// Whether a path or a URL, its query and fragment aside, has an extension of XHTML.
fn is_xhtml_path(path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.eq_ignore_ascii_case("xhtml") || extension.eq_ignore_ascii_case("xht")
}

/// The decoded text of a page. Where only its name or its header tells that it is XML, it gets a declaration, so that the text
/// alone is read as the page was.
pub(super) fn source(raw: &RawPage) -> Cow<'_, str> {
    let text = charset::decode(&raw.bytes, raw.content_type.as_deref()).text;
    if is_xml(raw, &text) && !is_declared(&text) { Cow::Owned(format!("{DECLARATION}{text}")) } else { text }
}

/// The name of the element that a tag opens and closes at once. Those that never have content end anyway, and `</br>` would be
/// one more line break.
pub(super) fn closed(tag: &Tag) -> Option<LocalName> {
    let closes = tag.self_closing && tag.kind == TagKind::StartTag && !tags::is_void(&tag.name);
    // The tree builder closes these by itself, as it does everything inside them.
    let foreign = tag.name == local_name!("svg") || tag.name == local_name!("math");
    (closes && !foreign).then(|| tag.name.clone())
}

/// The end tag that a start tag stands for which closes itself.
pub(super) fn end_tag(name: LocalName) -> Tag {
    Tag { kind: TagKind::EndTag, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false }
}

#[cfg(test)]
#[path = "xml_tests.rs"]
mod tests;

//! The TREC web format: `<DOC><DOCNO>id</DOCNO><DOCHDR>…</DOCHDR>html</DOC>`, one after the other.
//!
//! The collections of the TREC web tracks (VLC2, WT2g, WT10g, .GOV, GOV2) come so. `DOCHDR` is optional; its first line begins
//! with the URL, and the HTTP headers follow. The tags are upper case, which is what tells `</DOC>` from a page's
//! own markup; no escaping exists.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use super::decompress::{Stream, Until, read_until, skip_blank, skip_until};
use super::{Emit, Found, HEADER_LIMIT, Origin, RawPage, ReadOptions};

const DOC: &[u8] = b"<DOC>";
const END: &[u8] = b"</DOC>";

/// Whether a file's first bytes are of this format.
pub(super) fn is_trec(start: &[u8]) -> bool {
    start.trim_ascii_start().starts_with(DOC)
}

/// Reads TREC web documents, plain or compressed, from any source; `file` is its name in reports.
pub fn read(source: impl Read, file: &Path, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let mut stream = Stream::new(source);
    loop {
        if skip_blank(&mut stream) {
            read_document(&mut stream, file, options, emit)?;
        } else if let Some(damage) = stream.resume() {
            emit(Found::Damaged { origin: Origin::new(file, damage.offset), message: damage.message })?;
        } else {
            return ControlFlow::Continue(());
        }
    }
}

fn read_document(
    stream: &mut Stream<impl Read>,
    file: &Path,
    options: &ReadOptions,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    let mut origin = Origin::new(file, stream.offset());
    let mut text = Vec::new();
    if read_until(stream, b">", DOC.len(), &mut text) != Until::Found || text != DOC {
        emit(Found::Damaged { origin: origin.clone(), message: "expected <DOC>".to_owned() })?;
        if !skip_until(stream, DOC, &text) {
            return ControlFlow::Continue(());
        }
        origin.offset = stream.position().saturating_sub(DOC.len() as u64);
    }
    text.clear();
    let limit = options.max_page_size.saturating_add(HEADER_LIMIT as u64);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    match read_until(stream, END, limit, &mut text) {
        Until::Found => emit_document(&text, origin, options, emit),
        Until::TooLong => {
            emit(match Document::parse(&text) {
                Some(document) => options.too_large(document.id, origin),
                None => no_number(origin),
            })?;
            skip_until(stream, END, &text);
            ControlFlow::Continue(())
        }
        // The caller reports what ended the segment.
        Until::End if stream.damage().is_some() => ControlFlow::Continue(()),
        Until::End => emit(Found::Damaged { origin, message: "the document has no </DOC>".to_owned() }),
    }
}

fn emit_document(text: &[u8], mut origin: Origin, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let mut text = text.strip_suffix(END).unwrap_or(text);
    // A document without its end has run into the next one.
    while let Some(at) = nested(text) {
        emit(Found::Damaged { origin: origin.clone(), message: "the document has no </DOC>".to_owned() })?;
        origin.offset += (DOC.len() + at) as u64;
        text = &text[at + DOC.len()..];
    }
    emit(match Document::parse(text) {
        Some(document) => options.judge(RawPage {
            stamp: None,
            url: document.url.unwrap_or_else(|| document.id.clone()),
            id: document.id,
            bytes: document.html.to_vec(),
            content_type: document.content_type,
            origin,
        }),
        None => no_number(origin),
    })
}

fn no_number(origin: Origin) -> Found {
    Found::Damaged { origin, message: "the document has no <DOCNO>".to_owned() }
}

/// Where another document starts inside this one.
fn nested(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = find(&text[from..], DOC) {
        let at = from + at;
        from = at + DOC.len();
        if text[from..].trim_ascii_start().starts_with(b"<DOCNO>") {
            return Some(at);
        }
    }
    None
}

struct Document<'a> {
    id: String,
    url: Option<String>,
    content_type: Option<String>,
    html: &'a [u8],
}

impl<'a> Document<'a> {
    /// Takes apart what is between `<DOC>` and `</DOC>`; `None` without a number.
    fn parse(text: &'a [u8]) -> Option<Self> {
        let (number, rest) = element(text, b"<DOCNO>", b"</DOCNO>")?;
        let id = String::from_utf8_lossy(number.trim_ascii()).into_owned();
        let rest = element(rest, b"<DOCOLDNO>", b"</DOCOLDNO>").map_or(rest, |(_, rest)| rest);
        let (header, html) = element(rest, b"<DOCHDR>", b"</DOCHDR>").unwrap_or((b"", rest));
        let header = String::from_utf8_lossy(header);
        let mut lines = header.trim().lines();
        let url = lines.next().and_then(|line| line.split_whitespace().next());
        let content_type = lines
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("content-type"));
        (!id.is_empty()).then(|| Self {
            id,
            url: url.map(str::to_owned),
            content_type: content_type.map(|(_, value)| value.trim().to_owned()),
            html: trim_line_ends(html),
        })
    }
}

/// The element that the text starts with, and what follows it.
fn element<'a>(text: &'a [u8], open: &[u8], close: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let inside = text.trim_ascii_start().strip_prefix(open)?;
    let end = find(inside, close)?;
    Some((&inside[..end], &inside[end + close.len()..]))
}

/// Without the line end after `</DOCHDR>` and the one before `</DOC>`, which belong to the format.
fn trim_line_ends(html: &[u8]) -> &[u8] {
    let html = html.strip_prefix(b"\r").filter(|rest| rest.starts_with(b"\n")).unwrap_or(html);
    let html = html.strip_prefix(b"\n").unwrap_or(html);
    let html = html.strip_suffix(b"\n").unwrap_or(html);
    html.strip_suffix(b"\r").unwrap_or(html)
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|window| window == pattern)
}

#[cfg(test)]
mod tests {
    use super::super::SkipReason;
    use super::super::tests::{collect, damages, gzip, pages, skips};
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Found> {
        collect(|emit| read(bytes, Path::new("site.trec"), &ReadOptions::default(), emit))
    }

    #[test]
    fn url_and_content_type_come_from_the_header() {
        let found = all(b"<DOC>\n<DOCNO> GX-1 </DOCNO>\n<DOCOLDNO>x</DOCOLDNO>\n<DOCHDR>\nhttp://h/a 10.0.0.1 1997\nHTTP/1.1 200 OK\ncontent-TYPE: text/html; charset=latin1\n</DOCHDR>\n<html>a</html>\n</DOC>\n");
        let page = pages(&found)[0];
        assert_eq!((page.id.as_str(), page.url.as_str()), ("GX-1", "http://h/a"));
        assert_eq!(page.content_type.as_deref(), Some("text/html; charset=latin1"));
        assert_eq!(page.bytes, b"<html>a</html>");
    }

    #[test]
    fn without_a_header_the_number_is_the_url() {
        let found = all(b"<DOC><DOCNO>d1</DOCNO><p>a</DOC><DOC><DOCNO>d2</DOCNO><p>b</DOC>");
        let got: Vec<_> = pages(&found).iter().map(|p| (&*p.url, &*p.bytes, p.origin.offset)).collect();
        assert_eq!(got, [("d1", &b"<p>a"[..], 0), ("d2", b"<p>b", 32)]);
    }

    #[test]
    fn concatenated_members_are_one_file() {
        let first = gzip(b"<DOC><DOCNO>d1</DOCNO><p>a</DOC>\n");
        let found = all(&[first.clone(), gzip(b"<DOC><DOCNO>d2</DOCNO><p>b</DOC>\n")].concat());
        assert_eq!(pages(&found).len(), 2);
        assert_eq!(pages(&found)[1].origin.offset, first.len() as u64);
    }

    #[test]
    fn a_document_without_its_end_does_not_swallow_the_next() {
        let found = all(b"<DOC><DOCNO>d1</DOCNO><p>a\n<DOC>\n<DOCNO>d2</DOCNO><p>b</DOC>");
        assert_eq!(damages(&found), [(0, "the document has no </DOC>".to_owned())]);
        assert_eq!(pages(&found)[0].id, "d2");
        assert_eq!(pages(&found)[0].origin.offset, 27);
    }

    #[test]
    fn junk_between_documents_is_damage_and_reading_goes_on() {
        let found = all(b"<DOC><DOCNO>d1</DOCNO><p>a</DOC> junk <DOC><DOCNO>d2</DOCNO><p>b</DOC><DOC>x</DOC>");
        assert_eq!(pages(&found).len(), 2);
        let expected = [(33, "expected <DOC>".to_owned()), (70, "the document has no <DOCNO>".to_owned())];
        assert_eq!(damages(&found), expected);
        assert_eq!(pages(&found)[1].origin.offset, 38);
    }

    #[test]
    fn a_cut_document_is_damage_and_those_before_it_are_kept() {
        let found = all(b"<DOC><DOCNO>d1</DOCNO><p>a</DOC>\n<DOC><DOCNO>d2</DOCNO><p>b</D");
        assert_eq!(pages(&found).len(), 1);
        assert_eq!(damages(&found), [(33, "the document has no </DOC>".to_owned())]);
    }

    #[test]
    fn a_large_document_is_skipped_by_name_and_the_next_is_read() {
        let options = ReadOptions { max_page_size: 1000, ..Default::default() };
        for size in [1001, 5_000_000] {
            let large = "x".repeat(size);
            let text = format!("<DOC><DOCNO>d1</DOCNO>{large}</DOC><DOC><DOCNO>d2</DOCNO><p>b</DOC>");
            let bytes = gzip(text.as_bytes());
            let found = collect(|emit| read(&bytes[..], Path::new("f"), &options, emit));
            assert_eq!(skips(&found), [("d1".to_owned(), SkipReason::TooLarge)]);
            assert_eq!(pages(&found)[0].id, "d2");
        }
    }
}

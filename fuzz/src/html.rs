//! Bytes become text, and text becomes a page.

use unhusk::metadata::{self, Reading};
use unhusk::parse::charset::decode;
use unhusk::parse::reference::outlines;
use unhusk::parse::{Limits, Page, parse_html, read_html};

use super::packed::{decode_page, encode_page};

/// Any bytes decode, whatever the first line claims them to be, and text that is UTF-8 stays as it is.
pub(super) fn charset(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (header, rest) = bytes.split_at(end);
    decode(rest, None);
    let text = decode(rest, Some(&String::from_utf8_lossy(header))).text;
    let again = decode(text.as_bytes(), Some("text/html; charset=utf-8")).text;
    assert_eq!(again, text.strip_prefix('\u{feff}').unwrap_or(&text));
}

/// Any text is a page: its parts fit together, its tree is the one html5ever makes, and it survives the spool.
pub(super) fn parse(bytes: &[u8]) {
    let html = String::from_utf8_lossy(bytes);
    let page = parse_html(&html);
    fits(&page, &html);
    let payload = encode_page(&page);
    assert_eq!(decode_page(&payload).as_ref(), Some(&page));
    if let Some([ours, theirs]) = outlines(&html) {
        assert_eq!(ours, theirs, "{html:?}");
    }
}

/// Any bytes may be a script of JSON-LD: the page stays the page, and its fields stay within their limits.
pub(super) fn json_ld(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).replace("</", "<\\/");
    says(&format!("<title>T</title><script type=application/ld+json>{text}</script><p>body"));
}

/// The same of a page with any markup inside of a thing.
pub(super) fn microdata(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    says(&format!(
        "<div itemscope itemtype=https://schema.org/Article vocab=https://schema.org/ typeof=Article>{text}"
    ));
}

fn says(html: &str) {
    for all in [false, true] {
        let mut parsed = read_html(html, Limits::default());
        metadata::read(&mut parsed.page, &parsed.said, &Reading { all });
        let fields = &parsed.page.fields;
        assert!(fields.len() <= 200 && fields.iter().map(|(_, values)| values.len()).sum::<usize>() <= 1000);
        let payload = encode_page(&parsed.page);
        assert_eq!(decode_page(&payload).as_ref(), Some(&parsed.page));
    }
}

fn fits(page: &Page, html: &str) {
    for view in page.pieces() {
        let piece = view.piece;
        assert!(piece.start <= piece.end && piece.end as usize <= html.len());
        assert!(html.is_char_boundary(piece.start as usize) && html.is_char_boundary(piece.end as usize));
        assert!((piece.line as usize) < page.lines.len());
        assert!(!view.text.trim().is_empty());
        let element = page.elements[piece.element as usize];
        assert!((element.first_piece..element.end_piece).contains(&(view.number as u32)));
    }
    for (number, element) in page.elements.iter().enumerate() {
        assert!(element.parent as usize <= number && element.end as usize > number);
    }
    assert_eq!(page.line_bytes.iter().map(|&bytes| bytes as usize).sum::<usize>(), html.len());
}

//! Which encoding a page is in, and its text.
//!
//! The order is that of the HTML standard: byte order mark, HTTP header, `meta` prescan, then a guess from
//! the bytes. Decoding never fails a page.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// How far into the page a `meta` element is looked for. The standard says 1,024 bytes; browsers start over
/// when they find one later, so a wider window agrees with what people saw.
const PRESCAN: usize = 4096;

/// A page's text and the encoding it was read with.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text, borrowed where the bytes were UTF-8 already.
    pub text: Cow<'a, str>,
    /// The encoding the bytes were taken for.
    pub encoding: &'static Encoding,
}

/// Decodes a page, given the value of its `Content-Type` header where there was one.
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (detect(bytes, content_type), bytes),
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, encoding }
}

fn detect(bytes: &[u8], content_type: Option<&str>) -> &'static Encoding {
    content_type
        .and_then(|header| charset_in(header.as_bytes()))
        .or_else(|| utf16_by_pattern(bytes))
        .or_else(|| prescan(&bytes[..bytes.len().min(PRESCAN)]))
        .unwrap_or_else(|| guess(bytes))
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// UTF-16 without a byte order mark: `<` and its neighbour with a zero byte between.
fn utf16_by_pattern(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, second, 0, ..] if *second != 0 => Some(UTF_16LE),
        [0, b'<', 0, second, ..] if *second != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// Looks for `<meta charset=…>`, `<meta … content="…charset=…">` or an XML declaration, comments left out.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(offset) = head[at..].iter().position(|&byte| byte == b'<') {
        at += offset;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            at += find(rest, b"-->").map_or(rest.len(), |end| end + 3);
            continue;
        }
        let end = rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len());
        let tag = &rest[..end];
        let declared = if starts_with_ignore_case(tag, b"<meta") {
            charset_in(tag)
        } else if starts_with_ignore_case(tag, b"<?xml") {
            value_after(tag, b"encoding")
        } else {
            None
        };
        if declared.is_some() {
            return declared;
        }
        at += end.max(1);
    }
    None
}

fn charset_in(text: &[u8]) -> Option<&'static Encoding> {
    value_after(text, b"charset")
}

/// The encoding named after `key`, an equals sign and perhaps a quote.
fn value_after(text: &[u8], key: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(offset) = find(&lower[from..], key) {
        from += offset + key.len();
        let rest = trim_start(&text[from..]);
        let Some(rest) = rest.strip_prefix(b"=") else { continue };
        let rest = trim_start(rest);
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let end =
            rest.iter().position(|byte| byte.is_ascii_whitespace() || b"\"';>/".contains(byte)).unwrap_or(rest.len());
        if let Some(encoding) = Encoding::for_label(&rest[..end]) {
            return Some(honest(encoding));
        }
    }
    None
}

/// A page whose `meta` could be read as ASCII is not UTF-16, whatever it says; the standard says the same.
fn honest(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn starts_with_ignore_case(text: &[u8], prefix: &[u8]) -> bool {
    text.len() >= prefix.len() && text[..prefix.len()].eq_ignore_ascii_case(prefix)
}

fn trim_start(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8], header: Option<&str>) -> &'static str {
        decode(bytes, header).encoding.name()
    }

    #[test]
    fn a_byte_order_mark_beats_the_header() {
        assert_eq!(name(b"\xEF\xBB\xBFx", Some("text/html; charset=koi8-r")), "UTF-8");
        assert_eq!(decode(b"\xEF\xBB\xBFx", None).text, "x");
        assert_eq!(decode(b"\xFF\xFE<\0p\0", None).text, "<p");
    }

    #[test]
    fn the_header_beats_the_meta_element() {
        let page = b"<meta charset=utf-8>";
        assert_eq!(name(page, Some("text/html; charset=\"windows-1251\"")), "windows-1251");
    }

    #[test]
    fn the_meta_element_is_read_in_both_its_forms() {
        assert_eq!(name(b"<html><META CHARSET='iso-8859-2'>", None), "ISO-8859-2");
        let old = b"<meta http-equiv=content-type content=\"text/html; charset=gb2312\">";
        assert_eq!(name(old, None), "GBK");
        assert_eq!(name(b"<?xml version='1.0' encoding='koi8-r'?><html>", None), "KOI8-R");
    }

    #[test]
    fn a_meta_element_in_a_comment_does_not_count() {
        assert_eq!(name(b"<!-- <meta charset=koi8-r> --><meta charset=big5>", None), "Big5");
    }

    #[test]
    fn a_page_that_claims_utf_16_in_ascii_is_utf_8() {
        assert_eq!(name(b"<meta charset=utf-16>", None), "UTF-8");
    }

    #[test]
    fn an_unknown_label_falls_through_to_the_guess() {
        let page = "<meta charset=nonsense><p>größer und schöner".as_bytes();
        assert_eq!(name(page, None), "UTF-8");
    }

    #[test]
    fn without_any_word_the_bytes_decide() {
        let russian = "Сегодня в городе хорошая погода и много людей на улицах";
        let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
        assert_eq!(decode(&bytes, None).text, russian);
    }

    #[test]
    fn undecodable_bytes_become_replacement_characters() {
        assert_eq!(decode(b"<meta charset=utf-8>a\xFFb", None).text, "<meta charset=utf-8>a\u{FFFD}b");
    }
}

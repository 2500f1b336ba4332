//! What bytes look like: blank, binary, HTML.
//!
//! The list of tags that betray HTML is the one of the WHATWG MIME Sniffing Standard ("rules for identifying an
//! unknown MIME type"), with XHTML beside it.

/// How much of a page is looked at.
pub(super) const SAMPLE: usize = 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Starts that no page has, with what they are.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"RIFF", "a RIFF file"),
    (b"\x1F\x8B\x08", "gzip data"),
    (b"\x28\xB5\x2F\xFD", "zstd data"),
    (b"BZh91AY&SY", "bzip2 data"),
    (b"\xFD7zXZ\0", "xz data"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"\x7FELF", "a program"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an Office file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"\0asm", "a WebAssembly file"),
];

const TAGS: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
    b"<meta",
    b"<link",
    b"<!--",
];

/// Nothing but white space, with or without a byte order mark.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.strip_prefix(BOM).unwrap_or(bytes).iter().all(u8::is_ascii_whitespace)
}

/// What the bytes are, where they are no text. UTF-16 is text though half of it may be NUL.
pub(super) fn binary(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let nuls = sample.iter().filter(|&&byte| byte == 0).count();
    (nuls * 16 > sample.len() && !is_utf16(sample)).then_some("binary data")
}

fn is_utf16(sample: &[u8]) -> bool {
    if sample.starts_with(b"\xFF\xFE") || sample.starts_with(b"\xFE\xFF") {
        return true;
    }
    // Without a mark: the first character that is not white space is a `<`.
    let first = sample
        .chunks_exact(2)
        .find(|pair| !matches!(pair, [0, b' ' | b'\t' | b'\r' | b'\n'] | [b' ' | b'\t' | b'\r' | b'\n', 0]));
    matches!(first, Some([b'<', 0] | [0, b'<']))
}

/// Whether the first kilobyte looks like HTML, in any encoding that has ASCII in it.
pub(super) fn is_html(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    if binary(sample).is_some() {
        return false;
    }
    let ascii: Vec<u8> = sample.iter().filter(|&&byte| byte != 0).map(u8::to_ascii_lowercase).collect();
    let mut start = ascii.as_slice();
    for mark in [BOM, b"\xFF\xFE", b"\xFE\xFF"] {
        start = start.strip_prefix(mark).unwrap_or(start);
    }
    let start = start.trim_ascii_start();
    if start.starts_with(b"<?xml") {
        return start.windows(5).any(|five| five == b"<html");
    }
    TAGS.iter().any(|tag| {
        start.strip_prefix(*tag).is_some_and(|rest| {
            tag.ends_with(b"--") || rest.first().is_none_or(|&b| b == b'>' || b.is_ascii_whitespace())
        })
    })
}

/// Whether a Content-Type header's value names HTML.
pub(super) fn is_html_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/html") || essence.eq_ignore_ascii_case("application/xhtml+xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn white_space_and_a_lone_byte_order_mark_are_blank() {
        assert!(is_blank(b""));
        assert!(is_blank(b" \r\n\t"));
        assert!(is_blank(b"\xEF\xBB\xBF \n"));
        assert!(!is_blank(b" x"));
    }

    #[test]
    fn images_and_archives_are_binary() {
        assert_eq!(binary(b"%PDF-1.7 ..."), Some("a PDF file"));
        assert!(binary(b"\x89PNG\r\n\x1a\n").is_some());
        assert!(binary(b"\x1f\x8b\x08\x00").is_some());
        assert!(binary(b"PK\x03\x04").is_some());
        assert!(binary(&[0; 100]).is_some());
    }

    #[test]
    fn a_stray_nul_does_not_make_a_page_binary() {
        assert_eq!(binary(b"<html><body>harbour\0 master and crew</body></html>"), None);
    }

    #[test]
    fn utf16_is_text_with_a_mark_and_without() {
        for big in [false, true] {
            assert_eq!(binary(&utf16("\u{feff}harbour", big)), None);
            assert_eq!(binary(&utf16("\n <html><p>harbour", big)), None);
            assert!(is_html(&utf16("\u{feff}<html><p>harbour", big)));
            assert!(binary(&utf16("harbour", big)).is_some());
        }
    }

    #[test]
    fn html_is_known_by_its_first_tag() {
        assert!(is_html(b"\xEF\xBB\xBF\n<!DOCTYPE html>"));
        assert!(is_html(b"<HTML lang=en>"));
        assert!(is_html(b"<!-- quay --><p>"));
        assert!(is_html(b"<?xml version='1.0'?><html xmlns='...'>"));
        assert!(!is_html(b"<?xml version='1.0'?><rss>"));
        assert!(!is_html(b"<abbr>"));
        assert!(!is_html(b"harbour <p>"));
        assert!(!is_html(b""));
    }

    #[test]
    fn parameters_and_case_of_a_content_type_do_not_matter() {
        assert!(is_html_type("Text/HTML; charset=utf-8"));
        assert!(is_html_type("application/xhtml+xml"));
        assert!(!is_html_type("text/plain"));
        assert!(!is_html_type(""));
    }
}

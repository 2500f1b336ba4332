//! JSON lines: one `{"url": …, "html": …}` a line, and an `"id"` where the URL is not to be the page's id.
//!
//! This is the format to pipe in from elsewhere, so it is lenient: other fields are ignored, strings may hold lone
//! surrogates or bytes that are no UTF-8, blank lines do not count. A line that is no such object is damage and
//! costs only itself.

use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use super::decompress::{Stream, Until, read_until, skip_until};
use super::{Emit, Found, HEADER_LIMIT, Origin, RawPage, ReadOptions};

/// A JSON string is decoded text, whatever charset the page once declared for itself.
const UTF8_HTML: &str = "text/html; charset=utf-8";

#[derive(Deserialize)]
struct Line {
    html: Bytes,
    url: Option<String>,
    id: Option<Id>,
}

/// An id is a string or, from databases, a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

/// A JSON string taken as bytes, since a page need not be sound Unicode.
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Text)
    }
}

/// Reads JSON lines, plain or compressed, from any source; `file` is its name in reports.
///
/// A line may be about twice as long as a page, for JSON's escapes; a longer one is a page that is too large.
pub fn read(source: impl Read, file: &Path, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let limit = options.max_page_size.saturating_mul(2).saturating_add(HEADER_LIMIT as u64);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut stream = Stream::new(source);
    let mut number = 0_u64;
    loop {
        let mut line = Vec::new();
        number += 1;
        stream.fill();
        let origin = Origin::new(file, stream.offset());
        match read_until(&mut stream, b"\n", limit, &mut line) {
            Until::Found => read_line(&line, number, origin, options, emit)?,
            Until::TooLong => {
                emit(options.too_large(format!("line {number}"), origin))?;
                skip_until(&mut stream, b"\n", &[]);
            }
            // The last line need not end with a newline, unless it is damage that cut it off.
            Until::End => match stream.resume() {
                None => return read_line(&line, number, origin, options, emit),
                Some(damage) => emit(Found::Damaged {
                    origin: Origin::new(file, damage.offset),
                    message: format!("line {number}: {}", damage.message),
                })?,
            },
        }
    }
}

fn read_line(line: &[u8], number: u64, origin: Origin, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return ControlFlow::Continue(());
    }
    emit(match page(line, &origin) {
        Ok(page) => options.judge(page),
        Err(message) => Found::Damaged { origin, message: format!("line {number}: {message}") },
    })
}

fn page(line: &[u8], origin: &Origin) -> Result<RawPage, String> {
    let Line { html, url, id } = serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        // The line within the line is always 1.
        let text = text.replace(" at line 1 column ", " at column ");
        format!("expected {{\"url\": …, \"html\": …}}: {text}")
    })?;
    let id = id.map(|id| match id {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    });
    let Some(id) = id.or_else(|| url.clone()).filter(|id| !id.is_empty()) else {
        return Err("neither \"url\" nor \"id\" is given".to_owned());
    };
    Ok(RawPage {
        stamp: None,
        url: url.unwrap_or_else(|| id.clone()),
        id,
        content_type: std::str::from_utf8(&html.0).is_ok().then(|| UTF8_HTML.to_owned()),
        bytes: html.0,
        origin: origin.clone(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::SkipReason;
    use super::super::tests::{collect, damages, gzip, pages, skips, zstd_frame};
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Found> {
        collect(|emit| read(bytes, Path::new("site.jsonl"), &ReadOptions::default(), emit))
    }

    #[test]
    fn an_id_stands_in_for_the_url_only_as_id() {
        let found = all(br#"{"url":"http://h/a","html":"<p>a"}
{"id":"b7","url":"http://h/b","html":"<p>b","title":["x",{"y":1}]}
{"id":12,"html":"<p>c"}"#);
        let ids: Vec<_> = pages(&found).iter().map(|p| (p.id.clone(), p.url.clone())).collect();
        let expected = [("http://h/a", "http://h/a"), ("b7", "http://h/b"), ("12", "12")];
        assert_eq!(ids, expected.map(|(id, url)| (id.to_owned(), url.to_owned())));
    }

    #[test]
    fn a_malformed_line_is_named_and_reading_goes_on() {
        let found =
            all(b"{\"url\":\"a\",\"html\":\"<p>a\"}\n\nnonsense\n{\"url\":\"b\"}\n{\"url\":\"c\",\"html\":\"<p>c\"}\n");
        assert_eq!(pages(&found).len(), 2);
        let damages = damages(&found);
        assert_eq!(damages.len(), 2);
        assert!(damages[0].1.starts_with("line 3: "), "{damages:?}");
        assert!(damages[1].1.contains("line 4") && damages[1].1.contains("html"), "{damages:?}");
    }

    #[test]
    fn a_page_is_utf8_whatever_it_declares() {
        let found = all(b"{\"url\":\"a\",\"html\":\"<meta charset=gbk>\\u00e9\"}");
        let page = pages(&found)[0];
        assert_eq!(page.bytes, "<meta charset=gbk>é".as_bytes());
        assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
    }

    #[test]
    fn lone_surrogates_and_stray_bytes_do_not_cost_the_page() {
        let found = all(b"{\"url\":\"a\",\"html\":\"<p>\\ud800\"}\n{\"url\":\"b\",\"html\":\"<p>caf\xe9\"}\n");
        assert_eq!(pages(&found).len(), 2);
        assert_eq!(pages(&found)[1].bytes, b"<p>caf\xe9");
        assert_eq!(pages(&found)[1].content_type, None);
    }

    #[test]
    fn a_line_that_explodes_is_too_large_and_the_next_is_read() {
        let bomb = format!("{{\"url\":\"a\",\"html\":\"{}\"}}\n", "x".repeat(3_000_000));
        let next = "{\"url\":\"b\",\"html\":\"<p>b\"}\n";
        let options = ReadOptions { max_page_size: 1000, ..Default::default() };
        for pack in [gzip, zstd_frame] {
            let bytes = pack((bomb.clone() + next).as_bytes());
            let found = collect(|emit| read(&bytes[..], Path::new("f"), &options, emit));
            assert_eq!(skips(&found), [("line 1".to_owned(), SkipReason::TooLarge)]);
            assert_eq!(pages(&found)[0].id, "b");
        }
    }

    #[test]
    fn a_page_just_above_the_limit_is_too_large() {
        let options = ReadOptions { max_page_size: 4, ..Default::default() };
        let lines = b"{\"url\":\"a\",\"html\":\"<p>a\"}\n{\"url\":\"b\",\"html\":\"<p>bb\"}\n";
        let found = collect(|emit| read(&lines[..], Path::new("f"), &options, emit));
        assert_eq!(pages(&found)[0].id, "a");
        assert_eq!(skips(&found), [("b".to_owned(), SkipReason::TooLarge)]);
    }

    #[test]
    fn a_truncated_member_costs_only_the_line_it_cuts() {
        let lines: String =
            (0..2000).map(|i| format!("{{\"url\":\"{i}\",\"html\":\"<p>{}\"}}\n", i * 7919 % 1009)).collect();
        let whole = gzip(lines.as_bytes());
        let found = all(&whole[..whole.len() / 2]);
        let count = pages(&found).len();
        assert!((100..2000).contains(&count), "{count}");
        assert_eq!(damages(&found).len(), 1);
        assert!(damages(&found)[0].1.contains("cut short"));
    }
}

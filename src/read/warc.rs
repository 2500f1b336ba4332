//! WARC, the format of web archives (ISO 28500), plain or compressed.
//!
//! Pages are the `response` records of status 200 and the `resource` records whose content is HTML; all other records
//! are [`Found::Ignored`]. Bodies are streamed through their HTTP encodings, so neither a large record nor a small one that
//! explodes is ever held whole.
//!
//! The reader is our own because it must survive damage: after a broken record it reports where that was and goes on
//! with the next gzip member, zstd frame or `WARC/` line. A record whose compressed member fails its checksum counts as broken even
//! if it could be read.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::Path;

use super::decompress::{Stream, Until, read_until, skip_blank, skip_until};
use super::http::{self, Head};
use super::sniff;
use super::{Emit, Found, HEADER_LIMIT, Origin, RawPage, ReadOptions, SkipReason};

/// How every record starts.
const VERSION: &[u8] = b"WARC/";

/// Whether a file's first bytes are of this format.
pub(super) fn is_warc(start: &[u8]) -> bool {
    start.trim_ascii_start().starts_with(VERSION)
}

/// Reads a WARC, plain or compressed, from any source; `file` is its name in reports.
pub fn read(source: impl Read, file: &Path, options: &ReadOptions, emit: &mut Emit<'_>) -> ControlFlow<()> {
    let mut reader = Reader { stream: Stream::new(source), file, options };
    loop {
        if skip_blank(&mut reader.stream) {
            reader.read_record(emit)?;
        } else if let Some(damage) = reader.stream.resume() {
            emit(reader.damaged(damage.offset, damage.message))?;
        } else {
            return ControlFlow::Continue(());
        }
    }
}

struct Reader<'a, R: Read> {
    stream: Stream<R>,
    file: &'a Path,
    options: &'a ReadOptions,
}

/// Where a record starts.
#[derive(Clone, Copy)]
struct Start {
    offset: u64,
    opens_member: bool,
}

impl<R: Read> Reader<'_, R> {
    fn damaged(&self, offset: u64, message: impl Into<String>) -> Found {
        Found::Damaged { origin: Origin::new(self.file, offset), message: message.into() }
    }

    fn start(&self) -> Start {
        Start { offset: self.stream.offset(), opens_member: self.stream.opens_member() }
    }

    fn read_record(&mut self, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut start = self.start();
        let mut version = self.version_line();
        if version.is_none() && self.stream.damage().is_none() {
            emit(self.damaged(start.offset, "expected a record that starts with WARC/1"))?;
            (start, version) = self.find_record();
        }
        let Some(version) = version else {
            return ControlFlow::Continue(());
        };
        match Head::read_after(version, &mut self.stream) {
            Some(head) => self.read_block(&head, start, emit),
            // The caller reports what ended the segment.
            None if self.stream.damage().is_some() => ControlFlow::Continue(()),
            None => emit(self.damaged(start.offset, "the record's header does not end")),
        }
    }

    /// The line that starts a record, where there is one.
    fn version_line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let outcome = read_until(&mut self.stream, b"\n", HEADER_LIMIT, &mut line);
        if outcome == Until::Found && line.starts_with(VERSION) {
            return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
        if outcome == Until::TooLong {
            skip_until(&mut self.stream, b"\n", &[]);
        }
        None
    }

    /// The next line that starts a record, in this segment.
    fn find_record(&mut self) -> (Start, Option<String>) {
        loop {
            let ended = self.stream.fill().is_empty();
            let start = self.start();
            let version = self.version_line();
            if ended || version.is_some() {
                return (start, version);
            }
        }
    }

    fn read_block(&mut self, head: &Head, start: Start, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let Some(length) = head.get("content-length").and_then(|value| value.parse().ok()) else {
            return emit(self.damaged(start.offset, "the record has no Content-Length"));
        };
        let mut block = Block { stream: &mut self.stream, left: length, begun: false };
        let origin = Origin::new(self.file, start.offset);
        let found = find_page(head, &mut block, origin, self.options);
        block.drain();
        let left = block.left;
        let mut ends_well = self.at_end();
        skip_blank(&mut self.stream);
        // Junk in a record's own member comes from a fault that the checksum has yet to show.
        if start.opens_member && self.stream.is_compressed() && !self.stream.opens_member() {
            ends_well &= self.at_end();
        }
        let name = head.get("warc-target-uri").unwrap_or("no URI");
        if let Some(damage) = self.stream.damage()
            && (left > 0 || start.opens_member && damage.offset == start.offset)
        {
            // The caller reports the damage, which covers this record.
            return ControlFlow::Continue(());
        }
        emit(if left > 0 {
            self.damaged(
                start.offset,
                format!("the record ({name}) is cut short: {left} of {length} bytes are missing"),
            )
        } else if !ends_well {
            self.damaged(start.offset, format!("the record ({name}) does not end where its Content-Length says"))
        } else {
            found
        })
    }

    /// Whether what follows a block may follow it: blank lines, or at least another record.
    fn at_end(&mut self) -> bool {
        let start = self.stream.fill();
        if matches!(start.first(), None | Some(b'\r' | b'\n')) {
            return true;
        }
        // Fewer bytes than a whole version may be at hand.
        let shown = start.len().min(VERSION.len());
        start[..shown] == VERSION[..shown]
    }
}

/// What a record holds for us.
fn find_page<R: Read>(head: &Head, block: &mut Block<'_, R>, origin: Origin, options: &ReadOptions) -> Found {
    let uri = head.get("warc-target-uri").map(|uri| uri.trim_matches(['<', '>', ' ']));
    let uri = uri.filter(|uri| !uri.is_empty());
    let is_type = |name| head.get("warc-type").is_some_and(|value| value.eq_ignore_ascii_case(name));
    let record_type = head.get("content-type");
    let mut page = RawPage {
        id: uri.unwrap_or_default().to_owned(),
        url: uri.unwrap_or_default().to_owned(),
        bytes: Vec::new(),
        content_type: record_type.map(str::to_owned),
        origin,
    };
    let mut message = Head::default();
    if is_type("response") {
        if record_type.is_some_and(|value| !value.to_ascii_lowercase().starts_with("application/http")) {
            return Found::Ignored;
        }
        let Some(http) = Head::read(block).filter(|head| head.status().is_some()) else {
            return unreadable(page, "the record holds no HTTP response");
        };
        if http.status() != Some(200) {
            return Found::Ignored;
        }
        message = http;
        page.content_type = message.get("content-type").map(str::to_owned);
    } else if !is_type("resource") {
        return Found::Ignored;
    }
    page.content_type = page.content_type.filter(|value| !value.is_empty());
    if page.content_type.as_deref().is_some_and(|value| !sniff::is_html_type(value)) {
        return Found::Ignored;
    }
    let decoded =
        http::decoded(block, &message).and_then(|body| body.take(options.page_cap()).read_to_end(&mut page.bytes));
    if page.content_type.is_none() && !sniff::is_html(&page.bytes) {
        return Found::Ignored;
    }
    match decoded {
        _ if page.bytes.len() as u64 > options.max_page_size => options.judge(page),
        Err(error) => unreadable(page, format!("the body cannot be decoded: {error}")),
        Ok(_) if page.id.is_empty() => unreadable(page, "the record has no WARC-Target-URI"),
        Ok(_) => options.judge(page),
    }
}

fn unreadable(page: RawPage, detail: impl Into<String>) -> Found {
    Found::Skipped { id: page.id, origin: page.origin, reason: SkipReason::Unreadable, detail: detail.into() }
}

/// A record's block: as many bytes as its header says.
struct Block<'a, R: Read> {
    stream: &'a mut Stream<R>,
    left: u64,
    begun: bool,
}

impl<R: Read> Block<'_, R> {
    /// Goes to the block's end; what is then left is missing.
    fn drain(&mut self) {
        while let Ok(rest) = self.fill_buf() {
            let count = rest.len();
            if count == 0 {
                return;
            }
            self.consume(count);
        }
    }
}

impl<R: Read> Read for Block<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Block<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let available = self.stream.fill().len();
        // A wrong length must not swallow the records after this one: a member that opens with a record ends the block.
        let next_record = self.begun && self.stream.opens_member() && self.stream.fill().starts_with(VERSION);
        let shown = match usize::try_from(self.left) {
            _ if next_record => 0,
            Ok(left) => left.min(available),
            Err(_) => available,
        };
        Ok(&self.stream.fill()[..shown])
    }

    fn consume(&mut self, count: usize) {
        self.begun |= count > 0;
        self.left -= count as u64;
        self.stream.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{collect, damages, gzip, http, pages, response, skips, warc_record, zstd_frame};
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Found> {
        limited(bytes, ReadOptions::default().max_page_size)
    }

    fn limited(bytes: &[u8], max_page_size: u64) -> Vec<Found> {
        let options = ReadOptions { max_page_size, ..Default::default() };
        collect(|emit| read(bytes, Path::new("site.warc"), &options, emit))
    }

    fn ids(found: &[Found]) -> Vec<&str> {
        pages(found).iter().map(|page| page.id.as_str()).collect()
    }

    fn html(uri: &str, body: &str) -> Vec<u8> {
        response(uri, &http("200 OK", "Content-Type: text/html; charset=latin1\r\n", body.as_bytes()))
    }

    #[test]
    fn html_responses_and_resources_are_pages_and_the_rest_is_ignored() {
        let bytes = [
            warc_record("warcinfo", "", "application/warc-fields", b"software: none\r\n"),
            warc_record("request", "http://h/a", "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
            html("<http://h/a>", "<p>a"),
            response("http://h/b", &http("404 Not Found", "Content-Type: text/html\r\n", b"<p>b")),
            response("http://h/c", &http("200 OK", "Content-Type: image/png\r\n", b"\x89PNG\r\n")),
            response("http://h/d", &http("200 OK", "", b"<!doctype html><p>d")),
            response("http://h/e", &http("200 OK", "", b"plain text")),
            warc_record("resource", "file:///f", "application/xhtml+xml", b"<p>f"),
            warc_record("resource", "file:///g", "text/css", b"p {}"),
            warc_record("response", "dns:h", "text/dns", b"h. 60 IN A 10.0.0.1"),
        ]
        .concat();
        let found = all(&bytes);
        assert_eq!(ids(&found), ["http://h/a", "http://h/d", "file:///f"]);
        assert_eq!(found.iter().filter(|item| **item == Found::Ignored).count(), 7);
        let first = pages(&found)[0];
        assert_eq!(first.bytes, b"<p>a");
        assert_eq!(first.content_type.as_deref(), Some("text/html; charset=latin1"));
    }

    #[test]
    fn pages_that_are_none_are_skipped_with_the_reason() {
        let page = |uri: &str, headers: &str, body: &[u8]| {
            response(uri, &http("200 OK", &format!("Content-Type: text/html\r\n{headers}"), body))
        };
        let bomb = gzip(&vec![b'x'; 5_000_000]);
        let bytes = [
            page("u:empty", "", b" \n"),
            page("u:binary", "", b"%PDF-1.4"),
            page("u:large", "", &[b'x'; 20_001]),
            page("u:bomb", "Content-Encoding: gzip\r\n", &bomb),
            page("u:brotli", "Content-Encoding: br\r\n", &[0x8B, 1, 2]),
            page("u:torn", "Content-Encoding: gzip\r\n", &bomb[..15]),
            response("u:none", b"no HTTP"),
            page("u:last", "", &[b'x'; 20_000]),
        ]
        .concat();
        use SkipReason::{Binary, Empty, TooLarge, Unreadable};
        let expected = [
            ("u:empty", Empty),
            ("u:binary", Binary),
            ("u:large", TooLarge),
            ("u:bomb", TooLarge),
            ("u:brotli", Unreadable),
            ("u:torn", Unreadable),
            ("u:none", Unreadable),
        ];
        for packed in [bytes.clone(), gzip(&bytes)] {
            let found = limited(&packed, 20_000);
            assert_eq!(skips(&found), expected.map(|(id, reason)| (id.to_owned(), reason)));
            assert_eq!(ids(&found), ["u:last"]);
        }
    }

    #[test]
    fn encoded_bodies_are_decoded() {
        let headers = "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n";
        let found = all(&response("u:a", &http("200 OK", headers, b"3\r\n<p>\r\n1\r\na\r\n0\r\n\r\n")));
        assert_eq!(pages(&found)[0].bytes, b"<p>a");
    }

    #[test]
    fn offsets_are_the_members_or_those_in_the_decompressed_bytes() {
        let (a, b) = (html("u:a", "<p>a"), html("u:b", "<p>b"));
        let offsets = |bytes: &[u8]| -> Vec<u64> { pages(&all(bytes)).iter().map(|page| page.origin.offset).collect() };
        let plain = [0, a.len() as u64];
        assert_eq!(offsets(&[&a[..], &b].concat()), plain);
        for pack in [gzip, zstd_frame] {
            assert_eq!(offsets(&pack(&[&a[..], &b].concat())), plain);
            assert_eq!(offsets(&[pack(&a), pack(&b)].concat()), [0, pack(&a).len() as u64]);
        }
    }

    #[test]
    fn a_truncated_file_keeps_the_records_before_the_cut() {
        let (a, b) = (html("u:a", "<p>a"), html("u:b", "<p>b"));
        for pack in [<[u8]>::to_vec, gzip, zstd_frame] {
            let (a, b) = (pack(&a), pack(&b));
            for cut in 1..b.len() - 4 {
                let found = all(&[&a[..], &b[..cut]].concat());
                assert_eq!(ids(&found), ["u:a"], "cut at {cut}");
                assert_eq!(damages(&found).len(), 1, "cut at {cut}: {found:?}");
                assert_eq!(damages(&found)[0].0, a.len() as u64);
            }
        }
    }

    #[test]
    fn a_broken_member_costs_only_itself() {
        let body = "harbour master ".repeat(20);
        let records = ["u:a", "u:b", "u:c"].map(|uri| html(uri, &body));
        for pack in [gzip, zstd_frame] {
            let [a, mut b, c] = records.clone().map(|record| pack(&record));
            for at in 10..b.len() {
                b[at] ^= 0x10;
                let found = all(&[&a[..], &b, &c].concat());
                // Some bits of a member mean nothing, or tell only of what comes after the record.
                if ids(&found) != ["u:a", "u:b", "u:c"] {
                    assert_eq!(ids(&found), ["u:a", "u:c"], "flipped at {at}");
                    assert_eq!(damages(&found)[0].0, a.len() as u64);
                }
                assert!(pages(&found).iter().all(|page| page.bytes == body.as_bytes()));
                b[at] ^= 0x10;
            }
        }
    }

    #[test]
    fn a_record_whose_length_lies_does_not_cost_the_next() {
        let (a, c) = (html("u:a", "<p>a"), html("u:c", "<p>c"));
        for (from, to) in [("4", "3"), ("4", "9")] {
            let b = warc_record("resource", "u:b", "text/html", b"<p>b");
            let text = String::from_utf8_lossy(&b);
            let lying = text.replace(&format!("Content-Length: {from}"), &format!("Content-Length: {to}"));
            let found = all(&[gzip(&a), gzip(lying.as_bytes()), gzip(&c)].concat());
            assert_eq!(ids(&found), ["u:a", "u:c"], "{from} {to}");
            assert!(!damages(&found).is_empty());
        }
    }

    #[test]
    fn junk_is_damage_and_the_next_record_is_found() {
        let a = html("u:a", "<p>a");
        let found = all(&[&a[..], b"junk\nmore junk\n", &html("u:b", "<p>b")].concat());
        assert_eq!(ids(&found), ["u:a", "u:b"]);
        assert_eq!(damages(&found)[0].0, a.len() as u64);
        let found = all(&[&b"junk\n"[..], &a].concat());
        assert_eq!(ids(&found), ["u:a"]);
        assert_eq!(pages(&found)[0].origin.offset, 5);
    }

    #[test]
    fn a_header_without_end_is_damage() {
        let endless = format!("WARC/1.0\r\nA: {}", "x".repeat(10 * HEADER_LIMIT));
        let found = all(&[endless.as_bytes(), b"\n", &html("u:b", "<p>b")].concat());
        assert_eq!(ids(&found), ["u:b"]);
        assert!(damages(&found)[0].1.contains("does not end"));
    }

    #[test]
    fn breaking_off_stops_the_reading() {
        let bytes = [html("u:a", "<p>a"), html("u:b", "<p>b")].concat();
        let mut count = 0;
        let ended = read(&bytes[..], Path::new("f"), &ReadOptions::default(), &mut |_| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!((ended, count), (ControlFlow::Break(()), 1));
    }
}

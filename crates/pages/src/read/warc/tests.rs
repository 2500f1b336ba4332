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

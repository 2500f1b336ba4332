//! Limits, on both sides: what is just within is read, what is just beyond is counted by reason or is an error that names the
//! flag. `docs/reliability.md` has the table.

use std::io::Write;
use std::process::Command;

use serde_json::json;

use crate::server::{Server, Town};
use crate::soaking::assert_adds_up;
use crate::support::{Desk, PROGRAM, Said, found, gzip, manifest, unhusk, warc_record, warc_response};

/// Indexes two pages, of which the second is beyond a limit that the flags set, and says what the program said.
#[track_caller]
fn only_the_first(desk: &Desk, collection: &str, flags: &[&str], told: &str) -> Said {
    let place = desk.path("out");
    let said = unhusk(&[&["index", collection, "--out", &place, "--force", "-v"], flags].concat()).code(0);
    let pages = &manifest(&place)["pages"];
    assert_adds_up(pages);
    assert_eq!((&pages["read"], &pages["indexed"]), (&json!(2), &json!(1)), "{said:?}");
    assert_eq!(found(&place, "ferry").len(), 1);
    said.complains("1 page skipped: 1 too large").complains(told)
}

/// A page of so many bytes.
fn page_of(bytes: usize) -> String {
    format!("<p>ferry{}", " ".repeat(bytes - "<p>ferry".len()))
}

#[test]
fn a_page_of_the_size_limit_is_read_and_a_byte_more_is_too_large_in_every_format() {
    let desk = Desk::new();
    let pages = [page_of(4096), page_of(4097)];
    for (n, page) in pages.iter().enumerate() {
        desk.write(&format!("site/{n}.html"), page);
    }
    let warc: Vec<u8> = (0..2).flat_map(|n| warc_response(&format!("u:{n}"), pages[n].as_bytes())).collect();
    let trec: String = (0..2).map(|n| format!("<DOC><DOCNO>{n}</DOCNO>{}</DOC>\n", pages[n])).collect();
    let lines: String = (0..2).map(|n| format!("{}\n", json!({"url": n.to_string(), "html": pages[n]}))).collect();
    let collections = [
        desk.path("site"),
        desk.write("a.warc", &warc),
        desk.write("b.warc.gz", gzip(&warc)),
        desk.write("c.trec", &trec),
        desk.write("d.trec.gz", gzip(trec.as_bytes())),
        desk.write("e.jsonl", &lines),
        desk.write("f.jsonl.gz", gzip(lines.as_bytes())),
    ];
    for collection in collections {
        only_the_first(&desk, &collection, &["--max-page-size", "4KiB"], "larger than 4096 bytes (--max-page-size)");
    }
}

#[test]
fn a_line_of_json_may_be_twice_a_page_and_its_headers_long() {
    let desk = Desk::new();
    let limit = 2 * 4096 + 64 * 1024;
    let line = |url: &str, bytes: usize| {
        let rest = json!({"url": url, "html": "<p>ferry"}).to_string();
        format!("{rest}{}\n", " ".repeat(bytes - rest.len() - 1))
    };
    let lines = desk.write("x.jsonl", line("a", limit) + &line("b", limit + 1));
    only_the_first(&desk, &lines, &["--max-page-size", "4KiB"], "skipped line 2 in");
}

#[test]
fn a_page_of_as_many_pieces_as_allowed_is_read_and_one_more_is_too_many() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", "<p>ferry<p>at<p>noon"), ("b.html", "<p>ferry<p>at<p>half<p>past")]);
    let said = only_the_first(&desk, &site, &["--max-pieces", "3"], "more than 3 pieces of text (--max-pieces)");
    assert!(said.err.contains("skipped b.html"), "{said:?}");
    unhusk(&["index", &site, "--out", &desk.path("out"), "--force", "--strict", "--max-pieces", "3"])
        .code(2)
        .complains("b.html")
        .complains("--max-pieces");
}

/// Indexes pages and says how many were flattened.
fn flattened(desk: &Desk, site: &str, flags: &[&str]) -> u64 {
    let place = desk.path("out");
    let said = unhusk(&[&["index", site, "--out", &place, "--force", "--no-dedup"], flags].concat()).code(0);
    assert_eq!(found(&place, "needle").len(), 1, "the text stays");
    let flattened = manifest(&place)["pages"]["flattened"].as_u64().unwrap();
    assert_eq!(said.err.contains("1 page flattened"), flattened == 1, "{said:?}");
    flattened
}

#[test]
fn tags_nested_deeper_than_allowed_are_passed_over_counted_and_their_text_stays() {
    let desk = Desk::new();
    // The page's own elements and the body's are two.
    let site = desk.site(&[("a.html", &("<div>".repeat(10) + "needle"))]);
    assert_eq!(flattened(&desk, &site, &["--max-depth", "13"]), 0);
    assert_eq!(flattened(&desk, &site, &["--max-depth", "8"]), 1);
    let site = desk.site(&[("a.html", &("<div>".repeat(600) + "needle"))]);
    assert_eq!(flattened(&desk, &site, &[]), 1);
    assert_eq!(flattened(&desk, &site, &["--max-depth", "700"]), 0);
}

#[test]
fn tags_beyond_the_number_of_nodes_are_passed_over_counted_and_their_text_stays() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", &("<p>word".repeat(20) + "<p>needle"))]);
    assert_eq!(flattened(&desk, &site, &["--max-nodes", "100"]), 0);
    assert_eq!(flattened(&desk, &site, &["--max-nodes", "30"]), 1);
}

#[test]
fn an_update_and_the_page_view_read_pages_within_the_limits_of_their_index() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", &("<div>".repeat(20) + "needle")), ("b.html", "<p>ferry")]);
    let index = desk.index(&site, &["--max-depth", "10", "--keep-pages", "--strip", "none"]);
    desk.site(&[("b.html", &("<div>".repeat(30) + "oyster"))]);
    unhusk(&["update", &index, &site]).code(0).complains("1 page flattened");
    assert_eq!(manifest(&index)["limits"]["depth"], 10);
    let server = Server::spawn(Command::new(PROGRAM).args(["serve", "--quiet", "--addr", "127.0.0.1:0", &index]));
    for id in ["a.html", "b.html"] {
        let page = server.get(&format!("/api/page?id={id}")).status(200).body;
        assert!(!page.contains("another version"), "its marks do not fit: {page}");
    }
}

#[test]
fn headers_up_to_64_kib_are_read_and_longer_ones_are_damage() {
    let desk = Desk::new();
    let record = |url: &str, head: usize| {
        let record = String::from_utf8(warc_response(url, b"<p>ferry")).unwrap();
        record.replacen("WARC-Type", &format!("X-Long: {}\r\nWARC-Type", "x".repeat(head)), 1)
    };
    let warc = desk.write("x.warc", record("u:a", 60_000) + &record("u:b", 70_000) + &record("u:c", 10));
    let place = desk.path("out");
    unhusk(&["index", &warc, "--out", &place]).code(0).complains("the record's header does not end");
    assert_eq!(found(&place, "ferry").len(), 1, "the copy is the same page");
    let pages = &manifest(&place)["pages"];
    assert_eq!((&pages["read"], pages["damaged"].as_u64().unwrap() > 0), (&json!(2), true), "{pages}");
}

/// A page in a WARC record, encoded as its headers say.
fn encoded(url: &str, encoding: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {encoding}\r\n\r\n");
    warc_record(url, &[http.as_bytes(), body].concat())
}

/// Indexes a file of two records, of which the second is encoded in a way that is not undone.
fn only_the_first_is_decoded(records: [Vec<u8>; 2], told: &str) {
    let desk = Desk::new();
    let (warc, place) = (desk.write("x.warc", records.concat()), desk.path("out"));
    let said = unhusk(&["index", &warc, "--out", &place, "-v"]).code(0);
    said.complains("1 page skipped: 1 unreadable").complains(told);
    assert_eq!(found(&place, "ferry"), ["u:a"]);
    assert_adds_up(&manifest(&place)["pages"]);
}

#[test]
fn three_encodings_within_each_other_are_undone_and_four_are_not() {
    let packed = |times: usize| (0..times).fold(b"<p>ferry".to_vec(), |body, _| gzip(&body));
    let record = |url, times: usize| encoded(url, &vec!["gzip"; times].join(", "), &packed(times));
    only_the_first_is_decoded([record("u:a", 3), record("u:b", 4)], "more than 3 encodings within each other");
}

#[test]
fn a_zstd_body_may_look_back_8_mib_and_not_further() {
    let record = |url, window: u32| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window).unwrap();
        encoder.write_all(b"<p>ferry").unwrap();
        encoded(url, "zstd", &encoder.finish().unwrap())
    };
    only_the_first_is_decoded([record("u:a", 23), record("u:b", 24)], "too much memory");
}

#[test]
fn of_formatting_elements_256_attributes_are_read_and_of_others_those_that_matter() {
    let desk = Desk::new();
    let hidden = |tag: &str, others: usize| {
        let others: String = (0..others).map(|n| format!(" a{n}=1")).collect();
        format!("<p>ferry</p><{tag}{others} hidden>oyster</{tag}>")
    };
    for (tag, others, is_found) in [("b", 255, false), ("b", 256, true), ("p", 5000, false)] {
        let index = desk.index(&desk.site(&[("a.html", &hidden(tag, others))]), &["--force"]);
        assert_eq!(found(&index, "ferry"), ["a.html"]);
        assert_eq!(!found(&index, "oyster").is_empty(), is_found, "{tag} with {others} attributes and hidden");
    }
}

#[test]
fn a_charset_is_looked_for_in_the_first_4096_bytes() {
    let desk = Desk::new();
    // In Macintosh's charset 0x8A is a letter that no guess makes of it.
    let page = |before: usize| {
        let meta = "<meta charset=macintosh>";
        let space = " ".repeat(before - meta.len());
        [space.as_bytes(), meta.as_bytes(), b"<p>f\x8Ahre"].concat()
    };
    // The bracket that ends it need not be there, the last letter of the name must.
    for (name, before, is_found) in [("within", 4097, true), ("beyond", 4098, false)] {
        desk.write(&format!("{name}/a.html"), page(before));
        let index = desk.index(&desk.path(name), &["--force", "--language", "none"]);
        assert_eq!(!found(&index, "f\u{e4}hre").is_empty(), is_found, "{name}");
    }
}

#[test]
fn words_of_255_bytes_are_found_and_longer_ones_are_no_words() {
    let desk = Desk::new();
    let [word, longer] = [255, 256].map(|bytes| "x".repeat(bytes));
    let site = desk.site(&[("a.html", &format!("<p>{word}")), ("b.html", &format!("<p>{longer} ferry"))]);
    let index = desk.index(&site, &["--language", "none"]);
    assert_eq!(found(&index, &word), ["a.html"]);
    assert!(found(&index, &longer).is_empty());
    assert_eq!(found(&index, "ferry"), ["b.html"], "the rest of the page is as it was");
}

#[test]
fn any_number_of_results_can_be_asked_for() {
    let desk = Desk::new();
    let index = desk.index(&desk.site(&[("a.html", "<p>ferry")]), &[]);
    let queries = desk.write("q.tsv", format!("1\tferry\n2\t{}\n", "ferry ".repeat(2000)));
    for k in ["1", "1000000000000", "18446744073709551615"] {
        unhusk(&["search", &index, "ferry", "-k", k]).code(0);
        let run = unhusk(&["run", &index, "--queries", &queries, "-k", k]).code(0);
        assert_eq!(run.out.lines().count(), 2, "{run:?}");
    }
    unhusk(&["search", &index, "ferry", "-k", "0"]).code(1);
}

#[test]
fn the_servers_limits_of_a_query_are_those_it_was_given() {
    let server = Town::new().serve(&["--max-query-size", "20", "--max-results", "30"]);
    server.get(&format!("/api/search?q={}", "x".repeat(20))).status(200);
    let refused = server.get(&format!("/api/search?q={}", "x".repeat(21))).status(400);
    assert!(refused.body.contains("longer than 20 bytes"), "{}", refused.body);
    server.get("/api/search?q=law&k=10&page=3").status(200);
    let refused = server.get("/api/search?q=law&k=10&page=4").status(400);
    assert!(refused.body.contains("from 1 to 3"), "{}", refused.body);
}

#[test]
fn every_command_that_reads_a_collection_says_what_it_left_out() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", "<p>ferry"), ("b.html", &"oyster ".repeat(1000)), ("c.html", "<p>tide")]);
    let (queries, qrels) = (desk.write("q.tsv", "1\tferry\n"), desk.write("q.txt", "1 0 a.html 1\n"));
    let out = ["index", "model", "documents"].map(|name| desk.path(name));
    for command in [
        &["index", &site, "--out", &out[0]][..],
        &["strip", &site],
        &["strip", &site, "--strip", "sandwich", "--peer", "previous", "--no-dedup"],
        &["model", "learn", &site, "--out", &out[1]],
        &["model", "apply", &out[1], &site],
        &["export", &site, "--out", &out[2]],
        &["clusters", &site],
        &["compare", &site, "--strip", "none,table", "--queries", &queries, "--qrels", &qrels],
    ] {
        let said = unhusk(&[command, &["--max-page-size", "1KiB"]].concat()).code(0);
        said.complains("1 page skipped: 1 too large");
    }
    let update = unhusk(&["update", &out[0], &site]).code(0);
    update.complains("1 page skipped: 1 too large");
}

//! A bad page costs itself; a bad collection or index is an error that says what to do.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Desk, fixture, found, gzip, manifest, skipped, unhusk, warc_response};

#[test]
fn what_cannot_be_read_at_all_is_an_error_with_advice() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    fs::create_dir(desk.path("blank")).unwrap();
    desk.write("blank/a.html", " \n");
    desk.write("unknown.bin", b"\x00\x01\x02\x03");
    desk.write("none.jsonl", "");
    let table = [
        ("nowhere", "nowhere: no such file or directory; check the path"),
        ("empty", "no page to index in"),
        ("blank", "all 1 pages were skipped (1 empty)"),
        ("unknown.bin", "unknown kind of file; expected HTML, WARC, TREC web"),
        ("none.jsonl", "no page to index in"),
    ];
    for (name, complaint) in table {
        let place = desk.path(&format!("index-of-{name}"));
        unhusk(&["index", &desk.path(name), "--out", &place]).code(2).complains(complaint);
        assert!(!desk.names().iter().any(|name| name.contains("index-of")), "{name} left {:?}", desk.names());
    }
}

fn is_root() -> bool {
    fs::read("/proc/self/status").is_ok_and(|status| String::from_utf8_lossy(&status).contains("\nUid:\t0\t"))
}

#[test]
fn what_this_user_may_not_read_is_named() {
    if is_root() {
        return skipped("nothing is forbidden to root", "run cargo test as another user");
    }
    let desk = Desk::new();
    let site = desk.site(&[("open.html", "<p>open"), ("shut.html", "<p>shut")]);
    let forbid = |path: &str| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    forbid(&desk.path("site/shut.html"));
    let index = desk.index(&site, &[]);
    assert_eq!(manifest(&index)["pages"]["skipped"]["unreadable"], 1);
    let shut = desk.write("shut.warc", "WARC/1.0\r\n");
    forbid(&shut);
    unhusk(&["index", &shut, "--out", &desk.path("x")]).code(2).complains("permission denied");
}

#[test]
fn bad_pages_are_counted_by_reason_and_summed_up_in_a_line() {
    let desk = Desk::new();
    let site = desk.site(&[("good.html", "<p>good"), ("large.html", &"many words ".repeat(1000))]);
    desk.write("site/empty.html", "");
    desk.write("site/blank.html", " \n\t");
    desk.write("site/picture.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0");
    std::os::unix::fs::symlink("nowhere", desk.path("site/dangling.html")).unwrap();
    let place = desk.path("out");
    let args = ["index", &site, "--out", &place, "--max-page-size", "4KiB"];
    let said = unhusk(&args).code(0);
    let said = said.complains("5 pages skipped: 2 empty, 1 binary, 1 too large, 1 unreadable");
    assert!(!said.err.contains("picture.html"), "names are for --verbose: {said:?}");
    let pages = &manifest(&place)["pages"];
    assert_eq!((&pages["read"], &pages["indexed"]), (&6.into(), &1.into()));
    let expected: Value =
        serde_json::from_str(r#"{"empty": 2, "binary": 1, "too_large": 1, "unreadable": 1}"#).unwrap();
    assert_eq!(pages["skipped"], expected);
    let verbose = unhusk(&[&args[..], &["--force", "-v"]].concat()).code(0);
    verbose.complains("skipped picture.html in").complains("skipped dangling.html in");
}

#[test]
fn strict_stops_at_the_first_bad_page_and_changes_nothing() {
    let desk = Desk::new();
    let place = desk.index(&desk.site(&[("good.html", "<p>good")]), &[]);
    let before = manifest(&place);
    desk.write("site/empty.html", "");
    let said = unhusk(&["index", &desk.path("site"), "--out", &place, "--force", "--strict"]).code(2);
    said.complains("empty.html").complains("nothing was changed");
    unhusk(&["index", &fixture("truncated.warc.gz"), "--out", &place, "--force", "--strict"])
        .code(2)
        .complains("damaged");
    assert_eq!(manifest(&place), before);
    assert_eq!(found(&place, "good"), ["good.html"]);
    assert!(!desk.names().iter().any(|name| name.ends_with(".building")));
}

#[test]
fn a_torn_warc_gives_the_records_before_the_tear_and_says_where_it_is() {
    let desk = Desk::new();
    let place = desk.path("torn");
    let said = unhusk(&["index", &fixture("truncated.warc.gz"), "--out", &place]).code(0);
    let said = said.complains("damaged: ").complains("truncated.warc.gz at byte ");
    let offset = said.err.split("at byte ").nth(1).unwrap().split(':').next().unwrap();
    let offset: usize = offset.parse().unwrap_or_else(|_| panic!("{said:?}"));
    let bytes = fs::read(fixture("truncated.warc.gz")).unwrap();
    assert_eq!(bytes[offset..offset + 2], [0x1f, 0x8b], "the torn member starts there");
    assert_eq!(manifest(&place)["pages"]["indexed"], 3);
    assert_eq!(manifest(&place)["pages"]["damaged"], 1);
}

#[test]
fn a_bad_line_of_json_costs_only_itself() {
    let desk = Desk::new();
    let lines =
        desk.write("x.jsonl", "{\"url\":\"a\",\"html\":\"<p>one\"}\nnot json\n{\"url\":\"b\",\"html\":\"<p>two\"}\n");
    let place = desk.path("out");
    unhusk(&["index", &lines, "--out", &place]).code(0).complains("damaged: ");
    assert_eq!((found(&place, "one"), found(&place, "two")), (vec!["a".into()], vec!["b".into()]));
}

#[test]
fn a_decompression_bomb_is_too_large_and_fills_no_memory() {
    const GIB: u64 = 1 << 30;
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let length = http.len() as u64 + GIB;
    let head =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://bomb.example/\r\nContent-Type: application/http";
    write!(bomb, "{head}\r\nContent-Length: {length}\r\n\r\n").unwrap();
    bomb.write_all(http).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..GIB >> 20 {
        bomb.write_all(&zeros).unwrap();
    }
    bomb.write_all(b"\r\n\r\n").unwrap();
    let after = gzip(&warc_response("https://after.example/", b"<p>still standing"));

    let desk = Desk::new();
    let warc = desk.write("bomb.warc.gz", [bomb.finish().unwrap(), after].concat());
    let place = desk.path("out");
    unhusk(&["index", &warc, "--out", &place]).code(0).complains("1 page skipped: 1 too large");
    assert_eq!(found(&place, "standing"), ["https://after.example/"]);
    let json = unhusk(&["info", &place, "--format", "json"]).code(0).json();
    match json["cost"]["peak_memory"].as_u64() {
        Some(peak) => assert!(peak < 200 << 20, "{peak} bytes"),
        None => skipped("the system does not say how much memory was used", "run it on Linux with /proc"),
    }
}

#[test]
fn what_is_no_index_is_not_searched() {
    let desk = Desk::new();
    let queries = desk.write("q.tsv", "1\tx\n");
    let site = desk.site(&[("a.html", "<p>a")]);
    for (place, complaint) in [(desk.path("nowhere"), "there is no index at"), (site, "is not an unhusk index")] {
        unhusk(&["search", &place, "x"]).code(2).complains(complaint);
        unhusk(&["run", &place, "--queries", &queries]).code(2).complains(complaint);
        unhusk(&["info", &place]).code(2).complains(complaint);
    }
}

#[test]
fn an_index_of_a_later_format_is_refused_and_a_broken_one_named() {
    let desk = Desk::new();
    let index = desk.index(&desk.site(&[("a.html", "<p>a")]), &[]);
    let file = format!("{index}/manifest.json");
    fs::write(&file, r#"{"format": 999, "anything": "else"}"#).unwrap();
    unhusk(&["search", &index, "a"]).code(2).complains("has index format 999").complains("update unhusk");
    fs::write(&file, "{").unwrap();
    unhusk(&["info", &index]).code(2).complains("manifest.json");
}

#[test]
fn an_index_whose_files_are_gone_is_an_error() {
    let desk = Desk::new();
    let index = desk.index(&desk.site(&[("a.html", "<p>a")]), &[]);
    fs::remove_dir_all(format!("{index}/tantivy")).unwrap();
    unhusk(&["search", &index, "a"]).code(2).complains("the search engine reports");
}

//! Whatever a collection looks like, its pages are the same.

use std::fs;

use serde_json::Value;

use crate::support::{Desk, command, fixture, found, manifest, said, text, unhusk};

const BASE: &str = "https://harbour.example/";

/// Titles, scores and snippets in order: what is the same whatever the ids are.
fn answers(index: &str) -> Vec<(String, f64, String)> {
    let said = unhusk(&["search", index, "harbour ferry lighthouse berths", "--format", "json"]).code(0);
    let json = said.json();
    let row = |hit: &Value| (text(&hit["title"]), hit["score"].as_f64().unwrap(), text(&hit["snippet"]));
    json["hits"].as_array().unwrap().iter().map(row).collect()
}

fn ids(index: &str) -> Vec<String> {
    let mut ids = found(index, "Skerrow");
    ids.sort();
    ids
}

fn urls(index: &str) -> Vec<String> {
    let json = unhusk(&["search", index, "Skerrow", "--format", "json"]).code(0).json();
    let mut urls: Vec<_> = json["hits"].as_array().unwrap().iter().map(|hit| text(&hit["url"])).collect();
    urls.sort();
    urls
}

const PATHS: [&str; 4] = ["berths.html", "ferry/timetable.html", "index.html", "lighthouse"];

fn web() -> [String; 4] {
    PATHS.map(|path| format!("{BASE}{path}"))
}

#[test]
fn every_format_gives_the_same_pages() {
    let desk = Desk::new();
    let expected = answers(&desk.index(&fixture("site"), &[]));
    assert_eq!(expected.len(), 4);
    let files = ["warc", "warc.gz", "warc.zst", "trec", "trec.gz", "jsonl", "jsonl.gz", "jsonl.zst"];
    for file in files {
        let index = desk.index(&fixture(&format!("site.{file}")), &["--strict"]);
        assert_eq!(answers(&index), expected, "{file}");
        assert_eq!(urls(&index), web(), "{file}");
    }
}

#[test]
fn json_lines_are_read_from_standard_input_plain_and_compressed() {
    let desk = Desk::new();
    let expected = answers(&desk.index(&fixture("site"), &[]));
    for file in ["site.jsonl", "site.jsonl.gz", "site.jsonl.zst"] {
        let place = desk.path(file);
        let input = fs::read(fixture(file)).unwrap();
        said(command(&["index", "-", "--out", &place]).write_stdin(input)).code(0);
        assert_eq!(answers(&place), expected, "{file}");
    }
}

#[test]
fn a_page_alone_is_a_collection_and_named_after_its_file() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site/berths.html"), &[]);
    assert_eq!(ids(&index), ["berths.html"]);
}

#[test]
fn ids_are_what_the_collection_calls_its_pages() {
    let desk = Desk::new();
    assert_eq!(ids(&desk.index(&fixture("site"), &[])), PATHS);
    assert_eq!(ids(&desk.index(&fixture("site.warc.gz"), &[])), web());
    assert_eq!(ids(&desk.index(&fixture("site.trec"), &[])), ["HB-1", "HB-2", "HB-3", "HB-4"]);
    assert_eq!(ids(&desk.index(&fixture("site.jsonl"), &[])), web());
    let lines = desk.write("own.jsonl", r#"{"id": "seven", "url": "https://a.example/", "html": "<p>Skerrow"}"#);
    assert_eq!(ids(&desk.index(&lines, &[])), ["seven"]);
}

#[test]
fn a_base_url_makes_urls_of_paths_and_leaves_ids_alone() {
    let desk = Desk::new();
    for base in [BASE, BASE.trim_end_matches('/')] {
        let index = desk.index(&fixture("site"), &["--base-url", base]);
        assert_eq!(urls(&index), web());
        assert_eq!(ids(&index), PATHS);
    }
    let bad = unhusk(&["index", &fixture("site"), "--base-url", "not a url", "--out", &desk.path("x")]).code(2);
    bad.complains("--base-url");
}

#[test]
fn several_collections_make_one_index() {
    let desk = Desk::new();
    let place = desk.path("both");
    unhusk(&["index", &fixture("site"), &fixture("site.trec"), "--no-dedup", "--out", &place]).code(0);
    assert_eq!(ids(&place), [&["HB-1", "HB-2", "HB-3", "HB-4"], &PATHS[..]].concat());
    assert_eq!(manifest(&place)["inputs"].as_array().unwrap().len(), 2);
}

#[test]
fn the_second_page_with_the_same_id_is_skipped_and_counted() {
    let desk = Desk::new();
    let place = desk.path("twice");
    let (first, second) = (fixture("site.jsonl"), fixture("site.warc"));
    let said = unhusk(&["index", &first, &second, "--out", &place, "-v"]).code(0);
    let said =
        said.complains("4 pages skipped: 4 duplicate id").complains("skipped https://harbour.example/berths.html");
    said.complains("site.warc");
    assert_eq!(manifest(&place)["pages"]["skipped"]["duplicate_id"], 4);
    assert_eq!(ids(&place), web());
    unhusk(&["index", &first, &second, "--strict", "--out", &desk.path("strict")]).code(2).complains("duplicate id");
}

#[test]
fn words_of_other_charsets_are_found() {
    let desk = Desk::new();
    let site = desk.site(&[("utf8.html", "<p>Mārtiņa")]);
    desk.write("site/old.html", b"<meta charset=windows-1252><p>caf\xe9 \x93quoted\x94");
    let index = desk.index(&site, &[]);
    assert_eq!(found(&index, "café"), ["old.html"]);
    assert_eq!(found(&index, "mārtiņa"), ["utf8.html"]);
}

#[test]
fn a_tag_that_closes_itself_does_so_in_pages_that_are_xml() {
    let desk = Desk::new();
    let body = "<html><head><title>Tides</title><script src='a.js'/></head><body><p>Skerrow <a id='x'/>harbour</p></body></html>";
    let declared = format!("<?xml version='1.0' encoding='utf-8'?>\n{body}");
    desk.write("site/declared.html", declared);
    desk.write("site/named.xhtml", body);
    desk.write("site/neither.html", body);
    let index = desk.index(&desk.path("site"), &["--no-dedup", "--strip", "none"]);
    assert_eq!(ids(&index), ["declared.html", "named.xhtml"]);
}

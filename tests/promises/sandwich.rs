//! Stripping by sandwich, from outside.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use unhusk::generate::{Options, Site, write_site};

use crate::support::{Desk, PROGRAM, found, manifest, unhusk};

const PAGES: [(&str, &str); 4] = [
    ("news/1.html", "\n<nav>Home harbour</nav>\n<p>Tides</p>\n"),
    ("news/2.html", "\n<nav>Home harbour</nav>\n<p>Ferries</p>\n"),
    ("news/3.html", "\n<nav>Home harbour</nav>\n<p>Herring</p>\n"),
    ("about/us.html", "\n<nav>Home harbour</nav>\n<p>Imprint</p>\n"),
];

#[test]
fn what_a_page_shares_with_its_peer_is_not_found_and_a_page_without_one_is_whole() {
    let desk = Desk::new();
    let index = desk.index(&desk.site(&PAGES), &["--strip", "sandwich", "--no-dedup"]);
    assert_eq!(found(&index, "harbour"), ["about/us.html"]);
    assert_eq!(found(&index, "ferries"), ["news/2.html"]);
    let host = desk.index(&desk.site(&PAGES), &["--strip", "sandwich", "--no-dedup", "--group", "host"]);
    assert!(found(&host, "harbour").is_empty());
}

#[test]
fn the_manifest_tells_peers_bytes_and_postings_before_and_after() {
    let desk = Desk::new();
    let site = desk.site(&PAGES);
    let whole = manifest(&desk.index(&site, &["--strip", "none", "--no-dedup"]));
    let args = ["--strip", "sandwich", "--peer", "previous", "--unit", "line", "--no-dedup"];
    let index = desk.index(&site, &args);
    let stripped = manifest(&index);
    assert_eq!(stripped["findings"]["pages_with_peer"], 2);
    assert_eq!(stripped["unstripped_postings"], whole["fields"]["body"]["postings"]);
    assert_eq!(whole["unstripped_postings"], Value::Null);
    // Two words on each of two pages.
    assert_eq!(stripped["fields"]["body"]["postings"], 8);
    assert!(stripped["findings"]["html_bytes_kept"].as_u64() < stripped["findings"]["html_bytes"].as_u64());
    let shown = unhusk(&["info", &index]).code(0).out;
    assert!(shown.contains("12 as-is, 8 indexed (-33.3 %)"), "{shown}");
}

#[test]
fn pages_of_a_running_crawl_are_printed_before_it_ends() {
    let args = ["strip", "-", "--strip", "sandwich", "--peer", "previous", "--no-dedup", "--format", "jsonl", "-q"];
    let mut child = Command::new(PROGRAM).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for (number, (word, kept)) in [("Tides", "Home\nTides"), ("Ferries", "Ferries")].into_iter().enumerate() {
        let page = json!({"url": format!("http://h/{number}"), "html": format!("<p>Home</p>\n<p>{word}</p>")});
        writeln!(input, "{page}").unwrap();
        input.flush().unwrap();
        let line: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["text"], kept);
    }
    drop(input);
    assert!(output.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn kept_lines_are_scored_against_marked_pages() {
    let desk = Desk::new();
    let site = Site::new(Options { pages: 120, seed: 3, ..Options::default() }).unwrap();
    let folder = desk.path("marked site");
    write_site(&site, Path::new(&folder)).unwrap();
    let (pages, marked) = (format!("{folder}/pages"), format!("{folder}/marked"));
    let score = |method: &str| {
        let args = ["eval", "lines", &pages, "--marked", &marked, "--strip", method, "--format", "json", "-q"];
        unhusk(&args).code(0).json()
    };
    let (whole, stripped) = (score("none"), score("sandwich"));
    assert_eq!(whole["all"]["recall"], 1.0);
    let precision = |report: &Value| report["all"]["precision"].as_f64().unwrap();
    assert!(precision(&stripped) > 1.5 * precision(&whole), "{whole} {stripped}");
    assert!(stripped["all"]["recall"].as_f64().unwrap() > 0.9, "{stripped}");
    fs::remove_dir_all(&marked).unwrap();
    unhusk(&["eval", "lines", &pages, "--marked", &marked]).code(2).complains("no marks");
}

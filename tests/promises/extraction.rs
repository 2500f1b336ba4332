//! Fields learned from a few labelled records.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Desk, unhusk};

/// A shop: a list of boats on two pages.
fn shop(desk: &Desk) -> String {
    let row = |n: usize| format!("<tr><td><a href='/boat/{n}'>Boat {n}</a></td><td>{n}.50</td></tr>");
    let page = |from: usize| {
        let rows: String = (from..from + 8).map(row).collect();
        format!("<ul><li>Home<li>Boats</ul><table>{rows}</table><p>Imprint")
    };
    desk.site(&[("a.html", &page(0)), ("b.html", &page(100))])
}

const LABELS: &str = "a.html\t0\tname\tBoat 0\na.html\t0\tprice\t0.50\na.html\t0\tlink\t/boat/0\n\
                      a.html\t1\tname\tBoat 1\na.html\t1\tprice\t1.50\na.html\t1\tlink\t/boat/1\n";

fn learned(desk: &Desk, site: &str, labels: &str) -> String {
    let labels = desk.write("labels.tsv", labels);
    let fields = desk.path("shop.fields");
    unhusk(&["fields", "learn", site, "--labels", &labels, "--out", &fields, "--force", "-q"]).code(0);
    fields
}

fn pages(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn two_labelled_records_give_all_records_of_all_pages() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let pages = pages(&unhusk(&["extract", &site, "--fields", &fields]).code(0).out);
    assert_eq!(pages.len(), 2);
    assert_eq!(pages[1]["id"], "b.html");
    let records = pages[1]["records"].as_array().unwrap();
    assert_eq!(records.len(), 8);
    assert_eq!(records[7], json!({"name": ["Boat 107"], "price": ["107.50"], "link": ["/boat/107"]}));
}

#[test]
fn records_are_the_same_on_any_number_of_threads() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let one = unhusk(&["extract", &site, "--fields", &fields, "--explain", "--threads", "1"]).code(0).out;
    assert!(one.contains("\"distance\"") && one.contains("html/body/table/tbody/tr/td"), "{one}");
    assert_eq!(unhusk(&["extract", &site, "--fields", &fields, "--explain", "--threads", "4"]).code(0).out, one);
}

#[test]
fn learning_twice_gives_the_same_file() {
    let desk = Desk::new();
    let site = shop(&desk);
    let first = fs::read(learned(&desk, &site, LABELS)).unwrap();
    assert!(fs::read(learned(&desk, &site, LABELS)).unwrap() == first);
}

#[test]
fn a_table_has_a_row_a_record() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let csv = unhusk(&["extract", &site, "--fields", &fields, "--format", "csv"]).code(0).out;
    assert_eq!(csv.lines().count(), 17);
    assert!(csv.starts_with("id,url,record,link,name,price\r\na.html,a.html,0,/boat/0,Boat 0,0.50\r\n"), "{csv}");
    let parquet = desk.path("boats.parquet");
    unhusk(&["extract", &site, "--fields", &fields, "--format", "parquet", "--out", &parquet]).code(0);
    assert!(fs::read(&parquet).unwrap().starts_with(b"PAR1"));
}

#[test]
fn values_that_wrappers_find_are_fields_to_search_by() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let index = desk.index(&site, &["--strip", "none", "--fields", &fields]);
    let ask = |filter: &str| unhusk(&["search", &index, "boats", "--filter", filter, "--format", "json"]);
    assert_eq!(ask("price>100").code(0).ids(), ["b.html"]);
    assert_eq!(ask("name:\"Boat 3\"").code(0).ids(), ["a.html"]);
    let info = unhusk(&["info", &index]).code(0).out;
    assert!(info.contains("price: 2 pages (100.0 %), number, 16 distinct; from wrapper 2"), "{info}");
    // A page that comes later has its values too.
    desk.write("site/c.html", fs::read_to_string(desk.path("site/b.html")).unwrap().replace("Boat 10", "Ship 20"));
    unhusk(&["update", &index, &site, "--fields", &fields]).code(0);
    assert_eq!(ask("name:\"Ship 203\"").code(0).ids(), ["c.html"]);
}

#[test]
fn a_check_passes_on_pages_of_the_same_make_and_tells_a_redesign() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    unhusk(&["fields", "check", &site, "--fields", &fields, "--require", "80%"]).code(0);
    let card = |n: usize| format!("<section><h2>Boat {n}</h2><p>costs <b>{n}.50</b></section>");
    let cards: String = (0..8).map(card).collect();
    let new = desk.write("new.html", format!("<main>{cards}</main>"));
    let said = unhusk(&["fields", "check", &new, "--fields", &fields, "--require", "80%"]).code(1);
    assert!(said.out.contains("pages that fit no wrapper"), "{}", said.out);
}

#[test]
fn with_labels_a_check_measures() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let rows: String = (0..8).map(|n| format!("b.html\t{n}\tname\tBoat {}\n", 100 + n)).collect();
    let truth = desk.write("truth.tsv", rows);
    let said = unhusk(&["fields", "check", &site, "--fields", &fields, "--labels", &truth, "--format", "json"]).code(0);
    assert_eq!(said.json()["measured"]["attributes"]["name"], json!({"precision": 1.0, "recall": 1.0, "f1": 1.0}));
    assert_eq!(said.json()["measured"]["by_record"]["f1"], 1.0);
}

#[test]
fn fields_of_two_hosts_merge_into_one_file() {
    let desk = Desk::new();
    let site = shop(&desk);
    let fields = learned(&desk, &site, LABELS);
    let labels = desk.path("labels.tsv");
    let other = desk.path("other.fields");
    let here =
        ["fields", "learn", &site, "--base-url", "https://boats.example/", "--labels", &labels, "--out", &other, "-q"];
    unhusk(&here).code(0);
    let both = desk.path("both.fields");
    let shown = unhusk(&["fields", "merge", &fields, &other, "--out", &both]).code(0).out;
    assert!(shown.contains("(no URL)") && shown.contains("boats.example"), "{shown}");
    assert!(unhusk(&["extract", &site, "--fields", &both]).code(0).out.contains("Boat 107"));
}

#[test]
fn bad_labels_and_files_are_refused_by_name() {
    let desk = Desk::new();
    let site = shop(&desk);
    let learn = |labels: &str| {
        let labels = desk.write("bad.tsv", labels);
        unhusk(&["fields", "learn", &site, "--labels", &labels, "--out", &desk.path("bad.fields")]).code(2)
    };
    learn("a.html\t0\tname\tBoat 77\n")
        .complains("page a.html, record 0, attribute name: the value \"Boat 77\" is nowhere");
    learn("c.html\t0\tname\tBoat 0\n").complains("c.html");
    learn("a.html\t0\tname\n").complains("bad.tsv, line 1: 3 fields");
    learn("a.html\t0\tname\tBoat 0\na.html\t0\tname\t\n")
        .complains("bad.tsv, line 2: name has a value and is missing at once");
    learn("").complains("no labels");
    let fields = learned(&desk, &site, LABELS);
    let text = fs::read_to_string(&fields).unwrap();
    let damaged = desk.write("damaged.fields", text.replacen("tbody", "thead", 1));
    unhusk(&["extract", &site, "--fields", &damaged]).code(2).complains("was changed after it was written");
    let newer = desk.write("newer.fields", text.replacen("\"version\": 1", "\"version\": 9", 1));
    unhusk(&["fields", "show", &newer]).code(2).complains("version 9");
    let empty = desk.folder().join("empty");
    fs::create_dir_all(&empty).unwrap();
    unhusk(&["extract", empty.to_str().unwrap(), "--fields", &fields]).code(2);
    unhusk(&["fields", "learn", &site, "--labels", &desk.path("labels.tsv"), "--out", &fields])
        .code(2)
        .complains("exists already");
}

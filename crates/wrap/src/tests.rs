#![allow(clippy::unwrap_used)]
//! What is learned of small pages, and what is found with it.

use std::collections::BTreeMap;
use std::path::Path;

use unhusk_pages::parse::{Limits, parse_carried};
use unhusk_pages::read::{Origin, RawPage};

use crate::extract::{extract_within, plain};
use crate::fields::{Fields, FieldsError, Host, Level};
use crate::labels::{LabelError, Labels};
use crate::learn::{learn, wanted};
use crate::library::Found;
use crate::tree::{Tree, Wanted};

const T: f64 = crate::extract::THRESHOLD;

fn tree(id: &str, html: &str, wanted: Wanted) -> Tree {
    let origin = Origin { file: id.into(), offset: 0 };
    let (id, url) = (id.to_owned(), id.to_owned());
    let raw = RawPage { id, url, bytes: html.into(), content_type: None, origin, stamp: None };
    Tree::new(&parse_carried(&raw, Limits::default()), wanted)
}

fn labels(text: &str) -> Labels {
    Labels::parse(text.as_bytes(), Path::new("labels.tsv")).unwrap()
}

/// Learns of pages by name, with the attributes that the labels need.
fn learned(pages: &[(&str, &str)], text: &str) -> (Vec<Tree>, Host) {
    let labels = labels(text);
    let mut needed = Wanted::default();
    for (id, html) in pages {
        if let Some(records) = labels.pages.get(*id) {
            needed = needed.or(wanted(&tree(id, html, Wanted::ALL), records));
        }
    }
    let trees: Vec<Tree> = pages.iter().map(|(id, html)| tree(id, html, needed)).collect();
    let host = learn(&trees, &labels, Level::Record, needed).unwrap();
    (trees, host)
}

fn values(found: &[Found]) -> Vec<BTreeMap<&str, Vec<&str>>> {
    found.iter().map(plain).collect()
}

fn row(name: &str, price: &str) -> String {
    format!("<tr><td><a href='/{name}'>{name}</a></td><td>{price}</td></tr>")
}

fn list(rows: &[(&str, &str)]) -> String {
    let rows: String = rows.iter().map(|(name, price)| row(name, price)).collect();
    format!("<h1>Boats</h1><table>{rows}</table><p>end")
}

#[test]
fn two_labelled_rows_find_all_rows() {
    let page = list(&[("Ada", "5"), ("Bea", "6"), ("Cleo", "7"), ("Dora", "8")]);
    let text = "p\t0\tname\tAda\np\t0\tprice\t5\np\t0\tlink\t/Ada\np\t1\tname\tBea\np\t1\tprice\t6\np\t1\tlink\t/Bea\n";
    let (trees, host) = learned(&[("p", &page)], text);
    let found = extract_within(&trees[0], &host, T);
    let names: Vec<&str> = values(&found).iter().map(|record| record["name"][0]).collect();
    assert_eq!(names, ["Ada", "Bea", "Cleo", "Dora"]);
    assert_eq!(values(&found)[3]["link"], ["/Dora"]);
    assert_eq!(values(&found)[3]["price"], ["8"]);
}

#[test]
fn one_labelled_row_is_enough_where_rows_are_alike() {
    let page = list(&[("Ada", "5"), ("Bea", "6"), ("Cleo", "7"), ("Dora", "8")]);
    let (trees, host) = learned(&[("p", &page)], "p\t0\tname\tAda\np\t0\tprice\t5\n");
    assert_eq!(extract_within(&trees[0], &host, T).len(), 4);
}

#[test]
fn no_value_is_in_two_records() {
    let page = list(&[("Ada", "5"), ("Bea", "6"), ("Cleo", "7")]);
    let (trees, host) = learned(&[("p", &page)], "p\t0\tname\tAda\np\t0\tprice\t5\np\t1\tname\tBea\np\t1\tprice\t6\n");
    let found = extract_within(&trees[0], &host, T);
    let mut nodes: Vec<u32> =
        found.iter().flat_map(|found| found.values.values().flatten().map(|value| value.node)).collect();
    let all = nodes.len();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), all);
}

fn detail(rows: &[(&str, &str)]) -> String {
    let rows: String = rows.iter().map(|(label, value)| format!("<tr><td>{label}</td><td>{value}</td></tr>")).collect();
    format!("<ul><li>Home<li>Search</ul><table>{rows}</table><p>Imprint")
}

#[test]
fn a_missing_row_does_not_shift_the_others() {
    let full = |sponsor: &str, publisher: &str| detail(&[("Sponsor", sponsor), ("Publisher", publisher)]);
    let pages = [
        full("Mill", "Oak Press"),
        full("Quay", "Elm Press"),
        full("Lock", "Ash Press"),
        detail(&[("Publisher", "Fir Press")]),
        detail(&[("Sponsor", "Weir")]),
    ];
    let pages: Vec<(String, &String)> = pages.iter().enumerate().map(|(n, page)| (n.to_string(), page)).collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(id, page)| (id.as_str(), page.as_str())).collect();
    let (trees, host) = learned(&pages, "0\t0\tpublisher\tOak Press\n");
    let found: Vec<Vec<Found>> = trees.iter().map(|tree| extract_within(tree, &host, T)).collect();
    assert_eq!(values(&found[2])[0]["publisher"], ["Ash Press"]);
    assert_eq!(values(&found[3])[0]["publisher"], ["Fir Press"]);
}

#[test]
fn a_value_that_is_nowhere_is_an_error_that_names_it() {
    let tree = tree("p", "<p>one", Wanted::default());
    let error = learn(&[tree], &labels("p\t0\tname\ttwo\n"), Level::Record, Wanted::default()).unwrap_err();
    let LabelError::NowhereOnPage { id, record, attribute, value } = error else { panic!("{error}") };
    assert_eq!((id.as_str(), record, attribute.as_str(), value.as_str()), ("p", 0, "name", "two"));
}

#[test]
fn labels_are_refused_with_their_line() {
    for (text, line) in [
        ("p\t0\tname\n", 1),
        ("p\t0\tname\tone\np\tx\tname\tone\n", 2),
        ("p\t0\tname\tone\np\t0\tname\t\n", 2),
        ("{\"id\": \"p\", \"records\": [{\"name\": {}}]}\n", 1),
        ("{\"id\": \"p\", \"records\": [{\"n\": \"1\"}]}\n{\"id\": \"p\", \"records\": []}\n", 2),
    ] {
        let error = Labels::parse(text.as_bytes(), Path::new("labels.tsv")).unwrap_err();
        assert!(error.to_string().starts_with(&format!("labels.tsv, line {line}: ")), "{error}");
    }
    assert!(matches!(Labels::parse(b"\n# nothing\n", Path::new("l")), Err(LabelError::Empty { .. })));
}

#[test]
fn both_ways_to_write_labels_are_the_same() {
    let json =
        labels("{\"id\": \"p\", \"records\": [{\"name\": \"one\", \"tag\": [\"a\", \"b\"]}, {\"name\": \"two\"}]}\n");
    assert_eq!(json, labels("p\t0\tname\tone\np\t0\ttag\ta\np\t0\ttag\tb\np\t1\tname\ttwo\n"));
}

fn some_fields() -> Fields {
    let page = list(&[("Ada", "5"), ("Bea", "6"), ("Cleo", "7")]);
    let (_, host) = learned(&[("p", &page)], "p\t0\tname\tAda\np\t0\tprice\t5\np\t1\tname\tBea\np\t1\tprice\t6\n");
    Fields { hosts: [(String::new(), host)].into() }
}

#[test]
fn a_fields_file_is_read_as_it_was_written() {
    let fields = some_fields();
    assert_eq!(Fields::from_bytes(&fields.to_bytes(), Path::new("f")).unwrap(), fields);
}

#[test]
fn every_changed_byte_of_a_fields_file_is_seen() {
    let bytes = some_fields().to_bytes();
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(Fields::from_bytes(&changed, Path::new("f")).is_err(), "byte {at}");
    }
}

#[test]
fn another_version_is_named() {
    let text = String::from_utf8(some_fields().to_bytes()).unwrap().replace("\"version\": 1,", "\"version\": 2,");
    let error = Fields::from_bytes(text.as_bytes(), Path::new("f")).unwrap_err();
    assert!(matches!(error, FieldsError::Version { found: 2, .. }), "{error}");
}

#[test]
fn ten_thousand_rows_are_a_page() {
    let rows: Vec<(String, String)> = (0..10_000).map(|n| (format!("Boat {n}"), format!("{n}.50"))).collect();
    let rows: Vec<(&str, &str)> = rows.iter().map(|(name, price)| (name.as_str(), price.as_str())).collect();
    let page = list(&rows);
    let (trees, host) =
        learned(&[("p", &page)], "p\t0\tname\tBoat 0\np\t0\tprice\t0.50\np\t1\tname\tBoat 1\np\t1\tprice\t1.50\n");
    assert_eq!(extract_within(&trees[0], &host, T).len(), 10_000);
}

#[test]
fn records_beside_each_other_under_one_node_are_found() {
    let item = |n: u32| format!("<dt>Boat {n}</dt><dd>{n}.50</dd>");
    let page = format!("<dl>{}</dl>", (0..6).map(item).collect::<String>());
    let (trees, host) =
        learned(&[("p", &page)], "p\t0\tname\tBoat 0\np\t0\tprice\t0.50\np\t1\tname\tBoat 1\np\t1\tprice\t1.50\n");
    let found = extract_within(&trees[0], &host, T);
    assert_eq!(found.len(), 6);
    assert_eq!(values(&found)[5]["price"], ["5.50"]);
}

#[test]
fn one_more_record_refines_the_wrappers() {
    use crate::broom::brooms;
    use crate::update::{THRESHOLD, update};
    let page = tree("p", &list(&[("Ada", "5"), ("Bea", "6")]), Wanted::default());
    let node = |text: &str| (0..page.nodes.len() as u32).find(|&node| page.leaf_text(node) == text).unwrap();
    let record = |name: &str, price: &str| {
        [(node(name), vec!["name".to_owned()]), (node(price), vec!["price".to_owned()])].into()
    };
    let brooms = brooms(&page, &[record("Ada", "5"), record("Bea", "6")], &Default::default());
    let mut wrappers = Vec::new();
    for broom in brooms.iter().flatten() {
        update(&mut wrappers, &broom.head, THRESHOLD);
    }
    assert_eq!((wrappers.len(), wrappers[0].members), (1, 2));
}

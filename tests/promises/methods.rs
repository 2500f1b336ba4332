//! One table of cases, run through every method from outside.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Desk, unhusk};

/// A site, and what a method leaves of its first page.
struct Case {
    name: &'static str,
    pages: Vec<String>,
    /// Method and what it keeps of the first page, blocks separated by ` / `.
    kept: &'static [(&'static str, &'static str)],
}

/// The methods, with parameters under which a handful of pages is enough to learn from.
const METHODS: [(&str, &[&str]); 5] = [
    ("none", &["--strip", "none"]),
    ("table", &["--strip", "table", "--delimiters", "table", "--min-df", "4"]),
    ("block", &["--strip", "table", "--delimiters", "block", "--min-df", "4"]),
    ("sandwich", &["--strip", "sandwich", "--unit", "line"]),
    ("cluster", &["--strip", "cluster"]),
];

const NUMBERS: [&str; 5] = ["one", "two", "three", "four", "five"];

fn site(page: impl Fn(&str) -> String) -> Vec<String> {
    NUMBERS.iter().map(|number| page(number)).collect()
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "nested tables: before, inside and after are three chunks",
            pages: site(|n| {
                format!("<table><tr><td>Menu\n<table><tr><td>{n}\n</td></tr></table>\nFoot</td></tr></table>")
            }),
            kept: &[
                ("none", "Menu / one / Foot"),
                ("table", "one"),
                ("block", "one"),
                ("sandwich", "one"),
                ("cluster", "one"),
            ],
        },
        Case {
            name: "image maps cut the text around them",
            pages: site(|n| format!("Menu\n<map name=m><area href=x alt=y></map>\n{n}")),
            kept: &[("none", "Menu / one"), ("table", "one"), ("block", "one"), ("sandwich", "one")],
        },
        Case {
            name: "a chunk twice on a page counts once",
            pages: vec![
                "<p>again</p>\n<p>again</p>\n<p>one</p>".to_owned(),
                "<p>again</p>\n<p>again</p>\n<p>two</p>".to_owned(),
                "<p>three</p>".to_owned(),
                "<p>four</p>".to_owned(),
            ],
            kept: &[("table", "again / again / one"), ("block", "again / again / one"), ("sandwich", "one")],
        },
        Case {
            name: "a page of template only is left empty",
            pages: [vec!["<p>Menu</p>\n".to_owned()], site(|n| format!("<p>Menu</p>\n<p>{n}</p>"))].concat(),
            kept: &[("none", "Menu"), ("table", "Menu"), ("block", ""), ("sandwich", "")],
        },
        Case {
            name: "a site of one page has no template",
            pages: vec!["<p>Menu</p>\n<p>one</p>".to_owned()],
            kept: &[
                ("table", "Menu / one"),
                ("block", "Menu / one"),
                ("sandwich", "Menu / one"),
                ("cluster", "Menu / one"),
            ],
        },
        Case {
            name: "white space, case and entities do not tell chunks apart; lines are compared as they are",
            pages: vec![
                "<p>Fish and chips</p>\n<p>one</p>".to_owned(),
                "<p>fish  AND\tchips</p>\n<p>two</p>".to_owned(),
                "<p>fish &#97;nd chips</p>\n<p>three</p>".to_owned(),
                "<p>FISH and <b>chips</b>!</p>\n<p>four</p>".to_owned(),
            ],
            kept: &[("block", "one"), ("sandwich", "Fish and chips / one")],
        },
        Case {
            name: "two templates in one site are both found",
            pages: (0..8)
                .map(|n| {
                    let menu = if n % 2 == 0 { "News Sport" } else { "Shop Cart" };
                    format!("<div>{menu}</div>\n<p>page {n}</p>\n<div>All rights reserved</div>")
                })
                .collect(),
            kept: &[("none", "News Sport / page 0 / All rights reserved"), ("block", "page 0")],
        },
        Case {
            name: "copies of a page do not make its text a template",
            pages: [
                vec![article("<p>Menu</p>\n"); 4],
                site(|n| format!("<p>Menu</p>\n<p>{n} is another story altogether</p>")),
            ]
            .concat(),
            kept: &[("block", "a long story about the herring fleet of the old harbour town in winter")],
        },
    ]
}

fn article(before: &str) -> String {
    format!("{before}<p>a long story about the herring fleet of the old harbour town in winter</p>")
}

#[test]
fn every_method_leaves_what_the_table_of_cases_says() {
    let desk = Desk::new();
    let mut failures = Vec::new();
    for (number, case) in cases().into_iter().enumerate() {
        for (page, html) in case.pages.iter().enumerate() {
            desk.write(&format!("{number}/{page}.html"), html);
        }
        let site = desk.path(&number.to_string());
        let kept: BTreeMap<&str, &str> = case.kept.iter().copied().collect();
        for (method, args) in METHODS {
            let Some(expected) = kept.get(method) else { continue };
            let found = first_page(&site, args);
            if found != *expected {
                failures.push(format!("{}: {method} keeps {found:?}, expected {expected:?}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn first_page(site: &str, args: &[&str]) -> String {
    let command = [&["strip", site, "--format", "jsonl", "-q"], args].concat();
    let lines = unhusk(&command).code(0).out;
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    first["text"].as_str().unwrap().replace('\n', " / ")
}

#[test]
fn dropped_text_comes_with_a_reason_in_every_format() {
    let desk = Desk::new();
    let pages = site(|n| format!("<title>{n}</title><p>Menu</p>\n<p>{n}</p>"));
    let names: Vec<String> = (0..pages.len()).map(|n| format!("{n}.html")).collect();
    let pages: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(pages.iter().map(String::as_str)).collect();
    let site = desk.site(&pages);
    let method = ["--strip", "table", "--min-df", "4", "-q", "--page", "2.html"];
    let strip = |more: &[&str]| unhusk(&[&["strip", &site], &method[..], more].concat()).code(0).out;
    assert_eq!(strip(&[]), "three\n");
    let reason = "this chunk is on 5 of 5 pages, and 4 make a template";
    assert_eq!(strip(&["--explain", "--no-metadata"]), format!("# dropped: {reason}\n- Menu\n  three\n"));
    let json: Value = serde_json::from_str(&strip(&["--format", "json"])).unwrap();
    assert_eq!(json["dropped"][0]["text"], "Menu");
    assert_eq!(json["dropped"][0]["reason"], reason);
    assert_eq!(json["dropped"][0]["pages"], 5);
    let html = strip(&["--format", "html"]);
    assert!(html.contains(&format!("title=\"dropped: {reason}\">Menu</span></p>\n<p>three</p>")), "{html}");
    unhusk(&["strip", &site, "--page", "nine.html"]).code(2).complains("no page has the id nine.html");
    unhusk(&["strip", &site, "--format", "html"]).code(2).complains("--page");
}

#[test]
fn learned_templates_are_listed_most_pages_first() {
    let desk = Desk::new();
    let index = desk.index("collections/harbour", &["--strip", "table"]);
    let listed = unhusk(&["templates", &index, "--format", "json"]).code(0).json();
    let templates = listed["templates"].as_array().unwrap();
    let pages: Vec<u64> = templates.iter().map(|template| template["pages"].as_u64().unwrap()).collect();
    assert!(pages.len() > 20 && pages.is_sorted_by(|a, b| a >= b), "{pages:?}");
    assert!(templates.iter().any(|template| template["text"].as_str().unwrap().starts_with("Home\nHarbour\nCouncil")));
    let table = unhusk(&["templates", &index, "--lines", "-n", "3"]).code(0).out;
    assert!(table.contains("Advertisement") && table.contains("-n shows more"), "{table}");
    let none = desk.index("collections/harbour", &["--strip", "none"]);
    unhusk(&["templates", &none]).code(1);
}

#[test]
fn a_whole_menu_is_one_template() {
    let desk = Desk::new();
    let index = desk.index("collections/harbour", &[]);
    let listed = unhusk(&["templates", &index, "--format", "json"]).code(0).json();
    let text = |number: &Value| listed["templates"][number.as_u64().unwrap() as usize]["text"].as_str().unwrap();
    let groups = listed["together"].as_array().unwrap();
    let menu: Vec<&str> = groups
        .iter()
        .map(|group| group.as_array().unwrap().iter().map(text).collect::<Vec<_>>())
        .find(|texts| texts.contains(&"Obituaries"))
        .unwrap();
    let order = ["Home", "Harbour", "Council", "Health", "Technology", "Law", "Sport", "Weather"];
    assert!(menu.windows(order.len()).any(|part| part == order), "{menu:?}");
    let out = unhusk(&["templates", &index, "-n", "5"]).code(0).out;
    assert_eq!(out.lines().filter(|line| line.contains(".html")).count(), 5, "{out}");
    assert!(out.contains("texts); -n shows more, --lines each text by itself"), "{out}");
}

#[test]
fn a_tiny_memory_budget_and_other_threads_change_nothing_but_the_cost() {
    let desk = Desk::new();
    let strip = |more: &[&str]| {
        let args = ["strip", "collections/harbour", "--strip", "table", "--format", "jsonl", "-q"];
        unhusk(&[&args[..], more].concat()).code(0).out
    };
    let whole = strip(&[]);
    assert_eq!(strip(&["--memory", "1KiB", "--threads", "1"]), whole);
    assert_eq!(strip(&["--memory", "1KiB", "--threads", "7"]), whole);
    let index = desk.index("collections/harbour", &["--strip", "table", "--memory", "1KiB"]);
    let manifest = unhusk(&["info", &index, "--format", "json"]).code(0).json();
    assert!(manifest["findings"]["spilled_runs"].as_u64().unwrap() > 0);
}

#[test]
fn a_larger_sample_discovers_more_of_the_templates() {
    let desk = Desk::new();
    let dropped = |pages: &str| {
        let args = ["--strip", "table", "--min-df", "4", "--sample-pages", pages, "--sample-seed", "1", "--force"];
        let index = desk.index("collections/harbour", &args);
        let manifest = unhusk(&["info", &index, "--format", "json"]).code(0).json();
        manifest["text_bytes"].as_u64().unwrap() - manifest["kept_bytes"].as_u64().unwrap()
    };
    let curve = ["4", "15", "40", "152"].map(dropped);
    assert!(curve.is_sorted(), "{curve:?}");
    assert!(curve[0] * 5 < curve[3] && curve[2] * 10 > curve[3] * 8, "{curve:?}");
}

#[test]
fn all_template_tables_are_found_but_those_made_to_be_hard() {
    let desk = Desk::new();
    let folder = desk.path("samples");
    unhusk(&["generate", "--table-samples", "--seed", "1", "--out", &folder, "-q"]).code(0);
    let names =
        ["long-articles", "counter", "middling", "short-articles", "many-boxes", "few-boxes", "notice", "plain"];
    let sites: Vec<String> = names.iter().map(|name| format!("{folder}/{name}")).collect();
    let method = ["--strip", "table", "--delimiters", "table", "--min-df", "4", "--format", "json", "-q"];
    let args: Vec<&str> =
        ["eval", "discovery"].into_iter().chain(sites.iter().map(String::as_str)).chain(method).collect();
    let rows = unhusk(&args).code(0).json();
    for row in rows.as_array().unwrap() {
        let (ratio, hard) =
            (row["ratio"].as_f64().unwrap(), ["counter", "notice"].contains(&row["site"].as_str().unwrap()));
        assert!(if hard { (0.85..1.0).contains(&ratio) } else { ratio == 1.0 }, "{row}");
    }
}

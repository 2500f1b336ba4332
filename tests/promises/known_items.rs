//! Queries whose answer nobody needs to judge: pages by their rarest words, and by the texts of links to them.

use crate::support::{Desk, unhusk};

/// Twelve stories behind one menu, which link to each other. Below each a reader says words that come first in the alphabet.
fn newspaper(desk: &Desk) -> String {
    let words = |kind: &str, number: usize, count: usize| -> String {
        let letter = |digit: u8| (digit - b'0' + b'a') as char;
        let name: String = number.to_string().bytes().map(letter).collect();
        (0..count).map(|word| format!("{kind}{name}x{word}")).collect::<Vec<_>>().join(" ")
    };
    for number in 10..22 {
        let paragraphs: String =
            (1..5).map(|part| format!("<p>{}</p>", words("story", 10 * number + part, 30))).collect();
        let next = if number == 21 { 10 } else { number + 1 };
        desk.write(
            &format!("site/{number}.html"),
            format!(
                "<title>Bridge {} - Town News</title><body><div id=top><a href=index.html>Home of the town</a></div>\
                 <h1>Bridge {}</h1><div class=story>{paragraphs}<p>Read about <a href={next}.html>bridge {}</a> too, \
                 which is another story.</p></div><div class=reader-comments><p>{}</p></div>",
                words("name", number, 1),
                words("name", number, 1),
                words("name", next, 1),
                words("aunt", number, 20)
            ),
        );
    }
    desk.path("site")
}

#[test]
fn without_queries_methods_are_compared_by_known_items() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let said = unhusk(&["compare", &site, "--strip", "none,auto", "--format", "json", "-q"]).code(0);
    let report = said.json();
    assert_eq!(report["settings"]["known_items"], serde_json::json!({"own_words": 12, "link_texts": 12}));
    let queries = report["views"][0]["queries"].as_array().unwrap();
    assert_eq!(queries.len(), 24);
    let answers = |kind: &str| queries.iter().filter(|query| query["id"].as_str().unwrap().starts_with(kind)).count();
    assert_eq!((answers("words-"), answers("link-")), (12, 12));
    let asked: Vec<&str> = queries.iter().map(|query| query["text"].as_str().unwrap()).collect();
    assert!(asked.contains(&"auntbax0 auntbax1 auntbax10"), "{asked:?}");
    assert!(asked.contains(&"bridge namebax0"), "{asked:?}");
    let said = unhusk(&["compare", &site, "--strip", "none,auto", "-q"]).code(0);
    let out = said.out.replace('\n', " ");
    assert!(out.contains("12 by their rarest words, 12 by the text of links to them"), "{out}");
}

#[test]
fn an_index_that_is_tested_says_what_is_not_found_any_more() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let index = desk.path("index");
    let said = unhusk(&["index", &site, "-o", &index, "--self-test", "--format", "json", "-q"]).code(0);
    let test = said.json()["self_test"].clone();
    assert_eq!(test["own_words"]["queries"], 12);
    assert_eq!(test["own_words"]["stripped"], serde_json::json!({"first": 12, "in_ten": 12}));
    assert_eq!(test["own_words"]["lost"], serde_json::json!([]));

    // Readers' words are rarest, and nobody finds what is dropped.
    let dropped = ["index", &site, "-o", &index, "--force", "--self-test", "--aside", "drop"];
    let test = unhusk(&[&dropped[..], &["--format", "json", "-q"]].concat()).code(0).json()["self_test"].clone();
    assert_eq!(test["own_words"]["whole"]["first"], 12);
    assert_eq!(test["own_words"]["stripped"], serde_json::json!({"first": 0, "in_ten": 0}));
    assert_eq!(test["own_words"]["lost"].as_array().unwrap().len(), 12);
    let said = unhusk(&dropped).code(0);
    assert!(said.out.contains("by own words     12 queries: 12 (12) with templates, 0 (0) without"), "{}", said.out);
    assert!(said.out.contains("not found any more: 10.html"), "{}", said.out);
    assert!(said.out.contains("… and 7 more"), "{}", said.out);
}

#[test]
fn queries_and_judgements_come_together_or_not_at_all() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let queries = desk.write("queries.tsv", "q1\tbridge\n");
    let said = unhusk(&["compare", &site, "--queries", &queries]).code(2);
    assert!(said.err.contains("--qrels"), "{}", said.err);
}

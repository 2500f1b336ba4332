//! One query, one answer.

use crate::support::{Desk, found, unhusk};

fn library(desk: &Desk) -> String {
    let site = desk.site(&[
        ("apples.html", "<p>Apples and pears grow on trees."),
        ("pears.html", "<p>Pears, and later apples, are pressed for cider."),
        ("plums.html", "<p>Plums make brandy. Write to C programmers in C++ or plain C."),
        ("code.html", "<p>Call <code>scipy.linalg.eig</code> and set <code>max_connections</code>; see std::vector."),
        ("zh.html", "<p>我们在海港旁边的图书馆读书。"),
        ("ja.html", "<p>東京都の図書館で灯台の本を読みました。"),
        ("evil.html", "<p>sneaky \u{1b}[31mred\u{1b}[0m and \u{202e}backwards"),
    ]);
    desk.write("site/titled.html", "<title>Orchard news</title><p>Nothing about fruit today.");
    desk.write("site/bodied.html", "<title>Other news</title><p>The orchard flowers.");
    desk.index(&site, &[])
}

fn sorted(index: &str, query: &str) -> Vec<String> {
    let mut ids = found(index, query);
    ids.sort();
    ids
}

#[test]
fn any_word_may_match() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(sorted(&index, "cider brandy"), ["pears.html", "plums.html"]);
    let said = unhusk(&["search", &index, "cider", "brandy", "--format", "json"]).code(0);
    assert_eq!(said.json()["query"], "cider brandy", "several arguments are one query");
}

#[test]
fn quoted_words_stand_side_by_side() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(found(&index, "\"apples and pears\""), ["apples.html"]);
    assert_eq!(found(&index, "\"pears and later apples\""), ["pears.html"]);
    assert_eq!(found(&index, "\"pears apples\""), [""; 0]);
}

#[test]
fn plus_must_match_and_minus_must_not() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(found(&index, "+apples +cider"), ["pears.html"]);
    assert_eq!(found(&index, "apples -cider"), ["apples.html"]);
    assert_eq!(found(&index, "-\"apples and\" pears"), ["pears.html"]);
    assert_eq!(found(&index, "-apples"), [""; 0], "what must not match finds nothing by itself");
}

#[test]
fn a_phrase_is_left_out_wherever_its_first_page_is() {
    let desk = Desk::new();
    let page = |n: usize| {
        (format!("p{n}.html"), format!("<p>The ferry sails at {n}{}.", if n == 7 { " in thick fog" } else { "" }))
    };
    let pages: Vec<_> = (1..=9).map(page).collect();
    let pages: Vec<_> = pages.iter().map(|(id, body)| (id.as_str(), body.as_str())).collect();
    let index = desk.index(&desk.site(&pages), &["--strip", "none"]);
    for query in
        ["ferry -\"thick fog\"", "ferry -body:\"thick fog\"", "+ferry -thick-fog", "\"the ferry\" -\"in thick fog\""]
    {
        let found = sorted(&index, query);
        assert_eq!(found.len(), 8, "{query}");
        assert!(!found.contains(&"p7.html".to_owned()), "{query}");
    }
    let said = unhusk(&["search", &index, "--format", "json", "--", "ferry -\"sails away\""]).code(0);
    let hit = &said.json()["hits"][0];
    assert_eq!(hit["highlights"].as_array().unwrap().len(), 1, "what must not be there is not highlighted: {hit}");
}

#[test]
fn a_field_can_be_named_for_a_word_or_for_the_search() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(found(&index, "title:orchard"), ["titled.html"]);
    assert_eq!(found(&index, "body:orchard"), ["bodied.html"]);
    let by = |fields: &str| unhusk(&["search", &index, "orchard", "--fields", fields, "--format", "json"]).ids();
    assert_eq!(by("title"), ["titled.html"]);
    assert_eq!(by("body"), ["bodied.html"]);
    assert_eq!(by("title,body").len(), 2);
    unhusk(&["search", &index, "orchard", "--fields", "heading"]).code(2).complains("choose title, body or aside");
}

#[test]
fn a_title_counts_for_more_when_asked_to() {
    let desk = Desk::new();
    let index = library(&desk);
    let best = |boost: &str| {
        unhusk(&["search", &index, "orchard", "--title-boost", boost, "--format", "json"]).ids().remove(0)
    };
    assert_eq!(best("20"), "titled.html");
    assert_eq!(best("0"), "bodied.html");
    unhusk(&["search", &index, "orchard", "--title-boost=-1"]).code(2).complains("from 0 to 1000");
}

#[test]
fn whatever_is_typed_is_a_query() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(found(&index, "C++ \"unclosed"), ["plums.html"]);
    for odd in ["\"", "+", "-", "title:", "::", "a:b:c", "(", "))", "AND", "*", "\\", "~", "^2", "[a TO b]", " "] {
        assert!(unhusk(&["search", &index, "--", odd]).code < 2, "{odd:?}");
    }
}

#[test]
fn strict_syntax_names_the_mistake_and_its_place() {
    let desk = Desk::new();
    let index = library(&desk);
    let strict = |query: &str| unhusk(&["search", &index, "--strict-syntax", "--", query]);
    strict("apples \"unclosed").code(2).complains("the quote at character 8 is not closed");
    strict("apples + pears").code(2).complains("'+' at character 8 is followed by no word");
    strict("heading:apples").code(2).complains("there is no field 'heading'");
    strict("+apples -brandy title:\"a b\"").code(0);
}

#[test]
fn nothing_found_is_exit_status_one() {
    let desk = Desk::new();
    let index = library(&desk);
    let said = unhusk(&["search", &index, "nothingofthesort"]).code(1);
    assert_eq!(said.out, "");
    said.complains("nothing found for nothingofthesort");
    let json = unhusk(&["search", &index, "nothingofthesort", "--format", "json"]).code(1).json();
    assert_eq!(json["hits"].as_array().unwrap().len(), 0);
}

#[test]
fn control_characters_are_spelled_out() {
    let desk = Desk::new();
    let index = library(&desk);
    let said = unhusk(&["search", &index, "sneaky"]).code(0);
    assert!(!said.out.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    assert!(said.out.contains(r"\u{1b}[31mred") && said.out.contains(r"\u{202e}backwards"), "{said:?}");
    let nothing = unhusk(&["search", &index, "\u{1b}[31mnothingofthesort"]).code(1);
    assert!(!nothing.err.contains('\u{1b}'), "{nothing:?}");
}

#[test]
fn a_word_inside_a_chinese_or_japanese_sentence_is_found() {
    let desk = Desk::new();
    let index = library(&desk);
    assert_eq!(found(&index, "海港"), ["zh.html"]);
    assert_eq!(found(&index, "灯台"), ["ja.html"]);
    assert_eq!(found(&index, "\"京都の図書館\""), ["ja.html"]);
    assert_eq!(found(&index, "港海"), [""; 0], "order counts");
}

#[test]
fn an_identifier_is_found_whole_and_in_parts() {
    let desk = Desk::new();
    let index = library(&desk);
    for query in ["scipy.linalg.eig", "linalg", "max_connections", "connections", "std::vector", "vector"] {
        assert_eq!(found(&index, query), ["code.html"], "{query}");
    }
}

#[test]
fn words_are_stemmed_in_the_language_of_the_index_only() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", "<p>The dredging of channels.")]);
    let (plain, english) = (desk.index(&site, &[]), desk.index(&site, &["--language", "en"]));
    assert_eq!(found(&plain, "dredge channel"), [""; 0]);
    assert_eq!(found(&english, "dredged channel"), ["a.html"]);
    unhusk(&["index", &site, "--language", "xx", "--out", &desk.path("x")]).code(2).complains("--language");
}

#[test]
fn k_limits_what_is_shown_whatever_its_size() {
    let desk = Desk::new();
    let index = library(&desk);
    let count = |k: &str| unhusk(&["search", &index, "and pears apples", "-k", k, "--format", "json"]).ids().len();
    assert_eq!(count("0"), 0);
    assert_eq!(count("1"), 1);
    let all = count("100");
    assert!(all > 2);
    assert_eq!(count("4000000000"), all);
    assert_eq!(count(&usize::MAX.to_string()), all);
}

#[test]
fn without_a_store_there_are_no_snippets() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", "<p>Apples and pears.")]);
    let (stored, bare) = (desk.index(&site, &[]), desk.index(&site, &["--no-store"]));
    let snippet =
        |index: &str| unhusk(&["search", index, "pears", "--format", "json"]).json()["hits"][0]["snippet"].clone();
    assert_eq!(snippet(&stored), "Apples and pears");
    assert_eq!(snippet(&bare), "");
    assert_eq!(found(&bare, "\"apples and pears\""), ["a.html"], "phrases work all the same");
}

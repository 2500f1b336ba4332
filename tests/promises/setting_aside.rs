//! Text that is a page's own but not its content: found, and shown apart from what the page is about.

use std::fs;

use serde_json::Value;

use crate::support::{Desk, Said, found, manifest, unhusk};

/// Words that no other page has.
fn prose(number: usize, words: usize) -> String {
    let letters: String = number.to_string().bytes().map(|digit| (digit - b'0' + b'a') as char).collect();
    (0..words).map(|word| format!("w{letters}x{word}")).collect::<Vec<_>>().join(" ")
}

/// A newspaper page: a menu that all share, a story, and what a reader wrote below it.
fn article(number: usize, story: &str, comment: &str) -> String {
    let paragraphs: String = (1..5).map(|part| format!("<p>{}</p>", prose(10 * number + part, 30))).collect();
    format!(
        "<title>Bridge {n} opens again - Town News</title><body><div id=top><a href=/>Home of the town</a></div>\
         <h1>Bridge {n} opens again</h1><div class=story><p>{story}</p>{paragraphs}</div>\
         <div class=reader-comments><p>{comment}</p></div>",
        n = prose(number, 1),
    )
}

/// A newspaper. One story is about an osprey, and below another a reader mentions one and a walrus.
fn newspaper(desk: &Desk) -> String {
    for number in 1..13 {
        let story = if number == 3 { "An osprey was seen over the quay" } else { "Nothing else was seen that day" };
        let comment = match number {
            5 => "My aunt saw an osprey and a walrus".to_owned(),
            _ => prose(1000 + number, 20),
        };
        desk.write(
            &format!("site/{number}.html"),
            article(number, &(story.to_owned() + " " + &prose(500 + number, 9)), &comment),
        );
    }
    desk.path("site")
}

fn search(index: &str, query: &str, more: &[&str]) -> Said {
    unhusk(&[&["search", index, query, "--format", "json", "-q"], more].concat())
}

#[test]
fn a_word_that_is_aside_finds_its_page_and_is_shown_as_such() {
    let desk = Desk::new();
    let index = desk.index(&newspaper(&desk), &[]);
    let said = search(&index, "walrus", &[]).code(0);
    assert_eq!(said.ids(), ["5.html"]);
    let hit = &said.json()["hits"][0];
    assert_eq!(hit["snippet_from"], "aside");
    assert!(hit["snippet"].as_str().unwrap().contains("My aunt saw an osprey"), "{hit}");
    assert_eq!(found(&index, "home"), [""; 0], "what is shared is not there at all");
}

#[test]
fn a_word_that_is_demoted_finds_its_page_behind_one_that_is_about_it() {
    let desk = Desk::new();
    let index = desk.index(&newspaper(&desk), &["--aside", "demote"]);
    let said = search(&index, "osprey", &[]).code(0);
    assert_eq!(said.ids(), ["3.html", "5.html"]);
    let hits = &said.json()["hits"];
    assert!(hits[0]["score"].as_f64() > hits[1]["score"].as_f64(), "{hits}");
    assert_eq!((&hits[0]["snippet_from"], &hits[1]["snippet_from"]), (&"body".into(), &"aside".into()));
    assert!(hits[1]["snippet"].as_str().unwrap().contains("My aunt saw an osprey"), "{hits}");
    assert_eq!(found(&index, "aside:osprey"), ["5.html"]);
    assert_eq!(found(&index, "body:osprey"), ["3.html"]);
    assert_eq!(found(&index, "osprey -aside:walrus"), ["3.html"]);
    assert_eq!(found(&index, "home"), [""; 0], "what is shared is not there at all");
    assert_eq!(search(&index, "osprey", &["--fields", "aside"]).code(0).ids(), ["5.html"]);
    assert_eq!(search(&index, "osprey", &["--aside-boost", "100"]).code(0).ids(), ["5.html", "3.html"]);
}

#[test]
fn what_is_aside_is_dropped_or_kept_in_the_body_when_asked_to() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let [demoted, dropped, kept] = ["demote", "drop", "keep"].map(|aside| desk.index(&site, &["--aside", aside]));
    assert_eq!(found(&dropped, "walrus"), [""; 0]);
    assert_eq!(found(&kept, "body:walrus"), ["5.html"]);
    assert_eq!(found(&kept, "\"walrus home\""), [""; 0]);
    let bytes = |index: &str| ["kept_bytes", "aside_bytes"].map(|name| manifest(index)[name].as_u64().unwrap());
    let [content, aside] = bytes(&demoted);
    assert!(aside > 0);
    assert_eq!(bytes(&dropped), [content, 0]);
    assert_eq!(bytes(&kept), [content, aside]);
    let whole = desk.index(&site, &["--strip", "none"]);
    for (index, name) in [(&demoted, "demote"), (&dropped, "drop"), (&kept, "keep")] {
        assert_eq!(manifest(index)["aside"], name);
        assert_eq!(manifest(index)["unstripped_postings"], manifest(&whole)["fields"]["body"]["postings"], "{name}");
    }
    assert_eq!(manifest(&kept)["fields"]["body"]["tokens"].as_u64(), {
        let fields = &manifest(&demoted)["fields"];
        Some(fields["body"]["tokens"].as_u64().unwrap() + fields["aside"]["tokens"].as_u64().unwrap())
    });
    let info = unhusk(&["info", &demoted]).code(0).out;
    assert!(info.contains("of that aside") && info.contains("\n aside "), "{info}");
    unhusk(&["index", &site, "--aside", "hide"]).code(2).complains("drop, demote or keep");
}

#[test]
fn stripped_pages_and_exported_documents_have_both_texts() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let of_page = |text: String| {
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.find(|line| line["id"] == "5.html").unwrap()
    };
    let stripped = of_page(unhusk(&["strip", &site, "--format", "jsonl", "-q"]).code(0).out);
    assert!(stripped["text"].as_str().unwrap().contains("Nothing else was seen"), "{stripped}");
    assert_eq!(stripped["aside"], "My aunt saw an osprey and a walrus");
    assert_eq!(stripped["dropped"][0]["text"], "Home of the town");
    let index = desk.index(&site, &[]);
    let exported = of_page(unhusk(&["export", &index]).code(0).out);
    assert_eq!((&exported["body"], &exported["aside"]), (&stripped["text"], &stripped["aside"]));
    assert_eq!(of_page(unhusk(&["export", &site, "-q"]).code(0).out), exported);
    let show = |more: &[&str]| unhusk(&[&["strip", &site, "--page", "5.html", "-q"], more].concat()).code(0).out;
    assert!(!show(&[]).contains("walrus"));
    let explained = show(&["--explain"]);
    assert!(explained.contains("\n# set aside: ") && explained.contains("\n~ My aunt saw"), "{explained}");
    assert!(explained.contains("# dropped: ") && explained.contains("\n- Home of the town"), "{explained}");
    assert!(show(&["--format", "html"]).contains("<span class=\"unhusk-aside\" title=\"set aside: "));
}

#[test]
fn an_update_keeps_what_is_aside() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    for more in [&[][..], &["--no-store"], &["--aside", "demote"], &["--aside", "drop"]] {
        let index = desk.index(&site, more);
        let before = manifest(&index);
        desk.write("site/13.html", article(13, &prose(513, 12), "A narwhal came by"));
        unhusk(&["update", &index, &site, "-q"]).code(0);
        let finds = |word: &str| found(&index, word);
        let is_there = !more.contains(&"drop");
        assert_eq!(finds("walrus").len(), usize::from(is_there), "{more:?}");
        assert_eq!(finds("narwhal").len(), usize::from(is_there), "{more:?}");
        fs::remove_file(desk.path("site/13.html")).unwrap();
        unhusk(&["update", &index, &site, "--prune", "-q"]).code(0);
        let after = manifest(&index);
        for name in ["aside", "kept_bytes", "aside_bytes", "unstripped_postings", "fields", "sizes"] {
            assert_eq!(before[name], after[name], "{name} {more:?}");
        }
    }
}

#[test]
fn a_query_without_words_that_were_left_out_ranks_as_before() {
    let desk = Desk::new();
    let site = newspaper(&desk);
    let [stripped, whole] = [&[][..], &["--strip", "none"]].map(|more| desk.index(&site, more));
    for query in ["osprey", "nothing else was seen", "quay walrus aunt"] {
        let scores = |index: &str| search(index, query, &[]).code(0).json()["hits"].clone();
        let of = |hits: &Value| -> Vec<(String, String)> {
            let hits = hits.as_array().unwrap().iter();
            hits.map(|hit| (hit["id"].to_string(), hit["score"].to_string())).collect()
        };
        assert_eq!(of(&scores(&stripped)), of(&scores(&whole)), "{query}");
    }
}

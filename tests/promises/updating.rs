//! Growing sites: what has changed goes into the index, and nothing else is looked at again.

use std::fs;

use serde_json::Value;

use crate::support::{Desk, found, manifest, unhusk};

/// A page with a menu that all pages share.
fn page(own: &str) -> String {
    format!("<div class=menu><a href=/>Home of everything</a> <a href=/law>Law and order</a></div><p>{own}</p>")
}

fn site(desk: &Desk, pages: &[(&str, &str)]) -> String {
    let pages: Vec<(&str, String)> = pages.iter().map(|(id, own)| (*id, page(own))).collect();
    desk.site(&pages.iter().map(|(id, html)| (*id, html.as_str())).collect::<Vec<_>>())
}

#[track_caller]
fn update(index: &str, collection: &str, more: &[&str]) -> Value {
    unhusk(&[&["update", index, collection, "--format", "json"], more].concat()).code(0).json()
}

#[track_caller]
fn expect(updated: &Value, added: u64, changed: u64, unchanged: u64, missing: u64) {
    let numbers = ["added", "changed", "unchanged", "missing"].map(|name| updated[name].as_u64().unwrap());
    assert_eq!(numbers, [added, changed, unchanged, missing], "added, changed, unchanged, missing");
}

const PAGES: [(&str, &str); 5] = [
    ("a.html", "oysters are dredged at dawn"),
    ("b.html", "the lifeboat went out twice"),
    ("c.html", "mooring fees rise in spring"),
    ("d.html", "the council met on tuesday"),
    ("e.html", "repair club gives old tablets"),
];

#[test]
fn new_and_changed_pages_go_in_and_missing_ones_stay_until_pruned() {
    let desk = Desk::new();
    let folder = site(&desk, &PAGES);
    let index = desk.index(&folder, &["--strip", "table"]);
    expect(&update(&index, &folder, &[]), 0, 0, 5, 0);
    desk.write("site/f.html", page("a seal was seen in the harbour"));
    desk.write("site/b.html", page("the ferry went out once"));
    fs::remove_file(desk.path("site/c.html")).unwrap();
    expect(&update(&index, &folder, &[]), 1, 1, 3, 1);
    assert_eq!(found(&index, "seal"), ["f.html"]);
    assert_eq!(found(&index, "ferry"), ["b.html"]);
    assert_eq!(found(&index, "lifeboat"), [""; 0]);
    assert_eq!(found(&index, "mooring"), ["c.html"]);
    assert_eq!(found(&index, "law"), [""; 0], "new pages lose the menu as the old ones did");
    expect(&update(&index, &folder, &["--prune"]), 0, 0, 5, 1);
    assert_eq!(found(&index, "mooring"), [""; 0]);
    assert_eq!(manifest(&index)["pages"]["indexed"], 5);
}

#[test]
fn an_updated_index_answers_like_one_built_from_scratch_with_its_model() {
    let desk = Desk::new();
    let lines = fs::read_to_string(desk.generated(240)).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let first = desk.write("first.jsonl", lines[..150].join("\n"));
    let later = desk.write("later.jsonl", lines[150..].join("\n"));
    let both = desk.write("both.jsonl", lines.join("\n"));
    for method in ["auto", "table", "none"] {
        let index = desk.index(&first, &["--strip", method]);
        expect(&update(&index, &later, &[]), 90, 0, 0, 150);
        expect(&update(&index, &both, &["--prune"]), 0, 0, 240, 0);
        let model = format!("{index}/upkeep/model");
        let how: &[&str] = if method == "none" { &["--strip", "none"] } else { &["--model", &model] };
        let scratch = desk.index(&both, how);
        let run = |index: &str| unhusk(&["run", index, "--queries", "queries/harbour.tsv", "-q"]).code(0).out;
        assert!(run(&index) == run(&scratch), "{method}");
        for number in
            ["pages", "text_bytes", "kept_bytes", "aside_bytes", "unstripped_postings", "fields", "sizes", "aliases"]
        {
            assert_eq!(manifest(&index)[number], manifest(&scratch)[number], "{number} with {method}");
        }
    }
}

#[test]
fn a_copy_is_a_page_again_when_its_original_goes() {
    let desk = Desk::new();
    let text = "one two three four five six seven eight nine ten eleven";
    for name in ["a.html", "b.html"] {
        desk.write(&format!("site/{name}"), format!("<title>Same</title><p>{text}"));
    }
    desk.write("site/c.html", "<title>Other</title><p>something else entirely");
    let folder = desk.path("site");
    let index = desk.index(&folder, &["--keep-pages"]);
    assert_eq!(found(&index, "eleven"), ["a.html"]);
    fs::remove_file(desk.path("site/a.html")).unwrap();
    update(&index, &folder, &["--prune"]);
    assert_eq!(found(&index, "eleven"), ["b.html"]);
    desk.write("site/0.html", format!("<title>Same</title><p>{text}"));
    update(&index, &folder, &[]);
    assert_eq!(found(&index, "eleven"), ["0.html"], "the first in the collection's order is the original");
}

#[test]
fn a_redesign_is_noticed_and_relearning_finds_the_new_templates() {
    let desk = Desk::new();
    let page = |design: &str, number: usize| {
        let menu = format!("{design} menu of all that is on offer here and elsewhere in this {design} place");
        let own: Vec<String> = (0..15).map(|word| format!("{design}{number}w{word}")).collect();
        format!("<title>{design} {number}</title><div class={design}>{menu}</div><p>{}</p>", own.join(" "))
    };
    for number in 0..30 {
        desk.write(&format!("site/old{number}.html"), page("old", number));
    }
    let folder = desk.path("site");
    for method in ["table", "auto"] {
        let index = desk.index(&folder, &["--strip", method]);
        for number in 30..45 {
            desk.write(&format!("site/old{number}.html"), page("old", number));
        }
        let said = unhusk(&["update", &index, &folder]).code(0);
        assert!(!said.err.contains("do not fit"), "{said:?}");
        for number in 0..60 {
            desk.write(&format!("site/new{number}.html"), page("new", number));
        }
        let said = unhusk(&["update", &index, &folder]).code(0).complains("the templates do not fit any more");
        said.complains("--relearn");
        assert_eq!(found(&index, "elsewhere").len(), 10, "the new menu is taken for content");
        let said = unhusk(&["update", &index, &folder, "--relearn"]).code(0);
        assert!(!said.err.contains("do not fit"), "{said:?}");
        assert_eq!(found(&index, "elsewhere"), [""; 0], "{method}");
        for number in 0..60 {
            fs::remove_file(desk.path(&format!("site/new{number}.html"))).unwrap();
        }
        for number in 30..45 {
            fs::remove_file(desk.path(&format!("site/old{number}.html"))).unwrap();
        }
        unhusk(&["update", &index, &folder, "--relearn"]).code(2).complains("are not in the collection");
    }
}

#[test]
fn methods_without_a_saved_model_are_rebuilt_or_not_updated() {
    let desk = Desk::new();
    let folder = site(&desk, &PAGES);
    for method in ["sandwich", "cluster"] {
        let index = desk.index(&folder, &["--strip", method]);
        expect(&update(&index, &folder, &[]), 0, 0, desk_pages(&desk), 0);
        desk.write(&format!("site/{method}.html"), page("something that was not there"));
        unhusk(&["update", &index, &folder]).code(2).complains("cannot be updated page by page").complains("--relearn");
        assert_eq!(found(&index, "something"), [""; 0], "nothing was changed");
        update(&index, &folder, &["--relearn"]);
        assert_eq!(found(&index, "something").len(), 1);
        fs::remove_file(desk.path(&format!("site/{method}.html"))).unwrap();
    }
}

fn desk_pages(desk: &Desk) -> u64 {
    fs::read_dir(desk.path("site")).unwrap().count() as u64
}

#[test]
fn what_cannot_be_updated_is_named() {
    let desk = Desk::new();
    let folder = site(&desk, &PAGES);
    unhusk(&["update", &desk.path("nothing"), &folder]).code(2).complains("there is no index at");
    assert!(!fs::exists(desk.path(".nothing.building")).unwrap());
    let index = desk.index(&folder, &[]);
    fs::remove_dir_all(format!("{index}/upkeep")).unwrap();
    unhusk(&["update", &index, &folder]).code(2).complains("was built without what an update needs");
    let index = desk.index(&folder, &[]);
    let list = format!("{index}/upkeep/list");
    let mut bytes = fs::read(&list).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&list, bytes).unwrap();
    unhusk(&["update", &index, &folder]).code(2).complains("upkeep/list is damaged");
    assert_eq!(found(&index, "oysters"), ["a.html"]);
}

#[test]
fn a_file_that_is_touched_is_read_but_not_parsed_and_one_that_looks_the_same_is_not_read() {
    let desk = Desk::new();
    let folder = site(&desk, &PAGES);
    let index = desk.index(&folder, &[]);
    let path = desk.path("site/a.html");
    let (bytes, time) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    fs::write(&path, &bytes).unwrap();
    expect(&update(&index, &folder, &[]), 0, 0, 5, 0);
    // The same size and time with another content: it is taken for the same, as the documentation says.
    fs::write(&path, vec![b'x'; bytes.len()]).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    expect(&update(&index, &folder, &[]), 0, 0, 5, 0);
    fs::write(&path, "<p>another size").unwrap();
    expect(&update(&index, &folder, &[]), 0, 1, 4, 0);
}

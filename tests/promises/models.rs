//! Templates learned here, merged there, applied elsewhere.

use std::fs;

use crate::support::{Desk, unhusk};

const METHODS: [&[&str]; 2] = [&["--strip", "auto", "--learn-from", "60"], &["--strip", "table", "--scope", "host"]];

/// A generated site in three shards, and whole.
fn shards(desk: &Desk, pages: u64) -> (String, Vec<String>) {
    let whole = desk.generated(pages);
    let text = fs::read_to_string(&whole).unwrap();
    let shards = (0..3).map(|shard| {
        let lines: Vec<&str> = text.lines().skip(shard).step_by(3).collect();
        desk.write(&format!("shard{shard}.jsonl"), lines.join("\n"))
    });
    let shards = shards.collect();
    (whole, shards)
}

fn learn(desk: &Desk, collection: &str, name: &str, method: &[&str]) -> String {
    let place = desk.path(name);
    unhusk(&[&["model", "learn", collection, "--out", &place, "--force", "-q"], method].concat()).code(0);
    place
}

#[test]
fn models_of_shards_merged_in_any_order_are_the_model_of_the_whole() {
    let desk = Desk::new();
    let (whole, shards) = shards(&desk, 150);
    for method in METHODS {
        let model = learn(&desk, &whole, "whole.model", method);
        let parts: Vec<String> =
            shards.iter().enumerate().map(|(n, shard)| learn(&desk, shard, &format!("{n}.model"), method)).collect();
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let [a, b, c] = order.map(|n| parts[n].as_str());
            let merged = desk.path("merged.model");
            unhusk(&["model", "merge", a, b, c, "--out", &merged, "--force", "-q"]).code(0);
            assert!(fs::read(&merged).unwrap() == fs::read(&model).unwrap(), "{method:?} {order:?}");
        }
    }
}

#[test]
fn a_model_strips_as_learning_from_the_same_pages_does() {
    let desk = Desk::new();
    let whole = desk.generated(120);
    for method in METHODS {
        let model = learn(&desk, &whole, "whole.model", method);
        let applied = unhusk(&["model", "apply", &model, &whole, "--format", "jsonl"]).code(0);
        let stripped = unhusk(&[&["strip", &whole, "--no-dedup", "--format", "jsonl"], method].concat()).code(0);
        assert!(applied.out == stripped.out, "{method:?}");
        assert!(applied.out.contains("\"reason\""), "something is dropped");
    }
}

#[test]
fn an_index_built_with_a_model_is_stripped_by_it_and_lists_its_templates() {
    let desk = Desk::new();
    let whole = desk.generated(120);
    let first = fs::read_to_string(&whole).unwrap().lines().next().unwrap().to_owned();
    let one = desk.write("one.jsonl", first);
    for method in METHODS {
        let model = learn(&desk, &whole, "whole.model", method);
        // One page alone has no templates; the model knows them.
        let alone = desk.index(&one, method);
        let with = desk.index(&one, &["--model", &model]);
        let kept = |index: &str| crate::support::manifest(index)["kept_bytes"].as_u64().unwrap();
        assert_ne!(kept(&with), kept(&alone), "{method:?}");
        let templates = unhusk(&["templates", &with, "--format", "json"]).code(0).json();
        assert!(!templates["templates"].as_array().unwrap().is_empty(), "{method:?}");
        let said = unhusk(&["info", &with, "--format", "json"]).code(0).json();
        assert_eq!(said["method"]["name"], method[1]);
    }
}

#[test]
fn show_says_what_a_model_is() {
    let desk = Desk::new();
    let whole = desk.generated(60);
    for (method, entries) in METHODS.into_iter().zip(["sample", "chunks"]) {
        let model = learn(&desk, &whole, "whole.model", method);
        let said = unhusk(&["model", "show", &model]).code(0);
        assert!(said.out.contains(method[1]) && said.out.contains(entries), "{said:?}");
        let json = unhusk(&["model", "show", &model, "--format", "json"]).code(0).json();
        assert_eq!(json["pages"], 60);
        assert_eq!(json["method"]["name"], method[1]);
    }
}

#[test]
fn methods_that_cannot_be_saved_say_why() {
    let desk = Desk::new();
    let whole = desk.generated(60);
    let out = desk.path("x.model");
    let learn = |method: &str| unhusk(&["model", "learn", &whole, "--out", &out, "--strip", method]);
    learn("none").code(2).complains("--strip none has no model file: it learns nothing");
    learn("sandwich").code(2).complains("compares a page with its neighbour");
    learn("cluster").code(2).complains("two sets of layouts do not add up");
    unhusk(&["model", "learn", &whole, "--out", &out, "--strip", "table", "--sample-pages", "5"])
        .code(2)
        .complains("--sample-pages");
    assert!(!fs::exists(&out).unwrap());
}

#[test]
fn models_that_do_not_belong_together_are_refused_with_the_difference() {
    let desk = Desk::new();
    let whole = desk.generated(60);
    let auto = learn(&desk, &whole, "auto.model", &[]);
    let table = learn(&desk, &whole, "table.model", &["--strip", "table"]);
    let other = learn(&desk, &whole, "other.model", &["--strip", "table", "--min-df", "20%"]);
    let merge = |a: &str, b: &str| unhusk(&["model", "merge", a, b, "--out", &desk.path("x.model")]);
    merge(&auto, &table).code(2).complains("the first is of auto, the second of table");
    merge(&table, &other).code(2).complains("min_df is {\"share\":0.1} in the first and {\"share\":0.2} in the second");
    unhusk(&["index", &whole, "--model", &auto, "--strip", "table"]).code(2).complains("cannot be used with");
}

#[test]
fn what_is_no_model_or_damaged_or_of_another_version_is_named_and_refused() {
    let desk = Desk::new();
    let whole = desk.generated(60);
    let model = learn(&desk, &whole, "good.model", &[]);
    let good = fs::read(&model).unwrap();
    let refuse = |name: &str, bytes: &[u8], complaint: &str| {
        let path = desk.write(name, bytes);
        for args in
            [vec!["model", "show", &path], vec!["index", &whole, "--model", &path, "--out", &desk.path("index")]]
        {
            unhusk(&args).code(2).complains(name).complains(complaint);
        }
    };
    refuse("text.model", b"some text", "is no model");
    refuse("empty.model", b"", "is no model");
    let mut bad = good.clone();
    bad[8] = 9;
    refuse("later.model", &bad, "is a model of format 9, and this program reads format 2");
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    refuse("flipped.model", &bad, "is damaged at byte");
    refuse("cut.model", &good[..good.len() - 9], "is damaged at byte");
    unhusk(&["model", "show", &desk.path("none.model")]).code(2).complains("none.model").complains("No such file");
    unhusk(&["model", "learn", &whole, "--out", &model]).code(2).complains("exists already").complains("--force");
    assert!(fs::read(&model).unwrap() == good, "a model is replaced only by force");
}

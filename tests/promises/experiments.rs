//! `unhusk experiment` and `unhusk generate`.

use std::fs;

use crate::support::{Desk, command, said, unhusk};

fn experiment(floor: f64) -> String {
    format!(
        "title = \"A small site\"\nmethods = [\"none\", \"table\"]\nmeasures = [\"MAP\"]\n\n[generate.small]\npages = 60\n\
         seed = 3\n\n[floors.small.table]\nMAP = {floor} # why\nfacts_kept = 0.001\n"
    )
}

#[test]
fn the_gate_fails_when_a_figure_falls_short_and_only_then() {
    let desk = Desk::new();
    let file = desk.write("x.toml", experiment(0.999));
    unhusk(&["experiment", &file]).code(0).complains("small, table: MAP is");
    unhusk(&["experiment", &file, "--gate"]).code(1).complains("below its floor of 0.999");
    let file = desk.write("x.toml", experiment(0.001));
    unhusk(&["experiment", &file, "--gate"]).code(0);
}

#[test]
fn floors_are_raised_and_never_lowered_unless_told() {
    let desk = Desk::new();
    let file = desk.write("x.toml", experiment(0.999));
    unhusk(&["experiment", &file, "--raise"]).code(0);
    let raised = fs::read_to_string(&file).unwrap();
    assert!(raised.contains("MAP = 0.999 # why\n") && !raised.contains("facts_kept = 0.001"), "{raised}");
    unhusk(&["experiment", &file, "--raise", "--allow-lower"]).code(0);
    assert!(!fs::read_to_string(&file).unwrap().contains("0.999"));
}

#[test]
fn a_floor_for_what_is_not_there_is_an_error() {
    let desk = Desk::new();
    for wrong in ["floors.large.table", "floors.small.sandwich"] {
        let file = desk.write("x.toml", experiment(0.1).replace("floors.small.table", wrong));
        unhusk(&["experiment", &file]).code(2).complains("there is no such thing in this experiment");
    }
    let file = desk.write("x.toml", experiment(0.1).replace("MAP = 0.1", "\"P@3\" = 0.1"));
    unhusk(&["experiment", &file]).code(2).complains("small, table, P@3");
}

#[test]
fn a_collection_that_is_not_on_this_machine_is_skipped_with_a_word() {
    let experiment =
        "title = 'T'\nmethods = ['none', 'table']\n[folder]\nvariable = 'UNHUSK_NOWHERE'\nsets = ['a/b']\n";
    let desk = Desk::new();
    let file = desk.write("x.toml", experiment);
    unhusk(&["experiment", &file, "--gate"]).code(0).complains("a/b: skipped: UNHUSK_NOWHERE");
    let elsewhere = said(command(&["experiment", &file, "--gate"]).env("UNHUSK_NOWHERE", desk.folder()));
    elsewhere.code(0).complains("there is no a/b/pages");
}

#[test]
fn a_result_page_says_what_made_it_and_from_what() {
    let desk = Desk::new();
    let file = desk.write("small.toml", experiment(0.001));
    let results = desk.path("results");
    unhusk(&["experiment", &file, "--results", &results]).code(0);
    let page = fs::read_to_string(desk.path("results/small.md")).unwrap();
    for words in ["# A small site", "do not edit", "unhusk 0.", "tantivy v", "hash of the pages", "| small → table |"]
    {
        assert!(page.contains(words), "no {words:?} in {page}");
    }
}

#[test]
fn the_bundled_experiments_can_be_read() {
    for name in ["harbour", "synthetic", "development", "postgresql", "scipy", "lilypond", "python"] {
        let file = format!("{}/experiments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        unhusk::experiment::Experiment::open(file.as_ref()).unwrap();
    }
}

#[test]
fn a_generated_site_can_be_compared_as_it_is() {
    let desk = Desk::new();
    let site = desk.path("site");
    unhusk(&["generate", "--pages", "40", "--seed", "2", "--out", &site]).code(0);
    unhusk(&["generate", "--pages", "40", "--out", &site]).code(2).complains("is not empty");
    let [pages, queries, qrels, facts] =
        ["pages", "queries.tsv", "qrels.txt", "facts.tsv"].map(|name| format!("{site}/{name}"));
    let args =
        ["compare", &pages, "--queries", &queries, "--qrels", &qrels, "--facts", &facts, "--strip", "none,table"];
    unhusk(&args).code(0);
}

#[test]
fn pages_stream_as_json_lines() {
    let out = unhusk(&["generate", "--pages", "30", "--jsonl", "-"]).code(0).out;
    assert_eq!(out.lines().count(), 30);
    unhusk(&["generate", "--pages", "30"]).code(2).complains("--out");
    unhusk(&["generate", "--pages", "3", "--jsonl", "-"]).code(2).complains("expected 24");
}

#[test]
fn table_samples_are_eight_sites() {
    let desk = Desk::new();
    let out = desk.path("samples");
    unhusk(&["generate", "--table-samples", "--out", &out]).code(0);
    assert_eq!(fs::read_dir(&out).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count(), 8);
}

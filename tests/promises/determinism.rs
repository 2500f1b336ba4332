//! The number of threads changes how long it takes and nothing else; nor does the order of pages where a method does not ask for it.

use std::collections::BTreeSet;
use std::fs;

use unhusk::random::Rng;

use crate::support::{Desk, all_or, manifest, unhusk};

const THREADS: [&str; 3] = ["1", "2", "7"];

#[test]
fn manifest_run_and_results_do_not_depend_on_the_number_of_threads() {
    let desk = Desk::new();
    let site = desk.generated(all_or(600, 200));
    let mut outcomes = THREADS.map(|threads| {
        let index = desk.index(&site, &["--threads", threads, "--language", "en"]);
        let run = desk.path(&format!("run-{threads}"));
        unhusk(&["run", &index, "--queries", "queries/harbour.tsv", "--out", &run, "--threads", threads]).code(0);
        let shown = unhusk(&["search", &index, "health technology law", "-k", "50", "--threads", threads]).code(0);
        (manifest(&index), fs::read_to_string(run).unwrap(), shown.out)
    });
    assert!(outcomes[0].1.lines().count() > 1000, "the run should have something to compare");
    let first = outcomes[0].clone();
    for (outcome, threads) in outcomes.iter_mut().zip(THREADS) {
        assert_eq!(outcome.0, first.0, "manifest with {threads} threads");
        assert_eq!(outcome.1, first.1, "run with {threads} threads");
        assert_eq!(outcome.2, first.2, "results with {threads} threads");
    }
}

/// The manifest as it is in its file, without its last part: times, memory, threads.
fn manifest_bytes(index: &str) -> String {
    let json = fs::read_to_string(format!("{index}/manifest.json")).unwrap();
    let (lasting, cost) = json.split_once("\n  \"cost\": {").unwrap();
    assert!(cost.ends_with("\n  }\n}\n"), "nothing follows the cost");
    lasting.to_owned()
}

#[test]
fn every_method_gives_the_same_manifest_run_templates_and_marks_on_any_number_of_threads() {
    let desk = Desk::new();
    let site = desk.generated(all_or(120, 60));
    for method in ["none", "table", "sandwich", "cluster", "auto"] {
        let outcomes = THREADS.map(|threads| {
            let how = ["--strip", method, "--threads", threads, "-q"];
            let index = desk.index(&site, &how);
            let run = unhusk(&["run", &index, "--queries", "queries/harbour.tsv", "-q", "--threads", threads]).code(0);
            let strip = |more: &[&str]| unhusk(&[&["strip", &site], &how[..], more].concat()).code(0).out;
            let templates = fs::read_to_string(format!("{index}/templates.json")).unwrap();
            let marks = [strip(&["--explain"]), strip(&["--format", "jsonl"])];
            (manifest_bytes(&index), run.out, templates, marks)
        });
        assert!(outcomes[0].1.lines().count() > 1000, "the run should have something to compare");
        let dropped = outcomes[0].3[1].contains("\"reason\"");
        assert_eq!(dropped, method != "none", "there are marks to compare");
        for (outcome, threads) in outcomes.iter().zip(THREADS) {
            assert!(*outcome == outcomes[0], "{method} with {threads} threads");
        }
    }
}

/// The lines of a file in another order.
fn shuffled(desk: &Desk, file: &str, seed: u64) -> String {
    let text = fs::read_to_string(file).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    Rng::new(seed).shuffle(&mut lines);
    desk.write(&format!("shuffled-{seed}.jsonl"), lines.join("\n"))
}

#[test]
fn what_a_method_drops_does_not_depend_on_the_order_of_the_pages() {
    // A sandwich is made with the first of several pages that are equally near, and clusters with a sample that is drawn by
    // number: there the collection's order is part of the input.
    let desk = Desk::new();
    let site = desk.generated(120);
    for method in ["none", "table", "auto"] {
        let strip = |site: &str| {
            let out = unhusk(&["strip", site, "--strip", method, "--no-dedup", "--format", "jsonl", "-q"]).code(0).out;
            out.lines().map(str::to_owned).collect::<BTreeSet<String>>()
        };
        let expected = strip(&site);
        assert_eq!(expected.len(), 120);
        for seed in 1..=3 {
            assert!(strip(&shuffled(&desk, &site, seed)) == expected, "{method}, order {seed}");
        }
    }
}

#[test]
fn a_model_does_not_depend_on_the_order_of_the_pages_or_the_number_of_threads() {
    let desk = Desk::new();
    let site = desk.generated(150);
    for method in [&["--strip", "auto", "--learn-from", "60"][..], &["--strip", "table", "--scope", "host"]] {
        let learn = |site: &str, threads: &str| {
            let place = desk.path("model");
            let args = ["model", "learn", site, "--out", &place, "--force", "-q", "--threads", threads];
            unhusk(&[&args[..], method].concat()).code(0);
            fs::read(place).unwrap()
        };
        let expected = learn(&site, "1");
        for (seed, threads) in (1..).zip(THREADS) {
            assert!(learn(&site, threads) == expected, "{method:?} on {threads} threads");
            assert!(learn(&shuffled(&desk, &site, seed), threads) == expected, "{method:?}, order {seed}");
        }
    }
}

#[test]
fn building_twice_gives_the_same() {
    let desk = Desk::new();
    let build = || {
        let index = desk.index("collections/harbour", &[]);
        let run = unhusk(&["run", &index, "--queries", "queries/harbour.tsv", "-q"]).code(0);
        (manifest(&index), run.out)
    };
    assert_eq!(build(), build());
}

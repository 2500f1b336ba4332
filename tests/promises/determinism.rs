//! The number of threads changes how long it takes and nothing else.

use std::fs;

use crate::support::{Desk, manifest, unhusk};

const THREADS: [&str; 3] = ["1", "2", "7"];

#[test]
fn manifest_run_and_results_do_not_depend_on_the_number_of_threads() {
    let desk = Desk::new();
    let site = desk.generated(600);
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

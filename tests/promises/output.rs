//! What is printed, word for word: golden files in `tests/golden/cli`.

use serde_json::Value;

use crate::clusters::two_layouts;
use crate::support::{Desk, command, copy, fixture, said, unhusk};

pub(crate) fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden/cli");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// JSON with times, memory and the number of processors blanked.
fn golden_json(name: &str, mut json: Value, blank: &[&str]) {
    for pointer in blank {
        *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = "…".into();
    }
    golden(name, &serde_json::to_string_pretty(&json).unwrap());
}

/// Lines of a table, except those that differ from build to build.
fn steady(table: &str, desk: &Desk) -> String {
    let table = table.replace(&desk.path(""), "").replace(env!("CARGO_MANIFEST_DIR"), "");
    let cut = |line: &str| match line.trim_start().split_once("  ") {
        Some((name @ ("time" | "peak memory"), _)) => format!(" {name}  …\n"),
        _ => format!("{line}\n"),
    };
    table.lines().map(cut).collect()
}

const COMMANDS: [&str; 17] = [
    "index",
    "strip",
    "templates",
    "clusters",
    "search",
    "run",
    "info",
    "compare",
    "update",
    "model",
    "export",
    "experiment",
    "eval",
    "generate",
    "serve",
    "completions",
    "man",
];

const COST: [&str; 3] = ["/cost/seconds", "/cost/peak_memory", "/cost/threads"];

#[test]
fn help_texts_are_as_they_were() {
    golden("help", &unhusk(&["--help"]).code(0).out);
    golden("help-short", &unhusk(&["-h"]).code(0).out);
    for command in COMMANDS {
        golden(&format!("help-{command}"), &unhusk(&[command, "--help"]).code(0).out);
    }
}

#[test]
fn the_examples_of_the_help_text_work_when_pasted() {
    let desk = Desk::new();
    for folder in ["collections", "queries", "qrels"] {
        copy(&format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")), &desk.path(folder));
    }
    let help = unhusk(&["--help"]).code(0).out;
    let examples: Vec<&str> = help.lines().filter_map(|line| line.trim_start().strip_prefix("unhusk ")).collect();
    assert!(examples.len() >= 4, "{help}");
    for example in examples {
        let words: Vec<&str> = example.split_whitespace().collect();
        said(command(&words).current_dir(desk.folder())).code(0);
    }
}

#[test]
fn shells_get_completions_and_man_gets_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = unhusk(&["completions", shell]).code(0).out;
        assert!(script.contains("templates") && script.contains("keep-pages"), "{shell}: {script}");
    }
    unhusk(&["completions", "perl"]).code(2).complains("possible values");
    let desk = Desk::new();
    unhusk(&["man", "--out", &desk.path("man1")]).code(0);
    for command in COMMANDS {
        let page = std::fs::read_to_string(desk.path(&format!("man1/unhusk-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}: {page}");
    }
    assert!(std::fs::read_to_string(desk.path("man1/unhusk.1")).unwrap().contains("A search indexer"));
    let file = desk.write("file", "");
    unhusk(&["man", "--out", &file]).code(2).complains("cannot create");
}

#[test]
fn help_fits_a_terminal_of_a_hundred_columns() {
    for command in COMMANDS {
        for line in unhusk(&[command, "--help"]).out.lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
    }
}

#[test]
fn indexing_and_info_show_the_same_table() {
    let desk = Desk::new();
    let place = desk.path("site");
    let built = unhusk(&["index", &fixture("site"), "--out", &place]).code(0);
    assert_eq!(built.err, "");
    let shown = unhusk(&["info", &place]).code(0);
    assert_eq!(steady(&built.out, &desk), steady(&shown.out, &desk));
    golden("info", &steady(&shown.out, &desk));
}

#[test]
fn indexing_and_info_print_the_same_json() {
    let desk = Desk::new();
    let place = desk.path("site");
    let built = unhusk(&["index", "tests/fixtures/site", "--out", &place, "--format", "json"]).code(0).json();
    let shown = unhusk(&["info", &place, "--format", "json"]).code(0).json();
    assert_eq!(built, shown);
    golden_json("info-json", shown, &COST);
}

#[test]
fn search_prints_a_list_or_json() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site"), &[]);
    golden("search", &unhusk(&["search", &index, "harbour", "master", "-k", "2"]).code(0).out);
    let json = unhusk(&["search", &index, "harbour master", "-k", "2", "--format", "json"]).code(0).json();
    golden_json("search-json", json, &["/seconds"]);
}

#[test]
fn run_prints_a_run_or_json() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site"), &[]);
    let queries = desk.write("q.tsv", "1\tferry gale\n2\tnothingofthesort\n3\tlens\n");
    let run = unhusk(&["run", &index, "--queries", &queries]).code(0).complains("3 queries in");
    golden("run", &run.out);
    let json = unhusk(&["run", &index, "--queries", &queries, "--format", "json"]).code(0).json();
    golden_json("run-json", json, &["/seconds", "/queries_per_second"]);
}

#[test]
fn layouts_are_listed_and_clusters_are_scored() {
    let desk = Desk::new();
    let site = two_layouts(&desk);
    let index = desk.index(&site, &["--strip", "cluster"]);
    golden("templates-cluster", &unhusk(&["templates", &index]).code(0).out);
    golden_json("templates-cluster-json", unhusk(&["templates", &index, "--format", "json"]).code(0).json(), &[]);
    golden("clusters", &unhusk(&["clusters", &site]).code(0).out);
    let truth = desk.write("truth.tsv", unhusk(&["clusters", &site]).code(0).out);
    let score = ["eval", "clusters", &site, "--truth", &truth, "--format", "json"];
    let seconds = ["/ways/0/seconds", "/ways/1/seconds", "/ways/2/seconds"];
    golden_json("eval-clusters-json", unhusk(&score).code(0).json(), &seconds);
}

#[test]
fn quiet_says_nothing_but_results() {
    let desk = Desk::new();
    let place = desk.path("site");
    let built = unhusk(&["index", &fixture("site.warc"), &fixture("site.warc"), "--out", &place, "--quiet"]).code(0);
    assert_eq!((built.out.as_str(), built.err.as_str()), ("", ""));
    let nothing = unhusk(&["search", &place, "nothingofthesort", "-q"]).code(1);
    assert_eq!((nothing.out.as_str(), nothing.err.as_str()), ("", ""));
}

#[test]
fn a_command_that_is_not_there_is_an_error_and_the_version_is_not() {
    unhusk(&["frobnicate"]).code(2).complains("unrecognized subcommand");
    unhusk(&[]).code(2).complains("Usage");
    assert_eq!(unhusk(&["--version"]).code(0).out, format!("unhusk {}\n", env!("CARGO_PKG_VERSION")));
}

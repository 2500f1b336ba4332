//! Query files in, TREC runs out.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::support::{Desk, PROGRAM, fixture, unhusk};

/// Query, document and score of each line, after a look at the columns.
fn lines(run: &str, tag: &str) -> Vec<(String, String, f64)> {
    let mut rank = 0;
    let mut last = String::new();
    run.lines()
        .map(|line| {
            let columns: Vec<&str> = line.split(' ').collect();
            let [query, "Q0", document, place, score, name] = columns[..] else { panic!("{line}") };
            rank = if query == last { rank + 1 } else { 1 };
            last = query.to_owned();
            assert_eq!((place.parse(), name), (Ok(rank), tag), "{line}");
            (query.to_owned(), document.to_owned(), score.parse().unwrap())
        })
        .collect()
}

#[test]
fn a_run_has_six_columns_sorted_by_score_then_id_both_descending() {
    let desk = Desk::new();
    let index = desk.index("collections/harbour", &[]);
    let run = unhusk(&["run", &index, "--queries", "queries/harbour.tsv", "-k", "100"]).code(0).out;
    let lines = lines(&run, "auto");
    assert!(lines.len() > 1000);
    for pair in lines.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let [(_, document, score), (_, next, lower)] = pair else { unreachable!() };
        assert!(score > lower || (score == lower && document > next), "{pair:?}");
    }
}

#[test]
fn queries_come_as_lines_or_as_trec_topics() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site"), &[]);
    let tsv = desk.write("q.tsv", "# remark\n451\tferry gale\n\n452\tlens\n");
    let topics = "<top>\n<num> Number: 451\n<title> ferry gale\n<desc> Description: berths\n</top>\n\
                  <top>\n<num> Number: 452\n<title> lens\n</top>\n";
    let topics = desk.write("topics.txt", topics);
    let run = |queries: &str| unhusk(&["run", &index, "--queries", queries, "--tag", "mine"]).code(0).out;
    assert_eq!(run(&tsv), run(&topics));
    let queries: Vec<String> = lines(&run(&tsv), "mine").into_iter().map(|line| line.0).collect();
    assert!(queries.starts_with(&["451".to_owned()]) && queries.ends_with(&["452".to_owned()]), "{queries:?}");
}

#[test]
fn a_run_goes_to_a_file_when_asked_to() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site"), &[]);
    let queries = desk.write("q.tsv", "1\tferry\n");
    let place = desk.path("out.run");
    let said = unhusk(&["run", &index, "--queries", &queries, "--out", &place]).code(0);
    assert_eq!(said.out, "");
    let printed = unhusk(&["run", &index, "--queries", &queries]).code(0).out;
    assert_eq!(fs::read_to_string(&place).unwrap(), printed);
    let nowhere = desk.path("no/such/folder/out.run");
    unhusk(&["run", &index, "--queries", &queries, "--out", &nowhere]).code(2).complains("no/such/folder/out.run");
}

#[test]
fn ties_are_cut_the_same_whatever_the_cut() {
    let desk = Desk::new();
    let bodies: Vec<(String, String)> =
        (0..12).map(|n| (format!("page-{n:02}.html"), format!("<p>kelp w{n} x{n} y{n}"))).collect();
    for (id, body) in &bodies {
        desk.write(&format!("site/{id}"), format!("<title>same</title>{body}"));
    }
    let index = desk.index(&desk.path("site"), &[]);
    let queries = desk.write("q.tsv", "1\tkelp\n");
    let ranked = |k: &str| -> Vec<String> {
        let run = unhusk(&["run", &index, "--queries", &queries, "-k", k]).code(0).out;
        let lines = lines(&run, "auto");
        assert!(lines.iter().all(|line| line.2 == lines[0].2), "all should tie: {lines:?}");
        lines.into_iter().map(|line| line.1).collect()
    };
    let mut expected: Vec<String> = bodies.iter().map(|(id, _)| id.clone()).rev().collect();
    assert_eq!(ranked("100"), expected);
    for k in [10, 2, 1] {
        expected.truncate(k);
        assert_eq!(ranked(&k.to_string()), expected, "-k {k}");
    }
}

#[test]
fn a_malformed_query_file_is_named_with_its_line() {
    let desk = Desk::new();
    let index = desk.index(&fixture("site"), &[]);
    let table = [
        ("no-tab.tsv", "1\tferry\n2 gale\n", "no-tab.tsv:2: expected `id<TAB>text`"),
        ("twice.tsv", "1\tferry\n1\tgale\n", "twice.tsv:2: query id `1` is there twice"),
        ("empty.tsv", "# nothing\n", "empty.tsv: no queries"),
        ("open.txt", "<top>\n<num> Number: 1\n<title> x\n", "open.txt:1: expected `</top>`"),
        ("untitled.txt", "\n<top>\n<num> 1\n</top>\n", "untitled.txt:2: expected a topic with a `<title>`"),
    ];
    for (name, text, complaint) in table {
        let queries = desk.write(name, text);
        unhusk(&["run", &index, "--queries", &queries]).code(2).complains(complaint);
    }
    unhusk(&["run", &index, "--queries", &desk.path("none.tsv")]).code(2).complains("none.tsv");
    let binary = desk.write("binary.tsv", b"1\t\xff\xfe\n");
    unhusk(&["run", &index, "--queries", &binary]).code(2).complains("binary.tsv");
    unhusk(&["run", &index, "--queries", &binary, "--tag", "two words"]).code(2);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    let index = desk.index("collections/harbour", &[]);
    let mut child = Command::new(PROGRAM)
        .args(["run", &index, "--queries", "queries/harbour.tsv"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains(" Q0 "), "{first}");
    let mut complaints = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{complaints}");
    assert!(!complaints.to_lowercase().contains("pipe"), "{complaints}");
}

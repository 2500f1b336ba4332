//! `unhusk eval`: runs and judgements in, scores and differences out; kept words against content.

use serde_json::Value;

use crate::support::{Desk, unhusk};

fn golden(name: &str) -> String {
    format!("{}/tests/golden/trec_eval/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn mean(answer: &Value, run: usize, measure: &str) -> f64 {
    let means = answer["runs"][run]["means"].as_array().unwrap();
    means.iter().find(|mean| mean["measure"] == measure).unwrap()["mean"].as_f64().unwrap()
}

#[test]
fn any_cut_off_can_be_asked_for() {
    let args = ["eval", "--qrels", &golden("qrels.txt"), &golden("run1.txt"), "-m", "P@7,nDCG@3", "--format", "json"];
    let answer = unhusk(&args).code(0).json();
    assert_eq!(answer["schema"], "unhusk.eval/1");
    assert!(mean(&answer, 0, "P@7") > 0.0 && mean(&answer, 0, "nDCG@3") > 0.0);
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let run = golden("run1.txt");
    let said = unhusk(&["eval", "--qrels", &golden("qrels.txt"), &run, "--against", &run, "--format", "json"]);
    for difference in said.code(0).json()["differences"].as_array().unwrap() {
        assert_eq!(difference["changed"], 0);
        assert_eq!(difference["wilcoxon"]["p"], 1.0);
    }
}

#[test]
fn queries_that_only_one_side_has_are_told() {
    let desk = Desk::new();
    let run = desk.write("a.run", "1 Q0 d 1 1.0 t\n9 Q0 d 1 1.0 t\n");
    let qrels = desk.write("q.txt", "1 0 d 1\n2 0 d 1\n");
    let out = unhusk(&["eval", "--qrels", &qrels, &run, "-m", "MAP"]).code(0).out;
    assert!(out.contains("a.run: 1 query judged but not answered, counted as 0"), "{out}");
    assert!(out.contains("a.run: 1 query answered but not judged, not counted"), "{out}");
    assert!(out.contains("0.500"), "{out}");
}

#[test]
fn a_bad_line_is_named_with_its_file_and_number() {
    let desk = Desk::new();
    let qrels = desk.write("q.txt", "1 0 d 1\n");
    let good = desk.write("good.run", "1 Q0 d 1 1.0 t\n");
    for (run, message) in [
        ("1 Q0 d 1 1.0 t\n1 Q0 e 2\n", "bad.run:2: expected six columns"),
        ("1 Q0 d 1 high t\n", "bad.run:1: expected a number"),
        ("1 Q0 d 1 2.0 t\n1 Q0 d 2 1.0 t\n", "bad.run:2: document `d` is there twice"),
        ("\n", "bad.run: the run is empty"),
    ] {
        let bad = desk.write("bad.run", run);
        unhusk(&["eval", "--qrels", &qrels, &bad]).code(2).complains(message);
    }
    let bad = desk.write("bad.txt", "1 0 d 1\n1 0 d x\n");
    unhusk(&["eval", "--qrels", &bad, &good]).code(2).complains("bad.txt:2: expected `query iteration document grade`");
    unhusk(&["eval", "--qrels", &qrels, &good, "-m", "P@x"]).code(2).complains("no measure is called `P@x`");
}

#[test]
fn a_duplicate_counts_as_its_page() {
    let desk = Desk::new();
    let text = "<p>The ferry to the island leaves at eight and returns at noon.</p>";
    let other = |n: usize| format!("<p>Something else entirely, number{n}, of words{n} that differ{n}.</p>");
    let (b, c, d) = (other(1), other(2), other(3));
    let site = desk.site(&[("a.html", text), ("copy.html", text), ("b.html", &b), ("c.html", &c), ("d.html", &d)]);
    desk.write("site/copy.html", format!("<!DOCTYPE html><title>a.html</title><body>{text}"));
    let index = desk.index(&site, &["--dedup-df", "100%"]);
    let run = desk.write("r.run", "1 Q0 a.html 1 1.0 t\n");
    let qrels = desk.write("q.txt", "1 0 copy.html 1\n");
    let args = ["eval", "--qrels", &qrels, &run, "--format", "json", "--index", &index];
    assert_eq!(mean(&unhusk(&args).code(0).json(), 0, "MAP"), 1.0);
    assert_eq!(mean(&unhusk(&args[..6]).code(0).json(), 0, "MAP"), 0.0);
}

/// Six pages with a menu, one of them twice, and the content of all but the last.
fn marked_site(desk: &Desk) -> (String, String) {
    let story = |n: usize| {
        let words: Vec<String> = (0..12).map(|word| format!("w{n}x{word}")).collect();
        format!("<p>{}</p>", words.join(" "))
    };
    for (name, n) in [("a", 1), ("b", 2), ("c", 3), ("copy", 1), ("d", 4), ("e", 5)] {
        let page = format!("<title>{n}</title><p>Home News Sport Weather Contact</p>\n{}", story(n));
        desk.write(&format!("site/{name}.html"), page);
        desk.write(&format!("gold/{name}.txt"), story(n));
    }
    std::fs::remove_file(desk.path("gold/e.txt")).unwrap();
    (desk.path("site"), desk.path("gold"))
}

#[test]
fn every_page_with_content_is_scored_and_a_copy_like_its_original() {
    let desk = Desk::new();
    let (site, gold) = marked_site(&desk);
    let args = ["eval", "tokens", &site, "--gold", &gold, "--strip", "none,table --min-df 4", "-q"];
    crate::output::golden("eval-tokens", &unhusk(&args).code(0).out);
    let answer = unhusk(&[&args[..], &["--format", "json"]].concat()).code(0).json();
    assert_eq!((&answer["scored"], &answer["unmarked"]), (&5.into(), &1.into()));
    let [none, table] = [0, 1].map(|method| &answer["methods"][method]);
    // Twelve words of seventeen are content.
    assert_eq!(none["mean"]["precision"], 12.0 / 17.0);
    assert_eq!((&table["name"], &table["mean"]["f1"]), (&"table-min-df-4".into(), &1.0.into()));
    let copy = table["pages"].as_array().unwrap().iter().find(|page| page["id"] == "copy.html").unwrap();
    assert_eq!((&copy["copy_of"], &copy["content_kept"]), (&"a.html".into(), &12.into()));
}

#[test]
fn a_folder_without_the_content_of_any_page_is_an_error() {
    let desk = Desk::new();
    let (site, _) = marked_site(&desk);
    let args = ["eval", "tokens", &site, "--gold", &desk.path("nowhere")];
    unhusk(&args).code(2).complains("has the content of no page: expected NAME.txt for a page NAME.html");
}

#[test]
fn what_is_kept_and_what_is_content_may_be_any_script() {
    let desk = Desk::new();
    let site =
        desk.site(&[("a.html", "<p>菜单</p><p>李娜领衔体坛</p>"), ("b/c.html", "<p>菜单</p><p>Größe: 3 &lt; 4</p>")]);
    desk.write("gold/a.html.txt", "<p>李娜领衔体坛</p>");
    desk.write("gold/b/c.txt", "URL: http://a.example/\ngrösse GRÖßE 3 4");
    let args = ["eval", "tokens", &site, "--gold", &desk.path("gold"), "--strip", "none", "--format", "json"];
    let answer = unhusk(&args).code(0).json();
    let counts = |page: usize| {
        ["content", "kept", "content_kept"].map(|name| answer["methods"][0]["pages"][page][name].as_u64())
    };
    assert_eq!(counts(0), [Some(6), Some(8), Some(6)]);
    assert_eq!(counts(1), [Some(4), Some(5), Some(3)]);
}

#[test]
fn texts_that_another_program_cut_out_are_scored_like_a_method() {
    let desk = Desk::new();
    let site = desk.site(&[("a.html", "<p>menu</p><p>one two</p>"), ("b.html", "<p>menu</p><p>three four</p>")]);
    desk.write("gold/a.txt", "one two");
    desk.write("gold/b.txt", "three four");
    let texts = desk.write("rival.jsonl", "{\"id\": \"a.html\", \"text\": \"menu One\", \"more\": 0}\n");
    let strip = format!("none,given --texts {texts}");
    let args = ["eval", "tokens", &site, "--gold", &desk.path("gold"), "--strip", &strip, "-q"];
    let out = unhusk(&args).code(0).out;
    assert!(out.contains("rival: 1 pages have no text in what was given"), "{out}");
    let rival = unhusk(&[&args[..], &["--format", "json"]].concat()).code(0).json()["methods"][1].clone();
    assert_eq!((&rival["name"], &rival["method"]["name"]), (&"rival".into(), &"given".into()));
    assert_eq!(rival["counts"], serde_json::json!({"content": 4, "kept": 2, "content_kept": 1}));
    assert_eq!(rival["pages"][1]["f1"], 0.0);

    desk.write("rival.jsonl", "{\"id\": \"a.html\", \"text\": \"\"}\n{\"id\": \"b.html\"}\n");
    unhusk(&args).code(2).complains("rival.jsonl, line 2: missing field `text`");
    let args = ["eval", "tokens", &site, "--gold", &desk.path("gold"), "--strip", "given"];
    unhusk(&args).code(2).complains("write given --texts FILE");
}

//! `unhusk compare` and its reports.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Desk, Said, manifest, skipped, unhusk};

/// A site whose menu says "law" on every page, and one page that is about it.
struct Town {
    desk: Desk,
    site: String,
    queries: String,
    qrels: String,
    facts: String,
}

impl Town {
    fn new() -> Self {
        let desk = Desk::new();
        let menu = "<nav><a href=a>Health</a> <a href=b>Technology</a> <a href=c>Law</a></nav>";
        let subjects = [
            "Mooring fees were judged against the law by the court in spring.",
            "The surgery opens at eight for blood pressure checks.",
            "A recipe for haddock chowder with leeks and cream.",
            "The lifeboat was launched twice in the gale on Sunday.",
            "Allotment rents rise, and gardeners object loudly.",
            "The library keeps its volunteers and its reading room.",
            "Broadband cables reach the last farm on the hill.",
            "The choir sings Fauré in the chapel this Friday.",
        ];
        for (number, subject) in subjects.iter().enumerate() {
            let page = format!("<!DOCTYPE html><title>Page {number}</title><body>{menu}<main><p>{subject}</p></main>");
            desk.write(&format!("site/p{number}.html"), page);
        }
        Town {
            site: desk.path("site"),
            queries: desk.write("queries.tsv", "law\tlaw court\nfish\thaddock chowder\nnone\t\n"),
            qrels: desk.write("qrels.txt", "law 0 p0.html 1\nfish 0 p2.html 1\nnone 0 p1.html 1\n"),
            facts: desk.write("facts.tsv", "p2.html\tDish\tHaddock  chowder\np3.html\tMenu\thealth\n"),
            desk,
        }
    }

    fn compare(&self, more: &[&str]) -> Said {
        let files = ["compare", &self.site, "--queries", &self.queries, "--qrels", &self.qrels, "--no-dedup"];
        unhusk(&[&files, more].concat())
    }

    fn report(&self, more: &[&str]) -> Value {
        self.compare(&[&["--strip", "none,table", "--format", "json"], more].concat()).code(0).json()
    }
}

#[test]
fn without_arguments_the_bundled_sample_is_compared_and_told_in_words() {
    let said = unhusk(&["compare"]).code(0);
    for words in
        ["harbour: 152 pages", "“table”: ", "“sandwich”: ", "“auto”: ", "smaller", "facts lost", "verdict", "--full"]
    {
        assert!(said.out.contains(words), "no {words:?} in {}", said.out);
    }
    assert!(said.out.lines().count() <= 24, "it fits a screen: {}", said.out);
    assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
}

#[test]
fn all_tables_and_reasons_are_printed_on_request() {
    let said = Town::new().compare(&["--strip", "none,table", "--full"]).code(0).out;
    for words in ["“table” against “none”: ", "distinct terms", "Wilcoxon p", "In words", "body only"] {
        assert!(said.contains(words), "no {words:?} in {said}");
    }
}

#[test]
fn the_screen_has_a_row_for_each_method_with_what_was_asked_for() {
    let town = Town::new();
    let out = town.compare(&["--strip", "none,table", "--facts", &town.facts, "-m", "P@1,MRR"]).code(0).out;
    let row = |name: &str| -> Vec<String> {
        let line = out.lines().find(|line| line.starts_with(&format!(" {name} "))).unwrap_or_else(|| panic!("{out}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("method")[..4], ["method", "P@1", "MRR", "postings"]);
    let report = town.report(&["--facts", &town.facts, "-m", "P@1,MRR"]);
    let mean = |measure: usize| format!("{:.3}", report["views"][0]["means"][1][measure].as_f64().unwrap());
    assert_eq!(row("table")[1..3], [mean(0), mean(1)]);
    assert!(out.contains("(by P@1)") && out.contains("1 of 2 facts lost"), "{out}");
}

#[test]
fn what_is_compared_is_what_is_indexed() {
    let desk = Desk::new();
    let kept = desk.path("kept");
    unhusk(&["compare", "--strip", "none,auto", "--out", &kept]).code(0);
    for method in ["none", "auto"] {
        let index = desk.path(method);
        unhusk(&["index", "collections/harbour", "--strip", method, "--out", &index]).code(0);
        let (compared, built) = (manifest(&format!("{kept}/{method}")), manifest(&index));
        for figure in ["method", "language", "aside", "dedup", "pages", "kept_bytes", "aside_bytes", "fields", "sizes"]
        {
            assert_eq!(compared[figure], built[figure], "{figure} of {method}");
        }
        let run = desk.path("run");
        unhusk(&["run", &index, "--queries", "queries/harbour.tsv", "-k", "1000", "--out", &run]).code(0);
        let ranking = |file: &str| -> Vec<String> {
            let run = fs::read_to_string(file).unwrap();
            // All but the run's name.
            run.lines().map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect()
        };
        assert_eq!(ranking(&format!("{kept}/{method}.run")), ranking(&run));
    }
}

#[test]
fn queries_with_words_of_the_template_are_a_group_of_their_own() {
    let report = Town::new().report(&[]);
    let pair = &report["views"][0]["pairs"][0];
    assert_eq!(pair["template_queries"], serde_json::json!(["law"]));
    assert_eq!(pair["template_terms"][0]["word"], "law");
    assert_eq!((&pair["template_terms"][0]["before"], &pair["template_terms"][0]["after"]), (&8.into(), &1.into()));
    let groups: Vec<&str> = pair["groups"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert_eq!(groups, ["all", "template_terms", "no_template_terms"]);
}

#[test]
fn body_only_figures_stand_beside_those_with_the_title() {
    let report = Town::new().report(&[]);
    let fields = |view: usize| report["views"][view]["fields"].clone();
    assert_eq!(fields(0), serde_json::json!(["title", "body", "aside"]));
    assert_eq!(fields(1), serde_json::json!(["body", "aside"]));
    let body = Town::new().report(&["--fields", "body"]);
    assert_eq!(body["views"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_method_twice_makes_no_difference() {
    let report = Town::new().compare(&["--strip", "none,none", "--format", "json"]).code(0).json();
    assert_eq!(report["arms"][1]["name"], "none-2");
    assert_eq!(report["arms"][0]["fields"], report["arms"][1]["fields"]);
    assert_eq!(report["views"][0]["pairs"][0]["groups"][0]["differences"][0]["changed"], 0);
}

#[test]
fn a_fact_in_the_template_is_lost_and_one_in_the_text_is_kept() {
    let town = Town::new();
    let report = town.report(&["--facts", &town.facts]);
    assert_eq!(report["facts"]["visible"], 2);
    assert_eq!((&report["arms"][0]["facts"]["kept"], &report["arms"][1]["facts"]["kept"]), (&2.into(), &1.into()));
    assert_eq!(report["arms"][1]["facts"]["attributes"]["Dish"], serde_json::json!([1, 1]));
    assert_eq!(report["arms"][1]["facts"]["kept_anywhere"], 1);
}

#[test]
fn what_nothing_is_known_about_is_counted_and_told() {
    let town = Town::new();
    fs::write(&town.qrels, "law 0 p0.html 1\nlaw 0 gone.html 1\nother 0 p0.html 1\n").unwrap();
    fs::write(&town.facts, "gone.html\tDish\tSoup\np1.html\tDish\tSoup\np2.html\tDish\tleeks\n").unwrap();
    let report = town.report(&["--facts", &town.facts]);
    assert_eq!(report["judgements"]["unknown_queries"], serde_json::json!(["other"]));
    assert_eq!(report["judgements"]["relevant_unknown_docs"], 1);
    assert_eq!(report["judgements"]["unjudged_queries"], serde_json::json!(["fish", "none"]));
    assert_eq!((&report["facts"]["unknown_pages"], &report["facts"]["not_visible"]), (&1.into(), &1.into()));
    let out = town.compare(&["--facts", &town.facts]).code(0).out;
    assert_eq!(out.matches("Note: ").count(), 6, "{out}");
}

#[test]
fn an_empty_query_finds_nothing_and_is_no_error() {
    let report = Town::new().report(&[]);
    let empty = report["views"][0]["queries"].as_array().unwrap().iter().find(|q| q["id"] == "none").unwrap();
    assert_eq!(empty["answers"][0]["top"], serde_json::json!([]));
}

#[test]
fn bad_files_and_methods_are_errors() {
    let town = Town::new();
    let bad = town.desk.write("bad.tsv", "p1.html\tDish\n");
    town.compare(&["--facts", &bad]).code(2).complains("bad.tsv:1: expected `page<TAB>attribute<TAB>value`");
    town.compare(&["--strip", "none,magic"]).code(2).complains("magic");
    fs::write(&town.qrels, "elsewhere 0 p0.html 1\n").unwrap();
    town.compare(&["--strip", "none"]).code(2).complains("none of the 3 queries has a judgement");
    unhusk(&["compare", &town.site, "--qrels", &town.qrels]).code(2).complains("--queries");
}

#[test]
fn indexes_runs_and_report_are_kept_where_asked_and_not_overwritten() {
    let town = Town::new();
    let out = town.desk.path("kept");
    town.compare(&["--strip", "none,table --min-df 3", "--out", &out]).code(0);
    for name in ["none/manifest.json", "none.run", "table-min-df-3/manifest.json", "table-min-df-3.run", "report.json"]
    {
        assert!(Path::new(&out).join(name).is_file(), "{name}");
    }
    assert!(!Path::new(&out).join(".pages").exists());
    town.compare(&["--strip", "none", "--out", &out]).code(2).complains("exists already");
    town.compare(&["--strip", "none", "--out", &out, "--force"]).code(0);
}

#[test]
fn every_field_of_the_json_report_is_documented() {
    let town = Town::new();
    let report = town.report(&["--facts", &town.facts]);
    let docs = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reports.md")).unwrap();
    assert!(docs.contains(report["schema"].as_str().unwrap()));
    let mut undocumented = Vec::new();
    fields(&report, &mut |name| {
        if !docs.contains(&format!("`{name}`")) {
            undocumented.push(name.to_owned());
        }
    });
    undocumented.sort();
    undocumented.dedup();
    // Parameters of methods, what they found and names of attributes are not the report's.
    assert_eq!(undocumented, Vec::<String>::new());
}

fn fields(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| fields(value, each)),
        Value::Object(values) => {
            for (name, value) in values {
                each(name);
                if !["method", "findings", "attributes", "attributes_anywhere", "skipped", "dedup"]
                    .contains(&name.as_str())
                {
                    fields(value, each);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_text_of_another_program_is_compared_with_nothing_else_changed() {
    let town = Town::new();
    // The text of p2 with a fact in it, a word that is on no page, and nothing for the other pages.
    let texts = town.desk.write("rival.jsonl", "{\"id\": \"p2.html\", \"text\": \"haddock chowder zanzibar\"}\n");
    let strip = format!("none,given --texts {texts}");
    let more = ["--strip", &strip, "--facts", &town.facts, "--format", "json"];
    let report = town.compare(&more).code(0).json();
    let [none, rival] = [0, 1].map(|arm| &report["arms"][arm]);
    assert_eq!(rival["name"], "rival");
    assert_eq!(rival["fields"]["title"], none["fields"]["title"]);
    assert_eq!(rival["fields"]["body"]["postings"], 3);
    assert_eq!(rival["kept_bytes"], "haddock chowder zanzibar".len());
    assert_eq!((&none["facts"]["kept"], &rival["facts"]["kept"]), (&2.into(), &1.into()));
    assert_eq!(rival["findings"], serde_json::json!({"texts": 1, "pages_without_text": 7}));
    let out = town.compare(&["--strip", &strip]).code(0).out;
    assert!(out.contains("Note: 7 pages have no text in what was given as rival"), "{out}");
}

#[test]
fn the_web_page_needs_nothing_but_itself() {
    let town = Town::new();
    let file = town.desk.path("report.html");
    town.compare(&["--strip", "none,table", "--html", &file]).code(0);
    let html = fs::read_to_string(&file).unwrap();
    for outside in ["http:", "https:", " src=", "<script", "<link", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("<desc>").count());
}

#[test]
fn a_browser_draws_the_figures() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| runs(name)) else {
        skipped("no browser", "install chromium");
        return;
    };
    let town = Town::new();
    let (file, shot) = (town.desk.path("report.html"), town.desk.path("shot.png"));
    town.compare(&["--strip", "none,table", "--html", &file]).code(0);
    let shown = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,2400"])
        .args([format!("--user-data-dir={}", town.desk.path("profile")), format!("--screenshot={shot}")])
        .arg(format!("file://{file}"))
        .output()
        .unwrap();
    assert!(shown.status.success(), "{shown:?}");
    let colours = colours(&fs::read(&shot).unwrap());
    // Dots, bars and the line of the axis; all are drawn in these colours alone.
    let near = |wanted: [u8; 3]| colours.iter().filter(|c| (0..3).all(|i| c[i].abs_diff(wanted[i]) < 60)).count();
    assert!(near([0x1f, 0x6f, 0xb2]) > 1000, "no bars in the colour of the second index");
    assert!(near([0x9a, 0xa5, 0xad]) > 1000, "no bars in the colour of the first");
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The pixels of a PNG of eight bits a channel, as browsers write them.
fn colours(png: &[u8]) -> Vec<[u8; 3]> {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
    let (width, channels) = (number(16), if png[25] == 6 { 4 } else { 3 });
    assert_eq!(png[24], 8);
    let (mut packed, mut at) = (Vec::new(), 8);
    while at < png.len() {
        let length = number(at);
        if &png[at + 4..at + 8] == b"IDAT" {
            packed.extend_from_slice(&png[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    let mut raw = Vec::new();
    flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut raw).unwrap();
    let mut above = vec![0u8; width * channels];
    let mut pixels = Vec::new();
    for line in raw.chunks_exact(width * channels + 1) {
        let mut row = line[1..].to_vec();
        for i in 0..row.len() {
            let left = if i < channels { 0 } else { row[i - channels] };
            let corner = if i < channels { 0 } else { above[i - channels] };
            let guess = match line[0] {
                0 => 0,
                1 => left,
                2 => above[i],
                3 => ((u16::from(left) + u16::from(above[i])) / 2) as u8,
                _ => paeth(left, above[i], corner),
            };
            row[i] = row[i].wrapping_add(guess);
        }
        pixels.extend(row.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1], pixel[2]]));
        above = row;
    }
    pixels
}

fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    let far = |value: u8| (guess - i16::from(value)).abs();
    if far(left) <= far(above) && far(left) <= far(corner) {
        left
    } else if far(above) <= far(corner) {
        above
    } else {
        corner
    }
}

//! Files of other formats that are read whole: by their first part's letter.

use std::fs;
use std::path::Path;

use unhusk::compare::read_facts;
use unhusk::eval::clusters::Truth;
use unhusk::eval::discovery::MarkedTables;
use unhusk::eval::lines::{LineCounts, read_marks};
use unhusk::eval::tokens::{Bag, TokenCounts, read_gold};
use unhusk::experiment::{Experiment, raise};
use unhusk::index::Manifest;
use unhusk::index::templates::Templates;
use unhusk::parse::parse_html;
use unhusk::spool::SpoolWriter;
use unhusk::strip::given::Given;
use unhusk::strip::{Mask, Means, Method, Pages};

/// Any text is such a file or an error.
pub(super) fn files(bytes: &[u8]) {
    let Some((&kind, content)) = bytes.split_first() else { return };
    let scratch = super::scratch();
    let write = |name: &str| {
        let path = scratch.path().join(name);
        fs::write(&path, content).expect("a file");
        path
    };
    match kind {
        b'f' => facts(&write("facts.tsv")),
        b'g' => given(&write("texts.jsonl"), scratch.path()),
        b'e' => experiment(&write("experiment.toml"), content),
        b'c' => _ = Truth::open(&write("clusters.tsv")),
        b'l' => line_marks(&write("page.tsv")),
        b't' => gold(&write("page.txt")),
        b'd' => _ = MarkedTables::read(write("templates.json").parent().expect("a folder")),
        b'm' => manifest(&write("manifest.json")),
        b'p' => templates(&write("templates.json")),
        _ => {}
    }
}

fn facts(path: &Path) {
    if let Ok(facts) = read_facts(path) {
        assert!(facts.iter().all(|fact| !fact.page.is_empty() && !fact.attribute.is_empty() && !fact.value.is_empty()));
    }
}

fn given(path: &Path, scratch: &Path) {
    let spool = SpoolWriter::create(&scratch.join("spool")).and_then(SpoolWriter::finish).expect("a spool");
    let method = Method::Given(Given { texts: path.to_owned() });
    let _ = method.learn(&Pages::new(&spool, Vec::new()), Means { threads: 1, scratch });
}

/// Without a floor to raise, an experiment's text stays as it is.
fn experiment(path: &Path, content: &[u8]) {
    if Experiment::open(path).is_ok() {
        let text = String::from_utf8_lossy(content);
        assert_eq!(raise(&text, &[], true), text);
    }
}

fn line_marks(path: &Path) {
    let page = parse_html("<p>one\n<p>two\nthree");
    let folder = path.parent().expect("a folder");
    if let Ok(Some(letters)) = read_marks(folder, "page") {
        let counts = LineCounts::of(&page, &Mask::keep_all(page.piece_count()), &letters);
        assert!(counts.content <= counts.lines && counts.content_kept <= counts.kept && counts.lines <= 3);
    }
}

fn gold(path: &Path) {
    if let Ok(Some(text)) = read_gold(path.parent().expect("a folder"), "page") {
        let bag = Bag::of(&text);
        let counts = TokenCounts::of(&bag, &bag);
        assert!(counts.content == counts.kept && counts.kept == counts.content_kept);
    }
}

/// What was read and is written is read again.
fn manifest(path: &Path) {
    let folder = path.parent().expect("a folder");
    if let Ok(read) = Manifest::read(folder) {
        read.write(folder).expect("a file");
        let again = Manifest::read(folder).expect("what was written");
        assert_eq!((again.pages, again.aliases, again.sizes), (read.pages, read.aliases, read.sizes));
    }
}

fn templates(path: &Path) {
    let folder = path.parent().expect("a folder");
    fs::write(folder.join("manifest.json"), MANIFEST).expect("a file");
    if let Ok(read) = Templates::read(folder) {
        read.write(folder).expect("a file");
        assert_eq!(Templates::read(folder).expect("what was written"), read);
    }
}

/// The least there is to a manifest.
const MANIFEST: &str = r#"{"format":1,"unhusk":"","method":{"name":"none"},"findings":{},"language":"none","stored":true,"dedup":null,
"inputs":[],"pages":{"read":0,"indexed":0,"duplicates":0,"skipped":{},"ignored":0,"damaged":0},"aliases":[],"corpus_bytes":0,
"text_bytes":0,"kept_bytes":0,"fields":{},"sizes":{"terms":0,"postings":0,"positions":0,"store":0,"other":0},
"cost":{"seconds":[],"peak_memory":null,"threads":1}}"#;

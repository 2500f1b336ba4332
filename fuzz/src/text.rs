//! Files and words that people write: read, or refused with a place; what was read is read again as it was.

use std::path::Path;

use unhusk::eval::Qrels;
use unhusk::search::queries::QuerySet;
use unhusk::search::run::Run;
use unhusk::search::syntax::Query;
use unhusk::wrap::fields::Fields;
use unhusk::wrap::labels::Labels;

/// Any text is a file of queries or an error.
pub(super) fn queries(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = Path::new("fuzz");
    let Ok(set) = QuerySet::parse(&text, file) else { return };
    let one_word = |id: &str| !id.is_empty() && !id.contains(char::is_whitespace);
    assert!(!set.queries.is_empty() && set.queries.iter().all(|query| one_word(&query.id)));
    // A topic may have a number that begins as a remark does, or as a topic.
    if set.queries.iter().any(|query| query.id.starts_with(['#', '<', '\u{feff}'])) {
        return;
    }
    let lines: String = set.queries.iter().map(|query| format!("{}\t{}\n", query.id, query.text)).collect();
    assert_eq!(QuerySet::parse(&lines, file).expect("what was read"), set);
}

/// Any text is a file of judgements or an error.
pub(super) fn qrels(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = Path::new("fuzz");
    let Ok(qrels) = Qrels::parse(&text, file) else { return };
    let mut lines = String::new();
    for (query, grades) in qrels.queries() {
        for (doc, grade) in grades {
            lines += &format!("{query} 0 {doc} {grade}\n");
        }
    }
    if !lines.starts_with('\u{feff}') {
        assert_eq!(Qrels::parse(&lines, file).expect("what was read"), qrels);
    }
}

/// Any text is a run or an error.
pub(super) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = Path::new("fuzz");
    let Ok(run) = Run::parse(&text, file) else { return };
    let mut lines = Vec::new();
    // A name that begins as a remark does is read where it stands, but not written.
    if run.write(&mut lines).is_ok() && !lines.starts_with("\u{feff}".as_bytes()) {
        let lines = String::from_utf8(lines).expect("text");
        assert_eq!(Run::parse(&lines, file).expect("what was written"), run);
    }
}

/// Anything typed is a query, and where the strict reading has nothing to say, it is the same query.
pub(super) fn syntax(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let query = Query::parse(&text);
    assert!(query.clauses.iter().all(|clause| clause.phrase || !clause.text.is_empty()));
    if let Ok(strict) = Query::parse_strict(&text) {
        assert_eq!(strict, query);
    }
}

/// Any bytes are labels or an error; what was read is read again as it was.
pub(super) fn labels(bytes: &[u8]) {
    let file = Path::new("fuzz");
    let Ok(labels) = Labels::parse(bytes, file) else { return };
    let lines: Vec<String> = labels
        .pages
        .iter()
        .map(|(id, records)| serde_json::json!({ "id": id, "records": records }).to_string())
        .collect();
    assert_eq!(Labels::parse(lines.join("\n").as_bytes(), file).expect("what was read"), labels);
}

/// Any bytes are fields or an error; what was read is written as it was.
pub(super) fn fields(bytes: &[u8]) {
    let file = Path::new("fuzz");
    let Ok(fields) = Fields::from_bytes(bytes, file) else { return };
    assert_eq!(Fields::from_bytes(&fields.to_bytes(), file).expect("what was written"), fields);
}

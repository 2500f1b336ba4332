//! Queries and judgements that a person makes: two files the user named, TREC's kind.
//!
//! A judgement is one line of the file of judgements; a query that is judged for the first time is a line of the file of queries.
//! Everything else in the files stays as it is, remarks too. Both are written beside their place and moved there whole, and read again
//! before each change, so that what somebody else writes meanwhile is not lost.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::failure::Failure;
use super::params::folded;
use super::{Options, ServeError};
use unhusk_eval::eval::Qrels;
use unhusk_index::search::queries::{Query, QueryError, QuerySet, records};

/// What is known of queries and judgements, and where more is written.
pub(super) struct Judgements {
    queries: Option<PathBuf>,
    qrels: Option<PathBuf>,
    writable: bool,
    known: RwLock<Known>,
    /// Held while files change.
    writing: Mutex<()>,
}

struct Known {
    queries: QuerySet,
    /// The ids of the queries by their words.
    ids: HashMap<String, String>,
    qrels: Qrels,
    /// Counts changes.
    generation: u64,
}

impl Known {
    fn new(queries: QuerySet, qrels: Qrels, generation: u64) -> Self {
        // Of two queries with the same words the first is meant.
        let ids = queries.queries.iter().rev().map(|query| (folded(&query.text), query.id.clone())).collect();
        Known { queries, ids, qrels, generation }
    }
}

/// A query of the query file and how many pages are judged for it.
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) judged: usize,
    pub(super) relevant: usize,
}

/// The grades of one query's documents.
#[derive(Default)]
pub(super) struct Grades {
    query_id: Option<String>,
    grades: HashMap<String, i32>,
}

impl Grades {
    pub(super) fn query_id(&self) -> Option<&str> {
        self.query_id.as_deref()
    }

    /// A page's grade: the best it has under any of its names.
    pub(super) fn of(&self, id: &str, aliases: &[String]) -> Option<i32> {
        let names = std::iter::once(id).chain(aliases.iter().map(String::as_str));
        names.filter_map(|name| self.grades.get(name).copied()).max()
    }
}

impl Judgements {
    pub(super) fn open(options: &Options) -> Result<Self, ServeError> {
        let Options { queries, qrels, judge, .. } = options;
        if *judge && (queries.is_none() || qrels.is_none()) {
            let why = "--judge writes to two files: name them with --queries and --qrels";
            return Err(ServeError::Judging(why.to_owned()));
        }
        let known = Known::new(
            queries.as_deref().map(|file| read_queries(file, *judge)).transpose()?.unwrap_or_default(),
            qrels.as_deref().map(|file| read_qrels(file, *judge)).transpose()?.unwrap_or_default(),
            0,
        );
        if let Some(file) = queries.as_deref().filter(|file| *judge && holds_topics(file)) {
            let why = format!("{} holds TREC topics: to judge, use a file of id, tab, text", file.display());
            return Err(ServeError::Judging(why));
        }
        Ok(Judgements {
            queries: queries.clone(),
            qrels: qrels.clone(),
            writable: *judge,
            known: RwLock::new(known),
            writing: Mutex::new(()),
        })
    }

    /// Whether judgements may be made.
    pub(super) fn writable(&self) -> bool {
        self.writable
    }

    /// Whether there are queries and judgements to compare indexes by.
    pub(super) fn given(&self) -> bool {
        self.queries.is_some() && self.qrels.is_some()
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// All queries and judgements.
    pub(super) fn all(&self) -> (QuerySet, Qrels) {
        let known = self.known();
        (known.queries.clone(), known.qrels.clone())
    }

    /// A number that changes with the judgements.
    pub(super) fn generation(&self) -> u64 {
        self.known().generation
    }

    pub(super) fn count(&self) -> usize {
        self.known().queries.queries.len()
    }

    /// What was judged for a query that is in the query file with these words.
    pub(super) fn of_query(&self, text: &str) -> Grades {
        let known = self.known();
        let Some(id) = known.ids.get(text) else { return Grades::default() };
        Grades { grades: known.qrels.grades(id).cloned().unwrap_or_default(), query_id: Some(id.clone()) }
    }

    /// The queries, each with what is judged for it.
    pub(super) fn listed(&self) -> Vec<Listed> {
        let known = self.known();
        let listed = |query: &Query| {
            let grades = known.qrels.grades(&query.id);
            Listed {
                id: query.id.clone(),
                text: query.text.clone(),
                judged: grades.map_or(0, |grades| grades.values().filter(|grade| **grade >= 0).count()),
                relevant: grades.map_or(0, |grades| grades.values().filter(|grade| **grade >= 1).count()),
            }
        };
        known.queries.queries.iter().map(listed).collect()
    }

    /// Judges a page for a query, or takes a judgement back; returns the query's id.
    pub(super) fn judge(&self, text: &str, doc: &str, grade: Option<i32>) -> Result<String, Failure> {
        let (Some(queries), Some(qrels), true) = (&self.queries, &self.qrels, self.writable) else {
            return Err(Failure::forbidden(
                "Nothing can be judged here: start the server with --judge, --queries and --qrels.",
            ));
        };
        if text.is_empty() || doc.is_empty() || doc.contains(char::is_whitespace) || doc.contains(char::is_control) {
            return Err(Failure::bad("A judgement needs a query and a page."));
        }
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = |error: &dyn std::fmt::Display| Failure::bad(format!("The judgement cannot be written: {error}."));
        let mut set = read_queries(queries, true).map_err(|error| wrong(&error))?;
        let id = match set.queries.iter().find(|query| folded(&query.text) == text) {
            Some(query) => query.id.clone(),
            None => {
                let id = free_id(&set);
                append_query(queries, &id, text).map_err(|error| wrong(&error))?;
                set.queries.push(Query { id: id.clone(), text: text.to_owned() });
                id
            }
        };
        let before = read_or_empty(qrels).map_err(|error| wrong(&error))?;
        let after = with_judgement(&before, &id, doc, grade);
        replace(qrels, &after).map_err(|error| wrong(&error))?;
        let read = read_qrels(qrels, true).map_err(|error| wrong(&error))?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        *known = Known::new(set, read, known.generation + 1);
        Ok(id)
    }
}

/// A file that is to be made may be absent or empty.
fn read_queries(file: &Path, may_be_new: bool) -> Result<QuerySet, QueryError> {
    match QuerySet::open(file) {
        Err(QueryError::Empty { .. }) if may_be_new => Ok(QuerySet::default()),
        Err(QueryError::Read { source, .. }) if may_be_new && source.kind() == io::ErrorKind::NotFound => {
            Ok(QuerySet::default())
        }
        read => read,
    }
}

fn read_qrels(file: &Path, may_be_new: bool) -> Result<Qrels, unhusk_eval::eval::QrelsError> {
    use unhusk_eval::eval::QrelsError;
    match Qrels::open(file) {
        Err(QrelsError::Empty { .. }) if may_be_new => Ok(Qrels::default()),
        Err(QrelsError::Read { source, .. }) if may_be_new && source.kind() == io::ErrorKind::NotFound => {
            Ok(Qrels::default())
        }
        read => read,
    }
}

fn read_or_empty(file: &Path) -> io::Result<String> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

fn holds_topics(file: &Path) -> bool {
    let text = read_or_empty(file).unwrap_or_default();
    records(&text).next().is_some_and(|(_, line)| !line.contains('\t'))
}

/// The first of q1, q2, … that no query has.
fn free_id(set: &QuerySet) -> String {
    let taken = |id: &String| set.queries.iter().any(|query| query.id == *id);
    (1..).map(|n| format!("q{n}")).find(|id| !taken(id)).expect("there is always another number")
}

fn append_query(file: &Path, id: &str, text: &str) -> io::Result<()> {
    let before = read_or_empty(file)?;
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    replace(file, &format!("{before}{gap}{id}\t{text}\n"))
}

/// The file with one judgement made, changed or taken back; all other lines stay.
fn with_judgement(text: &str, query: &str, doc: &str, grade: Option<i32>) -> String {
    let line = grade.map(|grade| format!("{query} 0 {doc} {grade}"));
    let is_it = |line: &str| {
        let mut columns = line.split_whitespace();
        !line.trim_start().starts_with('#') && columns.next() == Some(query) && columns.nth(1) == Some(doc)
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_it(line));
    lines.retain(|line| !is_it(line));
    if let Some(line) = &line {
        lines.insert(at.unwrap_or(lines.len()).min(lines.len()), line);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Writes a file beside its place and moves it there.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A link stays a link.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new().prefix(".unhusk-").tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    let permissions = match fs::metadata(&file) {
        Ok(known) => known.permissions(),
        Err(_) => std::os::unix::fs::PermissionsExt::from_mode(0o644),
    };
    new.as_file().set_permissions(permissions)?;
    new.as_file().sync_all()?;
    new.persist(&file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn options(folder: &Path, judge: bool) -> Options {
        Options {
            indexes: Vec::new(),
            addr: "127.0.0.1:0".parse().unwrap(),
            allow_remote: false,
            queries: Some(folder.join("q.tsv")),
            qrels: Some(folder.join("q.txt")),
            judge,
            threads: 1,
            limits: Default::default(),
        }
    }

    #[test]
    fn one_line_changes_and_all_others_stay() {
        let text = "# mine\n7 0 a 1\n7 0 b 0\n8 0 a 2";
        assert_eq!(with_judgement(text, "7", "b", Some(1)), "# mine\n7 0 a 1\n7 0 b 1\n8 0 a 2\n");
        assert_eq!(with_judgement(text, "7", "a", None), "# mine\n7 0 b 0\n8 0 a 2\n");
        assert_eq!(with_judgement(text, "9", "a", Some(0)), "# mine\n7 0 a 1\n7 0 b 0\n8 0 a 2\n9 0 a 0\n");
        assert_eq!(with_judgement("", "9", "a", Some(0)), "9 0 a 0\n");
    }

    #[test]
    fn judgements_make_files_that_compare_can_read() {
        let dir = tempfile::tempdir().unwrap();
        let judgements = Judgements::open(&options(dir.path(), true)).unwrap();
        assert_eq!(judgements.judge("low tide", "a.html", Some(1)).unwrap(), "q1");
        assert_eq!(judgements.judge("high tide", "a.html", Some(0)).unwrap(), "q2");
        assert_eq!(judgements.judge("low tide", "b.html", Some(1)).unwrap(), "q1");
        judgements.judge("low tide", "b.html", None).unwrap();
        assert_eq!(QuerySet::open(&dir.path().join("q.tsv")).unwrap().queries.len(), 2);
        let qrels = Qrels::open(&dir.path().join("q.txt")).unwrap();
        let (query, grades) = qrels.queries().next().unwrap();
        assert_eq!((query, grades.len(), grades["a.html"]), ("q1", 1, 1));
        assert_eq!(judgements.of_query("low tide").of("x", &["a.html".to_owned()]), Some(1));
    }

    #[test]
    fn what_somebody_else_writes_meanwhile_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let judgements = Judgements::open(&options(dir.path(), true)).unwrap();
        judgements.judge("low tide", "a.html", Some(1)).unwrap();
        fs::write(dir.path().join("q.txt"), "q1 0 a.html 1\nq1 0 other.html 2\n").unwrap();
        judgements.judge("low tide", "b.html", Some(0)).unwrap();
        let text = fs::read_to_string(dir.path().join("q.txt")).unwrap();
        assert_eq!(text, "q1 0 a.html 1\nq1 0 other.html 2\nq1 0 b.html 0\n");
    }

    #[test]
    fn nothing_is_written_that_would_break_the_files() {
        let dir = tempfile::tempdir().unwrap();
        let judgements = Judgements::open(&options(dir.path(), true)).unwrap();
        for (text, doc) in [("", "a"), ("tide", ""), ("tide", "a b"), ("tide", "a\n7 0 c 1")] {
            assert!(judgements.judge(text, doc, Some(1)).is_err());
        }
        assert!(!dir.path().join("q.txt").exists());
    }

    #[test]
    fn without_judge_the_files_are_read_only_and_must_be_there() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Judgements::open(&options(dir.path(), false)).is_err());
        fs::write(dir.path().join("q.tsv"), "1\ttide\n").unwrap();
        fs::write(dir.path().join("q.txt"), "1 0 a 1\n").unwrap();
        let judgements = Judgements::open(&options(dir.path(), false)).unwrap();
        assert!(judgements.judge("tide", "a", Some(0)).is_err());
        fs::write(dir.path().join("q.tsv"), "<top><num>1<title>tide</top>\n").unwrap();
        assert!(Judgements::open(&options(dir.path(), true)).is_err());
    }
}

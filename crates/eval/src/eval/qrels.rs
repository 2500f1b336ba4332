//! Judgements: which documents answer which query, and how well.
//!
//! The file is TREC's `qrels`, four columns: `query iteration document grade`. A grade of 1 or more is
//! relevant, 0 is judged and not relevant, a negative grade is in the pool but not judged. The iteration
//! is read over.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use unhusk_index::search::queries::{ByQuery, QuerySet, records};

/// The grade of each judged document, query by query, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Qrels {
    grades: ByQuery<HashMap<String, i32>>,
}

/// Why judgements could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QrelsError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read judgements from {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line does not have the four columns.
    #[error("{}:{line}: expected `query iteration document grade`, the grade a whole number, found `{found}`", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// A document is judged twice for a query, in different ways.
    #[error("{}:{line}: document `{doc}` has grade {second} for query `{query}`, but {first} further up; keep one of the two", file.display())]
    Conflict {
        /// The file.
        file: PathBuf,
        /// The line of the second judgement, from 1.
        line: usize,
        /// The query.
        query: String,
        /// The document.
        doc: String,
        /// The first grade.
        first: i32,
        /// The second grade.
        second: i32,
    },
    /// The file has no judgement.
    #[error("{}: no judgements; expected lines of `query iteration document grade`", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

/// What of the judgements has something to judge. A judgement that has nothing lowers recall or does not
/// count at all, so it is told, not dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// All judgements.
    pub judgements: usize,
    /// Judged queries that are not in the query set.
    pub unknown_queries: Vec<String>,
    /// The judgements of those.
    pub judgements_of_unknown_queries: usize,
    /// Judgements of known queries for documents that are not in the collection.
    pub judgements_of_unknown_docs: usize,
    /// Those among them that are relevant: no index can find them.
    pub relevant_unknown_docs: usize,
    /// Queries of the set that have no judgement: they are in no average.
    pub unjudged_queries: Vec<String>,
}

impl Qrels {
    /// Reads a file of judgements.
    pub fn open(file: &Path) -> Result<Self, QrelsError> {
        let text = std::fs::read_to_string(file).map_err(|source| QrelsError::Read { file: file.into(), source })?;
        Self::parse(&text, file)
    }

    /// Reads judgements from `text`; `file` is the name that errors give. The same judgement twice is one.
    pub fn parse(text: &str, file: &Path) -> Result<Self, QrelsError> {
        let mut qrels = Self::default();
        for (number, line) in records(text) {
            let (query, doc, grade) = parse_line(line).ok_or_else(|| QrelsError::Malformed {
                file: file.into(),
                line: number,
                found: line.trim().to_owned(),
            })?;
            match qrels.grades.at(query).entry(doc.to_owned()) {
                Entry::Vacant(place) => _ = place.insert(grade),
                Entry::Occupied(place) if *place.get() == grade => {}
                Entry::Occupied(place) => {
                    return Err(QrelsError::Conflict {
                        file: file.into(),
                        line: number,
                        query: query.to_owned(),
                        doc: doc.to_owned(),
                        first: *place.get(),
                        second: grade,
                    });
                }
            }
        }
        if qrels.grades.iter().len() == 0 {
            return Err(QrelsError::Empty { file: file.into() });
        }
        Ok(qrels)
    }

    /// Adds a judgement; of two for the same document the higher grade stays.
    pub fn add(&mut self, query: &str, doc: &str, grade: i32) {
        self.grades.at(query).entry(doc.to_owned()).and_modify(|known| *known = grade.max(*known)).or_insert(grade);
    }

    /// Every judged query with the grades of its documents.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = (&str, &HashMap<String, i32>)> {
        self.grades.iter()
    }

    /// The grades of a query's documents; none where nothing is judged for it.
    pub fn grades(&self, query: &str) -> Option<&HashMap<String, i32>> {
        self.grades.get(query)
    }

    /// Whether the query has a judgement.
    pub fn judges(&self, query: &str) -> bool {
        self.grades.get(query).is_some()
    }

    /// The judgements of queries that are in `queries`.
    pub fn only(&self, queries: &QuerySet) -> Self {
        let asked: HashSet<&str> = queries.queries.iter().map(|query| query.id.as_str()).collect();
        let mut judged = Self::default();
        for (query, grades) in self.queries().filter(|(query, _)| asked.contains(query)) {
            judged.grades.at(query).clone_from(grades);
        }
        judged
    }

    /// Counts the judgements that speak of queries not in `queries` or documents for which `known_doc` is false.
    pub fn coverage(&self, queries: &QuerySet, known_doc: impl Fn(&str) -> bool) -> Coverage {
        let mut asked: HashMap<&str, bool> = queries.queries.iter().map(|query| (query.id.as_str(), false)).collect();
        let mut coverage = Coverage::default();
        for (query, grades) in self.queries() {
            coverage.judgements += grades.len();
            let Some(judged) = asked.get_mut(query) else {
                coverage.unknown_queries.push(query.to_owned());
                coverage.judgements_of_unknown_queries += grades.len();
                continue;
            };
            *judged = true;
            for (_, grade) in grades.iter().filter(|(doc, _)| !known_doc(doc)) {
                coverage.judgements_of_unknown_docs += 1;
                coverage.relevant_unknown_docs += usize::from(*grade >= 1);
            }
        }
        let unjudged = queries.queries.iter().filter(|query| !asked[query.id.as_str()]);
        coverage.unjudged_queries = unjudged.map(|query| query.id.clone()).collect();
        coverage
    }
}

fn parse_line(line: &str) -> Option<(&str, &str, i32)> {
    let mut columns = line.split_whitespace();
    let (query, _, doc) = (columns.next()?, columns.next()?, columns.next()?);
    let grade = columns.next()?.parse().ok()?;
    columns.next().is_none().then_some((query, doc, grade))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Qrels, String> {
        Qrels::parse(text, Path::new("a.qrels")).map_err(|error| error.to_string())
    }

    #[test]
    fn grades_are_read_graded_and_negative() {
        let qrels = parse("7 0 a 3\n7 0 b -1\n# note\n\n5\t0\ta\t0\r\n").unwrap();
        let (query, grades) = qrels.queries().next().unwrap();
        assert_eq!((query, grades["a"], grades["b"]), ("7", 3, -1));
        assert_eq!(qrels.queries().map(|(query, _)| query).collect::<Vec<_>>(), ["7", "5"]);
        assert!(qrels.judges("5") && !qrels.judges("6"));
    }

    #[test]
    fn a_malformed_line_names_its_place() {
        for bad in ["7 0 a", "7 0 a 1 x", "7 0 a 0.5", "7 0 a relevant", "7 0 a 99999999999"] {
            let error = parse(&format!("7 0 z 1\n{bad}\n")).unwrap_err();
            let expected = "a.qrels:2: expected `query iteration document grade`, the grade a whole number, found";
            assert_eq!(error, format!("{expected} `{bad}`"));
        }
    }

    #[test]
    fn the_same_judgement_twice_is_one_but_two_grades_are_an_error() {
        assert_eq!(parse("7 0 a 1\n7 1 a 1\n").unwrap(), parse("7 0 a 1\n").unwrap());
        let error = parse("7 0 a 1\n7 0 b 1\n7 0 a 0\n").unwrap_err();
        assert!(error.starts_with("a.qrels:3: document `a` has grade 0 for query `7`, but 1 further up"), "{error}");
    }

    #[test]
    fn a_file_without_judgements_is_an_error() {
        assert!(parse("\n").unwrap_err().contains("no judgements"));
    }

    #[test]
    fn what_the_judgements_do_not_cover_is_counted() {
        let qrels = parse("1 0 a 1\n1 0 gone 2\n1 0 gone2 0\n9 0 a 1\n9 0 gone 1\n").unwrap();
        let queries = QuerySet::parse("1\tone\n2\ttwo\n", Path::new("q")).unwrap();
        let expected = Coverage {
            judgements: 5,
            unknown_queries: vec!["9".into()],
            judgements_of_unknown_queries: 2,
            judgements_of_unknown_docs: 2,
            relevant_unknown_docs: 1,
            unjudged_queries: vec!["2".into()],
        };
        assert_eq!(qrels.coverage(&queries, |doc| doc == "a"), expected);
    }
}

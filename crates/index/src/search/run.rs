//! Runs: the documents an index found for each query, as TREC tools read and write them.
//!
//! A line has six columns, `query Q0 document rank score tag`. As for `trec_eval`, the score alone decides
//! the order and the rank column is decoration: score descending, and among equal scores document id
//! descending by its bytes.
//!
//! Scores are single-precision numbers. Tantivy computes them so and `trec_eval` 9 compares them so, hence
//! two scores that differ only past that precision are a tie here as well. They are written in the shortest
//! form that names the same `f32` and read back as an `f32` (widened), so a run survives its file unchanged.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::queries::{ByQuery, records};

/// A document with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The document's id: no white space.
    pub doc: String,
    /// Higher is better; an `f32` widened.
    pub score: f64,
}

/// The ranked documents of each query; queries keep the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// The name of the system that made the run: the last column.
    pub tag: String,
    rankings: ByQuery<Vec<Ranked>>,
}

/// Why a run could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read the run {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A line does not have the six columns.
    #[error("{}:{line}: expected six columns, `query Q0 document rank score tag`, found {found}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// The number of columns there.
        found: usize,
    },
    /// A score is not a number.
    #[error("{}:{line}: expected a number in the fifth column, the score, found `{found}`", file.display())]
    Score {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// A query lists a document twice.
    #[error("{}:{line}: document `{doc}` is there twice for query `{query}`; keep one of the two lines", file.display())]
    Duplicate {
        /// The file.
        file: PathBuf,
        /// The line of the second, from 1.
        line: usize,
        /// The query.
        query: String,
        /// The document.
        doc: String,
    },
    /// The file has no line of a run.
    #[error("{}: the run is empty; expected lines of `query Q0 document rank score tag`", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// A name would not come back from the file.
    #[error("cannot write `{name}` as a column of a run: it must not be empty, hold white space or begin with `#`")]
    Name {
        /// The query id, document id or tag.
        name: String,
    },
    /// The run could not be written.
    #[error("cannot write the run")]
    Write(#[from] io::Error),
}

impl Run {
    /// A run without rankings yet.
    pub fn new(tag: impl Into<String>) -> Self {
        Self { tag: tag.into(), rankings: ByQuery::default() }
    }

    /// Adds what was found for `query` and puts it in order. A document that is there twice keeps its better place.
    pub fn add(&mut self, query: &str, docs: impl IntoIterator<Item = Ranked>) {
        let ranking = self.rankings.at(query);
        ranking.extend(docs);
        ranking.sort_by(by_rank);
        let mut seen = HashSet::new();
        ranking.retain(|ranked| seen.insert(ranked.doc.clone()));
    }

    /// The documents found for `query`, best first; none if the run does not know the query.
    pub fn ranking(&self, query: &str) -> &[Ranked] {
        self.rankings.get(query).map_or(&[], Vec::as_slice)
    }

    /// Every query with its documents, best first.
    pub fn rankings(&self) -> impl ExactSizeIterator<Item = (&str, &[Ranked])> {
        self.rankings.iter().map(|(query, docs)| (query, docs.as_slice()))
    }

    /// Reads a run file.
    pub fn open(file: &Path) -> Result<Self, RunError> {
        let text = std::fs::read_to_string(file).map_err(|source| RunError::Read { file: file.into(), source })?;
        Self::parse(&text, file)
    }

    /// Reads a run from `text`; `file` is the name that errors give. The first line's tag is the run's.
    pub fn parse(text: &str, file: &Path) -> Result<Self, RunError> {
        let mut run = Self::default();
        let mut seen = HashSet::new();
        for (number, line) in records(text) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let [query, _, doc, _, score, tag] = columns[..] else {
                return Err(RunError::Malformed { file: file.into(), line: number, found: columns.len() });
            };
            if !seen.insert((query, doc)) {
                return Err(RunError::Duplicate {
                    file: file.into(),
                    line: number,
                    query: query.to_owned(),
                    doc: doc.to_owned(),
                });
            }
            let score = parse_score(score).ok_or_else(|| RunError::Score {
                file: file.into(),
                line: number,
                found: score.to_owned(),
            })?;
            if run.tag.is_empty() {
                run.tag = tag.to_owned();
            }
            let doc = doc.to_owned();
            run.rankings.at(query).push(Ranked { doc, score });
        }
        if seen.is_empty() {
            return Err(RunError::Empty { file: file.into() });
        }
        for ranking in run.rankings.values_mut() {
            ranking.sort_by(by_rank);
        }
        Ok(run)
    }

    /// Writes the run as six columns, ranks from 1. A query that found nothing leaves no line.
    pub fn write(&self, mut out: impl Write) -> Result<(), RunError> {
        let tag = column(&self.tag)?;
        for (query, docs) in self.rankings() {
            let query = column(query)?;
            for (at, Ranked { doc, score }) in docs.iter().enumerate() {
                let (doc, rank, score) = (column(doc)?, at + 1, *score as f32);
                writeln!(out, "{query} Q0 {doc} {rank} {score} {tag}")?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn parse_score(text: &str) -> Option<f64> {
    let score: f32 = text.parse().ok()?;
    (!score.is_nan()).then_some(f64::from(score))
}

fn column(name: &str) -> Result<&str, RunError> {
    if name.is_empty() || name.starts_with('#') || name.contains(char::is_whitespace) {
        return Err(RunError::Name { name: name.to_owned() });
    }
    Ok(name)
}

fn by_rank(a: &Ranked, b: &Ranked) -> Ordering {
    let scores = comparable(b.score).total_cmp(&comparable(a.score));
    scores.then_with(|| b.doc.as_bytes().cmp(a.doc.as_bytes()))
}

/// A total order over scores: the two zeros are one, and what is no number ranks last.
fn comparable(score: f64) -> f32 {
    if score.is_nan() { f32::NEG_INFINITY } else { score as f32 + 0.0 }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranked(doc: &str, score: f64) -> Ranked {
        Ranked { doc: doc.into(), score }
    }

    fn parse(text: &str) -> Result<Run, String> {
        Run::parse(text, Path::new("a.run")).map_err(|error| error.to_string())
    }

    fn written(run: &Run) -> String {
        let mut out = Vec::new();
        run.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_run_is_written_by_score_then_document_id_both_descending() {
        let mut run = Run::new("bm25");
        run.add("9", [ranked("a", 1.5), ranked("é", 1.5), ranked("Z", 1.5), ranked("b", 2.0)]);
        run.add("10", [ranked("x", f64::from(0.1f32))]);
        let expected = "9 Q0 b 1 2 bm25\n9 Q0 é 2 1.5 bm25\n9 Q0 a 3 1.5 bm25\n9 Q0 Z 4 1.5 bm25\n10 Q0 x 1 0.1 bm25\n";
        assert_eq!(written(&run), expected);
    }

    #[test]
    fn scores_that_differ_past_single_precision_are_a_tie() {
        let mut run = Run::new("t");
        run.add("1", [ranked("a", 1.0 + 1e-9), ranked("b", 1.0), ranked("c", -0.0), ranked("d", 0.0)]);
        let order: Vec<&str> = run.ranking("1").iter().map(|r| r.doc.as_str()).collect();
        assert_eq!(order, ["b", "a", "d", "c"]);
    }

    #[test]
    fn the_rank_column_does_not_decide() {
        let run = parse("1 Q0 a 1 0.5 t\n# note\n\n1 Q0 b 2 0.7 t\n").unwrap();
        assert_eq!(run.ranking("1")[0].doc, "b");
    }

    #[test]
    fn a_document_added_twice_keeps_its_better_place() {
        let mut run = Run::new("t");
        run.add("1", [ranked("a", 1.0), ranked("b", 2.0), ranked("a", 3.0)]);
        assert_eq!(run.ranking("1"), [ranked("a", 3.0), ranked("b", 2.0)]);
    }

    #[test]
    fn a_line_with_other_than_six_columns_names_its_place() {
        let error = parse("1 Q0 a 1 0.5 t\n1 Q0 a 0.5 t\n").unwrap_err();
        assert_eq!(error, "a.run:2: expected six columns, `query Q0 document rank score tag`, found 5");
    }

    #[test]
    fn a_score_is_a_number_and_nan_is_none() {
        for bad in ["high", "nan", "NaN", "1,5"] {
            let error = parse(&format!("1 Q0 a 1 {bad} t\n")).unwrap_err();
            assert!(error.starts_with("a.run:1: expected a number"), "{error}");
        }
    }

    #[test]
    fn a_document_listed_twice_for_a_query_is_an_error() {
        let error = parse("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 a 2 1 t\n").unwrap_err();
        assert!(error.starts_with("a.run:3: document `a` is there twice for query `1`"), "{error}");
    }

    #[test]
    fn an_empty_run_is_an_error() {
        assert!(parse("\n# none\n").unwrap_err().contains("the run is empty"));
    }

    #[test]
    fn a_name_that_would_break_the_columns_is_not_written() {
        for (query, doc, tag) in [("1", "a b", "t"), ("", "a", "t"), ("#1", "a", "t"), ("1", "a", "")] {
            let mut run = Run::new(tag);
            run.add(query, [ranked(doc, 1.0)]);
            assert!(matches!(run.write(Vec::new()), Err(RunError::Name { .. })));
        }
    }

    #[test]
    fn a_score_that_is_no_number_ranks_last() {
        let mut run = Run::new("t");
        run.add("1", [ranked("a", f64::NAN), ranked("b", -5.0)]);
        assert_eq!(run.ranking("1")[0].doc, "b");
    }

    proptest! {
        #[test]
        fn a_run_survives_its_file(lists in prop::collection::vec(prop::collection::btree_map("[a-z/é]{1,5}", any::<f32>(), 1..6), 1..5)) {
            let mut run = Run::new("t");
            for (query, list) in lists.into_iter().enumerate() {
                let docs = list.into_iter().map(|(doc, score)| ranked(&doc, f64::from(score)));
                run.add(&query.to_string(), docs.filter(|r| !r.score.is_nan()));
            }
            prop_assume!(run.rankings().all(|(_, docs)| !docs.is_empty()));
            prop_assert_eq!(parse(&written(&run)).unwrap(), run);
        }
    }
}

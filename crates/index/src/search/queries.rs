//! Query sets: what is asked of every index that is compared.
//!
//! Two spellings are read, told apart by their content: one `id<TAB>text` a line, and the topic files of
//! TREC, of which number and title are taken (the title is what a person would type). Nothing is guessed:
//! a line that is neither is an error that names its place, because a query lost on the way would change
//! every average after it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::topics;

/// One query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The name that runs and judgements call it by; no white space.
    pub id: String,
    /// What is asked; may be empty.
    pub text: String,
}

/// Queries in the order of their file, each id once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuerySet {
    /// The queries.
    pub queries: Vec<Query>,
}

/// Why a query set could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read queries from {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line is not what the format wants there.
    #[error("{}:{line}: expected {expected}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// Two queries have one id.
    #[error("{}:{line}: query id `{id}` is there twice; give each query an id of its own", file.display())]
    Duplicate {
        /// The file.
        file: PathBuf,
        /// The line of the second, from 1.
        line: usize,
        /// The id.
        id: String,
    },
    /// There is no query in the file.
    #[error("{}: no queries; expected lines of `id<TAB>text` or TREC topics", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

impl QuerySet {
    /// Reads a query file.
    pub fn open(file: &Path) -> Result<Self, QueryError> {
        let text = std::fs::read_to_string(file).map_err(|source| QueryError::Read { file: file.into(), source })?;
        Self::parse(&text, file)
    }

    /// Reads queries from `text`; `file` is the name that errors give.
    pub fn parse(text: &str, file: &Path) -> Result<Self, QueryError> {
        let topics = records(text).next().is_some_and(|(_, line)| topics::begin(line));
        let found = if topics { topics::parse(text) } else { parse_lines(text) };
        let found = found.map_err(|(line, expected)| QueryError::Malformed { file: file.into(), line, expected })?;
        if found.is_empty() {
            return Err(QueryError::Empty { file: file.into() });
        }
        let mut ids = HashSet::new();
        if let Some((line, twice)) = found.iter().find(|(_, q)| !ids.insert(q.id.as_str())) {
            return Err(QueryError::Duplicate { file: file.into(), line: *line, id: twice.id.clone() });
        }
        Ok(Self { queries: found.into_iter().map(|(_, query)| query).collect() })
    }
}

/// A line that is wrong and what should be there.
pub(super) type Wrong = (usize, &'static str);

/// Queries with the lines they were found on.
pub(super) type Found = Result<Vec<(usize, Query)>, Wrong>;

fn parse_lines(text: &str) -> Found {
    records(text)
        .map(|(number, line)| {
            let (id, text) = line.split_once('\t').ok_or((number, "`id<TAB>text`, with a tab between the two"))?;
            let id = one_word(id).ok_or((number, "a query id without white space in front of the tab"))?;
            let text = text.trim().to_owned();
            Ok((number, Query { id, text }))
        })
        .collect()
}

/// `text` as an id: trimmed, not empty, no white space within.
pub(super) fn one_word(text: &str) -> Option<String> {
    let id = text.trim();
    let is_word = !id.is_empty() && !id.contains(char::is_whitespace);
    is_word.then(|| id.to_owned())
}

/// The lines of a file that carry something, with their numbers from 1: not blank, not a `#` comment.
pub fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered(text).filter(|(_, line)| !is_skipped(line))
}

pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // A byte order mark is no part of the first id.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().map(|(at, line)| (at + 1, line))
}

pub(super) fn is_skipped(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// A value for each query, in the order in which the queries first came up.
#[derive(Debug, Clone, PartialEq)]
pub struct ByQuery<T> {
    entries: Vec<(String, T)>,
    places: HashMap<String, usize>,
}

impl<T> Default for ByQuery<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Default> ByQuery<T> {
    /// The value of `query`.
    pub fn get(&self, query: &str) -> Option<&T> {
        self.places.get(query).map(|&at| &self.entries[at].1)
    }

    /// The value of `query`, made now if there is none.
    pub fn at(&mut self, query: &str) -> &mut T {
        let at = match self.places.get(query) {
            Some(&at) => at,
            None => {
                let at = self.entries.len();
                self.places.insert(query.to_owned(), at);
                self.entries.push((query.to_owned(), T::default()));
                at
            }
        };
        &mut self.entries[at].1
    }

    /// All values with their queries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.entries.iter().map(|(query, value)| (query.as_str(), value))
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Vec<(String, String)>, String> {
        QuerySet::parse(text, Path::new("q.txt"))
            .map(|set| set.queries.into_iter().map(|q| (q.id, q.text)).collect())
            .map_err(|error| error.to_string())
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    }

    #[test]
    fn lines_of_id_and_text_are_read_in_order() {
        let text = "\u{feff}# two queries\n\nb2\thealth law\r\n  # more\na1\t what\tis it \n";
        let expected = pairs(&[("b2", "health law"), ("a1", "what\tis it")]);
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn a_query_may_have_no_text() {
        assert_eq!(parse("7\t\n").unwrap(), pairs(&[("7", "")]));
    }

    #[test]
    fn a_line_without_a_tab_names_its_place() {
        let error = parse("1\tone\n\n2 two\n").unwrap_err();
        assert_eq!(error, "q.txt:3: expected `id<TAB>text`, with a tab between the two");
    }

    #[test]
    fn an_id_is_one_word() {
        assert!(parse("1 a\tone\n").unwrap_err().starts_with("q.txt:1: expected a query id"));
        assert!(parse("\tone\n").unwrap_err().starts_with("q.txt:1: expected a query id"));
    }

    #[test]
    fn an_id_that_comes_twice_is_an_error() {
        let error = parse("1\tone\n2\ttwo\n1\tthree\n").unwrap_err();
        assert!(error.starts_with("q.txt:3: query id `1` is there twice"), "{error}");
    }

    #[test]
    fn a_file_without_queries_is_an_error() {
        assert!(parse("# nothing\n").unwrap_err().contains("no queries"));
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = QuerySet::open(Path::new("no/such/file")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read queries from no/such/file");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_is_read_has_ids(text in "(</?(top|num|title|desc|é)>|[ \t\n#<>/é]|\\PC){0,40}") {
            if let Ok(set) = QuerySet::parse(&text, Path::new("q")) {
                prop_assert!(!set.queries.is_empty());
                prop_assert!(set.queries.iter().all(|query| one_word(&query.id).as_ref() == Some(&query.id)));
            }
        }
    }
}

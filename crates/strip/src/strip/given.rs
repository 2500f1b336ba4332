//! `given`: what is left of each page was cut out by another program.
//!
//! For comparisons: the other program's text is indexed with the titles, the words and the duplicates of every other arm, so that
//! nothing differs but the text. There are no pieces to mark, so it is offered only where nobody asks for marks.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::{Aside, Kept, Mask, Model, StripError};
use unhusk_pages::parse::Page;
use unhusk_pages::spool::PageNo;

/// Where the texts are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// A file of JSON lines: `{"id": …, "text": …}` for each page; more fields are not looked at.
    pub texts: PathBuf,
}

/// The texts by page.
pub(super) struct Texts {
    texts: HashMap<String, String>,
    /// Pages that were asked for and have none.
    missing: AtomicU64,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
}

impl Given {
    /// Reads the texts.
    pub(super) fn read(&self) -> Result<Texts, StripError> {
        let path = &self.texts;
        let failed = |source| StripError::Texts { path: path.clone(), source };
        let file = BufReader::new(File::open(path).map_err(failed)?);
        let mut texts = HashMap::new();
        for (number, line) in file.lines().enumerate() {
            let line = line.map_err(failed)?;
            if line.trim().is_empty() {
                continue;
            }
            let bad = |why: String| bad_line(path, number, why);
            let Line { id, text } = serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
            if texts.insert(id, folded(&text)).is_some() {
                return Err(bad("the id has come before".to_owned()));
            }
        }
        Ok(Texts { texts, missing: AtomicU64::new(0) })
    }
}

/// White space as it is in pages, where indentation and empty lines are no text.
fn folded(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn bad_line(path: &Path, number: usize, why: String) -> StripError {
    StripError::BadText { path: path.to_owned(), line: number + 1, why }
}

impl Model for Texts {
    fn mark(&self, _: PageNo, page: &Page) -> Result<Mask, StripError> {
        Ok(Mask::keep_all(page.piece_count()))
    }

    fn kept(&self, _: PageNo, page: &Page, _: Aside) -> Result<Kept, StripError> {
        let text = self.texts.get(&page.id).cloned().unwrap_or_else(|| {
            self.missing.fetch_add(1, Ordering::Relaxed);
            String::new()
        });
        let joins = text.matches('\n').count();
        Ok(Kept { bytes: (text.len() - joins) as u64, text, aside: String::new(), aside_bytes: 0, mask: None })
    }

    fn findings(&self) -> serde_json::Map<String, serde_json::Value> {
        let missing = self.missing.load(Ordering::Relaxed);
        [("texts", self.texts.len() as u64), ("pages_without_text", missing)]
            .map(|(name, number)| (name.to_owned(), number.into()))
            .into_iter()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use unhusk_pages::parse::parse_html;

    fn read(lines: &str) -> Result<Texts, StripError> {
        let dir = tempfile::tempdir().unwrap();
        let texts = dir.path().join("t.jsonl");
        std::fs::write(&texts, lines).unwrap();
        Given { texts }.read()
    }

    #[test]
    fn a_page_has_the_text_of_its_id_and_pages_without_one_are_counted() {
        let texts =
            read("{\"id\":\"a\",\"text\":\"\\n  Ää  b\\n \\nc \",\"more\":1}\n\n{\"id\":\"b\",\"text\":\"\"}\n")
                .unwrap();
        let kept = |id: &str| {
            let mut page = parse_html("<p>page");
            page.id = id.to_owned();
            let Kept { text, bytes, .. } = texts.kept(PageNo(0), &page, Aside::Demote).unwrap();
            (text, bytes)
        };
        assert_eq!(
            [kept("a"), kept("b"), kept("c")],
            [("Ää b\nc".to_owned(), 7), (String::new(), 0), (String::new(), 0)]
        );
        assert_eq!((&texts.findings()["texts"], &texts.findings()["pages_without_text"]), (&2.into(), &1.into()));
    }

    #[test]
    fn a_bad_line_is_named_with_its_file_and_number() {
        for bad in ["{\"id\":\"b\"}", "{\"id\":\"a\",\"text\":\"\"}", "text", "[]"] {
            let error = read(&format!("{{\"id\":\"a\",\"text\":\"\"}}\n\n{bad}\n")).err().unwrap().to_string();
            assert!(error.contains("t.jsonl, line 3: "), "{error}");
        }
        let error = Given { texts: "nowhere.jsonl".into() }.read().err().unwrap().to_string();
        assert!(error.contains("nowhere.jsonl"), "{error}");
    }
}

//! Facts: values a person would look for on a page, and whether they survive.
//!
//! A template that is learned too eagerly takes content with it, and what goes first are values that many pages share:
//! a cuisine, a team, a price. A list of such values makes the loss visible even where no query asks for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::CompareError;
use crate::eval::Aliases;
use crate::report::{FactsGiven, FactsKept};
use unhusk_index::search::Engine;
use unhusk_index::search::queries::records;
use unhusk_pages::spool::{PageNo, Spool};

/// A value that stands on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The page's id.
    pub page: String,
    /// What the value says about it.
    pub attribute: String,
    /// The value.
    pub value: String,
}

/// Why facts could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The file could not be read as UTF-8 text.
    #[error("cannot read facts from {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line does not have the three columns.
    #[error("{}:{line}: expected `page<TAB>attribute<TAB>value`, none of them empty", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
}

/// Reads a file of facts: page, attribute, value, with tabs between.
pub fn read_facts(file: &Path) -> Result<Vec<Fact>, FactsError> {
    let text = std::fs::read_to_string(file).map_err(|source| FactsError::Read { file: file.into(), source })?;
    parse_facts(&text, file)
}

fn parse_facts(text: &str, file: &Path) -> Result<Vec<Fact>, FactsError> {
    records(text)
        .map(|(line, record)| {
            let columns: Vec<&str> = record.splitn(3, '\t').map(str::trim).collect();
            match columns[..] {
                [page, attribute, value] if columns.iter().all(|column| !column.is_empty()) => {
                    Ok(Fact { page: page.to_owned(), attribute: attribute.to_owned(), value: value.to_owned() })
                }
                _ => Err(FactsError::Malformed { file: file.into(), line }),
            }
        })
        .collect()
}

/// The facts whose value is in the visible text of their page.
pub(super) struct VisibleFacts {
    pub(super) given: FactsGiven,
    /// With the page that stands for the fact's page and the value folded, in the order of pages.
    facts: Vec<Fact>,
}

impl VisibleFacts {
    /// Looks every fact up in the pages as they were read.
    pub(super) fn find(
        facts: &[Fact],
        aliases: &Aliases,
        places: &HashMap<String, PageNo>,
        spool: &Spool,
    ) -> Result<Self, CompareError> {
        let mut given = FactsGiven { facts: facts.len(), unknown_pages: 0, not_visible: 0, visible: 0 };
        let mut sorted: Vec<Fact> = facts
            .iter()
            .map(|fact| Fact {
                page: aliases.kept(&fact.page).to_owned(),
                attribute: fact.attribute.clone(),
                value: folded(&fact.value),
            })
            .collect();
        sorted.sort_by(|a, b| a.page.cmp(&b.page));
        let mut visible = Vec::new();
        for of_page in sorted.chunk_by(|a, b| a.page == b.page) {
            let Some(&place) = places.get(&of_page[0].page) else {
                given.unknown_pages += of_page.len();
                continue;
            };
            let text = folded(&spool.page(place)?.text_where(|_| true));
            visible.extend(of_page.iter().filter(|fact| text.contains(&fact.value)).cloned());
        }
        given.visible = visible.len();
        given.not_visible = given.facts - given.unknown_pages - given.visible;
        Ok(Self { given, facts: visible })
    }

    /// Looks the visible facts up in the texts an index was given.
    pub(super) fn kept_by(&self, engine: &Engine) -> Result<FactsKept, CompareError> {
        let mut found = FactsKept::default();
        for of_page in self.facts.chunk_by(|a, b| a.page == b.page) {
            let (body, aside) = engine.texts(&of_page[0].page)?.unwrap_or_default();
            let (body, aside) = (folded(&body), folded(&aside));
            for fact in of_page {
                let kept = usize::from(body.contains(&fact.value));
                let kept_anywhere = kept.max(usize::from(aside.contains(&fact.value)));
                let attribute = found.attributes.entry(fact.attribute.clone()).or_default();
                attribute.0 += 1;
                attribute.1 += kept;
                *found.attributes_anywhere.entry(fact.attribute.clone()).or_default() += kept_anywhere;
                found.kept += kept;
                found.kept_anywhere += kept_anywhere;
            }
        }
        Ok(found)
    }
}

/// Lower case, white space folded.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_page_attribute_and_value() {
        let facts = parse_facts("# facts\na.html\tCost\t£2.2 million\n", Path::new("f")).unwrap();
        assert_eq!(facts[0], Fact { page: "a.html".into(), attribute: "Cost".into(), value: "£2.2 million".into() });
    }

    #[test]
    fn a_line_that_lacks_a_column_names_its_place() {
        for bad in ["a\tb", "a b c", "a\t\tc", "a\tb\t "] {
            let error = parse_facts(&format!("a\tb\tc\n{bad}\n"), Path::new("f.tsv")).unwrap_err();
            assert_eq!(error.to_string(), "f.tsv:2: expected `page<TAB>attribute<TAB>value`, none of them empty");
        }
    }

    #[test]
    fn white_space_and_case_do_not_count() {
        assert_eq!(folded(" Sauce\n  BÉARNAISE "), "sauce béarnaise");
    }
}

//! Template terms: words of queries that mostly stand in what a method takes out.
//!
//! A word is a template term if its document frequency falls by half or more from one index to the other. Queries that
//! hold one are where removal can change much: before, nearly every page matches; after, those that are about it.

use std::collections::{BTreeMap, HashMap};

use super::CompareError;
use crate::report::TemplateTerm;
use unhusk_index::search::Engine;
use unhusk_index::search::queries::QuerySet;
use unhusk_index::search::syntax::Query;

/// The words of each query and on how many pages each index has them.
pub(super) struct Frequencies {
    /// For each query, by its id, its terms.
    terms: HashMap<String, Vec<String>>,
    /// For each term, a spelling, and its document frequency in each index.
    counts: BTreeMap<String, (String, Vec<u64>)>,
}

impl Frequencies {
    pub(super) fn count(engines: &[&Engine], queries: &QuerySet) -> Result<Self, CompareError> {
        let mut frequencies = Self { terms: HashMap::new(), counts: BTreeMap::new() };
        let Some(any) = engines.first() else { return Ok(frequencies) };
        for query in &queries.queries {
            let terms = any.text_terms(&Query::parse(&query.text));
            for term in &terms {
                if !frequencies.counts.contains_key(&term.term) {
                    let counts =
                        engines.iter().map(|engine| engine.text_frequency(&term.term)).collect::<Result<_, _>>()?;
                    frequencies.counts.insert(term.term.clone(), (term.word.clone(), counts));
                }
            }
            frequencies.terms.insert(query.id.clone(), terms.into_iter().map(|term| term.term).collect());
        }
        Ok(frequencies)
    }

    /// The words whose document frequency falls by half or more, those that fall most first.
    pub(super) fn template_terms(&self, first: usize, second: usize) -> Vec<TemplateTerm> {
        let counts = self.counts.iter().map(|(term, (word, counts))| TemplateTerm {
            word: word.clone(),
            term: term.clone(),
            before: counts[first],
            after: counts[second],
        });
        let mut terms: Vec<TemplateTerm> =
            counts.filter(|term| term.before > 0 && 2 * term.after <= term.before).collect();
        terms.sort_by_key(|term| std::cmp::Reverse(term.before - term.after));
        terms
    }

    /// Whether a query holds one of these words.
    pub(super) fn holds(&self, query: &str, terms: &[TemplateTerm]) -> bool {
        let held = self.terms.get(query).map_or(&[][..], Vec::as_slice);
        terms.iter().any(|template| held.contains(&template.term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequencies(counts: &[(&str, u64, u64)]) -> Frequencies {
        let counts = counts.iter().map(|&(term, a, b)| (term.to_owned(), (term.to_owned(), vec![a, b])));
        let terms = HashMap::from([("q".to_owned(), vec!["law".to_owned(), "court".to_owned()])]);
        Frequencies { terms, counts: counts.collect() }
    }

    #[test]
    fn a_word_that_falls_by_half_or_more_is_of_the_template() {
        let found = frequencies(&[("law", 100, 50), ("court", 100, 51), ("gone", 90, 0), ("nowhere", 0, 0)]);
        let terms: Vec<String> = found.template_terms(0, 1).into_iter().map(|term| term.term).collect();
        assert_eq!(terms, ["gone", "law"]);
        assert!(found.template_terms(1, 0).is_empty());
    }

    #[test]
    fn a_query_is_of_the_group_if_it_holds_such_a_word() {
        let found = frequencies(&[("law", 100, 1), ("court", 3, 3)]);
        let terms = found.template_terms(0, 1);
        assert!(found.holds("q", &terms));
        assert!(!found.holds("q", &[]) && !found.holds("another", &terms));
    }
}

//! Template terms: words of queries that mostly stand in what a method takes out.
//!
//! A word is a template term if its document frequency falls by half or more from one index to the other. Queries that
//! hold one are where removal can change much: before, nearly every page matches; after, those that are about it.

use std::collections::{BTreeMap, HashMap};

use super::CompareError;
use crate::report::TemplateTerm;
use crate::search::Engine;
use crate::search::queries::QuerySet;
use crate::search::syntax::Query;

/// The words of each query and on how many pages each index has them.
pub(super) struct Frequencies {
    /// For each query, by its id, its terms.
    terms: HashMap<String, Vec<String>>,
    /// For each term, a spelling, and its document frequency in each index.
    counts: BTreeMap<String, (String, Vec<u64>)>,
}

impl Frequencies {
    pub(super) fn count(engines: &[Engine], queries: &QuerySet) -> Result<Self, CompareError> {
        let mut frequencies = Self { terms: HashMap::new(), counts: BTreeMap::new() };
        let Some(any) = engines.first() else { return Ok(frequencies) };
        for query in &queries.queries {
            let terms = any.body_terms(&Query::parse(&query.text));
            for term in &terms {
                if !frequencies.counts.contains_key(&term.term) {
                    let counts =
                        engines.iter().map(|engine| engine.body_frequency(&term.term)).collect::<Result<_, _>>()?;
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

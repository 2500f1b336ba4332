//! What a comparison asks of an index beside rankings: how common a word is, and what text is left of a page.

use tantivy::Term;
use tantivy::collector::TopDocs;
use tantivy::query::TermQuery;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{TantivyDocument, TantivyError};

use super::syntax::{Occur, Query};
use super::{Engine, Searched};
use crate::index::IndexError;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryTerm {
    /// As it stands in the query.
    pub word: String,
    /// As it stands in the index.
    pub term: String,
}

impl Engine {
    /// The words of a query that are looked up in the body.
    pub fn body_terms(&self, query: &Query) -> Vec<QueryTerm> {
        let wanted = |occur, field: Option<Searched>| occur != Occur::MustNot && field != Some(Searched::Title);
        let clauses = query.clauses.iter().filter(|clause| wanted(clause.occur, clause.field));
        clauses
            .flat_map(|clause| {
                let terms = self.words.terms(&clause.text).into_iter();
                terms.map(|(lexeme, term)| QueryTerm { word: clause.text[lexeme.start..lexeme.end].to_owned(), term })
            })
            .collect()
    }

    /// On how many pages a term is in the body.
    pub fn body_frequency(&self, term: &str) -> Result<u64, IndexError> {
        Ok(self.searcher.doc_freq(&Term::from_field_text(self.fields.body, term))?)
    }

    /// The stored body of a page; none where there is no such page.
    pub fn body(&self, id: &str) -> Result<Option<String>, IndexError> {
        let query = TermQuery::new(Term::from_field_text(self.fields.id, id), IndexRecordOption::Basic);
        let found = self.searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
        let Some((_, address)) = found.first() else { return Ok(None) };
        let document: TantivyDocument = self.searcher.doc(*address)?;
        let body = document.get_first(self.fields.body).and_then(|value| value.as_str());
        let missing = || TantivyError::SchemaError("the index does not store the text of its pages".to_owned());
        Ok(Some(body.ok_or_else(missing)?.to_owned()))
    }
}

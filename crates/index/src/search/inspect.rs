//! What is asked of an index beside rankings: how common a word is, and what is left of a page.

use tantivy::Term;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, TermQuery};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, TantivyDocument, TantivyError};

use super::syntax::{Occur, Query};
use super::{Engine, Searched};
use crate::index::{IndexError, columns};
use unhusk_pages::field::Fields;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryTerm {
    /// As it stands in the query.
    pub word: String,
    /// As it stands in the index.
    pub term: String,
}

/// What is stored of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The document id.
    pub id: String,
    /// The page's URL.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Ids of pages that are the same page.
    pub aliases: Vec<String>,
    /// The content; none where the index does not store it.
    pub body: Option<String>,
    /// What else is known of it.
    pub fields: Fields,
    /// What was set aside; none where there is nothing, or the index does not store it.
    pub aside: Option<String>,
}

impl Engine {
    /// The words of a query that are looked up in the text, body or aside.
    pub fn text_terms(&self, query: &Query) -> Vec<QueryTerm> {
        let wanted = |occur, field: Option<Searched>| occur != Occur::MustNot && field != Some(Searched::Title);
        let clauses = query.clauses.iter().filter(|clause| wanted(clause.occur, clause.field));
        clauses
            .flat_map(|clause| {
                let terms = self.words.terms(&clause.text).into_iter();
                terms.map(|(lexeme, term)| QueryTerm { word: clause.text[lexeme.start..lexeme.end].to_owned(), term })
            })
            .collect()
    }

    /// On how many pages a term is in the text, body or aside.
    pub fn text_frequency(&self, term: &str) -> Result<u64, IndexError> {
        let in_field = |field| Term::from_field_text(field, term);
        let [body, aside] = [self.fields.body, self.fields.aside].map(in_field);
        if !self.manifest.has_aside() || self.searcher.doc_freq(&aside)? == 0 {
            return Ok(self.searcher.doc_freq(&body)?);
        }
        Ok(self.searcher.search(&BooleanQuery::new_multiterms_query(vec![body, aside]), &Count)? as u64)
    }

    /// The stored body of a page, and what is set aside of it; none where there is no such page.
    pub fn texts(&self, id: &str) -> Result<Option<(String, String)>, IndexError> {
        let Some(stored) = self.stored(id)? else { return Ok(None) };
        let missing = || TantivyError::SchemaError("the index does not store the text of its pages".to_owned());
        Ok(Some((stored.body.ok_or_else(missing)?, stored.aside.unwrap_or_default())))
    }

    /// Whether a page of this id is in the index.
    pub fn has(&self, id: &str) -> Result<bool, IndexError> {
        Ok(self.searcher.doc_freq(&Term::from_field_text(self.fields.id, id))? > 0)
    }

    /// What is stored of a page, by its id or that of one of its copies; none where there is no such page.
    pub fn stored(&self, id: &str) -> Result<Option<Stored>, IndexError> {
        for field in [self.fields.id, self.fields.alias] {
            let query = TermQuery::new(Term::from_field_text(field, id), IndexRecordOption::Basic);
            let found = self.searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
            if let Some((_, address)) = found.first() {
                return Ok(Some(self.read_stored(*address)?));
            }
        }
        Ok(None)
    }

    pub(super) fn read_stored(&self, address: DocAddress) -> Result<Stored, IndexError> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str().map(str::to_owned));
        Ok(Stored {
            id: text(self.fields.id).unwrap_or_default(),
            url: text(self.fields.url).unwrap_or_default(),
            title: text(self.fields.title).unwrap_or_default(),
            aliases: document.get_all(self.fields.alias).filter_map(|v| v.as_str().map(str::to_owned)).collect(),
            fields: columns::read(&document, &self.fields),
            body: text(self.fields.body),
            aside: text(self.fields.aside),
        })
    }
}

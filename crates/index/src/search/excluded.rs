//! What must not match, in a form that Tantivy can ask at any document.
//!
//! To leave documents out, Tantivy asks its scorers about documents in front of those they stand at. A phrase's scorer does not
//! allow that: it answers rightly in a release build and panics in a debug build. Here such a question is answered
//! without the scorer, by [`DocSet`]'s own way of seeking.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TantivyError};

/// A query that is used to leave documents out. It names no terms: what must not be there is not highlighted.
#[derive(Debug)]
pub(super) struct Excluded(pub(super) Box<dyn Query>);

impl Clone for Excluded {
    fn clone(&self) -> Self {
        Excluded(self.0.box_clone())
    }
}

impl Query for Excluded {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(ExcludedWeight(self.0.weight(scoring)?)))
    }
}

struct ExcludedWeight(Box<dyn Weight>);

impl Weight for ExcludedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(Steady(self.0.scorer(reader, boost)?)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument("what is left out has no score".to_owned()))
    }
}

/// A scorer that only moves forward. `seek_danger` is left as the trait has it.
struct Steady(Box<dyn Scorer>);

impl DocSet for Steady {
    fn advance(&mut self) -> DocId {
        self.0.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.0.seek(target)
    }

    fn doc(&self) -> DocId {
        self.0.doc()
    }

    fn size_hint(&self) -> u32 {
        self.0.size_hint()
    }
}

impl Scorer for Steady {
    fn score(&mut self) -> Score {
        self.0.score()
    }
}
